import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

/// A call that records its end.
// Sendable because it lives on the test's thread alone.
final class RecordedCall: ClientCall, @unchecked Sendable {
  private(set) var outcomes: [String] = []
  private(set) var replies: [[UInt8]] = []
  private(set) var errors: [RPCError] = []
  private(set) var roomCount = 0

  override func succeeded(_ bytes: UnsafeRawBufferPointer, coder: MessageCoder) {
    outcomes.append("reply of \(bytes.count)")
    replies.append(Array(bytes))
  }

  override func failed(_ error: RPCError) {
    outcomes.append(error.code.name + (error.isNotProcessed ? ", not processed" : ""))
    errors.append(error)
  }

  override func hasRoom() { roomCount += 1 }
}

/// A client's end for a test that is the server.
final class ClientHarness {
  let reactor = ManualReactor()
  let end: ClientEnd
  /// False stops reading the client's output.
  var reads = true
  private var parser = FrameParser()
  private(set) var frames: [ReceivedFrame] = []

  static let unary = UnaryMethod<Blob, Blob>("quiver.test.Talk/Echo", id: Number.echo)

  /// - Parameter greets: whether the server has sent its HELLO.
  init(
    token: String = "good", limits: Limits = Limits(), greets: Bool = true,
    compressor: (any Compressor)? = nil,
    hello change: (inout Hello) -> Void = { _ in }
  ) {
    end = ClientEnd(
      limits: limits, software: "client/test", token: Array(token.utf8), compressor: compressor,
      reactor: reactor, coder: ReactorCoder())
    guard greets else { return }
    let words = receive(Preface.bytes, hello(change))
    #expect(words == ["HELLO"])
  }

  var phase: ConnectionCore.Phase { end.phase }
  var now: UInt64 { reactor.nowNanoseconds }
  var openStreams: Int { end.connection.pointee.core.streams.count }

  func call(
    _ message: [UInt8] = [], deadlineMilliseconds: Int = 0, metadata: Metadata = [:],
    kind: MethodKind = .unary
  ) -> RecordedCall {
    let method = MethodInfo(
      "quiver.test.Talk/Echo", id: Number.echo, kind: kind, Blob.self, Blob.self)
    return RecordedCall(
      method: method, message: message,
      deadlineNanoseconds: deadlineMilliseconds == 0
        ? 0 : now + UInt64(deadlineMilliseconds) * 1_000_000,
      idempotencyKey: nil, attempt: 0, metadata: metadata)
  }

  /// Starts a call; returns what the client sends.
  func starts(_ call: RecordedCall) -> [String] {
    end.submit(call)
    return drainOutput()
  }

  @discardableResult
  func receive(_ parts: [UInt8]...) -> [String] {
    parts.flatMap { $0 }.withUnsafeBytes { end.receive($0, now: now) }
    return drainOutput()
  }

  @discardableResult
  func drainOutput() -> [String] {
    reactor.runJobs()
    guard reads else { return [] }
    var said: [ReceivedFrame] = []
    while !end.output.isEmpty {
      let bytes = Array(end.output)
      said += parser.parse(bytes)
      end.wrote(bytes.count, now: now)
    }
    if end.phase == .closing { end.didHalfClose(now: now) }
    frames += said
    return said.map(\.words)
  }

  func advance(milliseconds: Int) -> [String] {
    let target = now + UInt64(milliseconds) * 1_000_000
    var words: [String] = []
    var firings = 0
    while end.nextTimer != 0, end.nextTimer <= target {
      reactor.nowNanoseconds = max(now, end.nextTimer)
      end.timerFired(now: now)
      words += drainOutput()
      firings += 1
      guard firings < 10_000 else {
        Issue.record("a timer fires without end")
        break
      }
    }
    reactor.nowNanoseconds = max(now, target)
    return words
  }
}
