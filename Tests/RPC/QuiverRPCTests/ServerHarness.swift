import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

/// A server's end for a test that is the client.
final class ServerHarness {
  let reactor = ManualReactor()
  let held = HeldCalls()
  let lookups = HeldLookups()
  let end: ServerEnd
  /// What counts the calls; nil: nothing does.
  let metrics: CallMetrics?
  /// False stops reading the server's output.
  var reads = true
  private var parser = FrameParser()
  /// All received frames in order.
  private(set) var frames: [ReceivedFrame] = []

  enum Client { case token, nobody, knownOtherwise, silent }

  init(
    _ client: Client = .token, limits: Limits = Limits(), compressor: (any Compressor)? = nil,
    budget: ByteBudget? = nil, positions: (any PositionSource)? = nil,
    hello change: (inout Hello) -> Void = { _ in },
    metrics makeMetrics: ((Router, ManualReactor) -> CallMetrics)? = nil
  ) {
    let router = testRouter(held, positions: positions)
    metrics = makeMetrics?(router, reactor)
    end = ServerEnd(
      id: 1, address: "here", router: router, limits: SharedLimits(limits),
      identity: ServerIdentity(
        software: "quiver/test", instanceID: [1, 2, 3, 4], schemaFingerprint: [9, 9]),
      authenticator: TestAuthenticator(
        knowsEverybody: client == .knownOtherwise, lookups: lookups),
      compressor: compressor, share: budget?.share(for: .address("here")), metrics: metrics,
      reactor: reactor, coder: ReactorCoder())
    guard client != .silent else { return }
    let bytes =
      Preface.bytes
      + hello { hello in
        if client == .token { hello.authToken = Array("good".utf8) }
        change(&hello)
      }
    let words = receive(bytes)
    #expect(words == ["HELLO"])
  }

  var phase: ConnectionCore.Phase { end.phase }
  var now: UInt64 { reactor.nowNanoseconds }

  /// The server receives the bytes at once; returns the frames that it sends.
  @discardableResult
  func receive(_ parts: [UInt8]...) -> [String] {
    parts.flatMap { $0 }.withUnsafeBytes { end.receive($0, now: now) }
    return drainOutput()
  }

  /// The server receives the bytes one by one.
  func receiveByteByByte(_ bytes: [UInt8]) -> [String] {
    bytes.flatMap { receive([$0]) }
  }

  /// The frames that the server has sent since the last call.
  @discardableResult
  func drainOutput() -> [String] {
    reactor.runJobs()
    guard reads else { return [] }
    var said: [ReceivedFrame] = []
    while !end.output.isEmpty {
      let bytes = Array(end.output)
      said += parser.parse(bytes)
      end.wrote(bytes.count, now: now)
      reactor.runJobs()
    }
    if end.phase == .closing { end.didHalfClose(now: now) }
    frames += said
    return said.map(\.words)
  }

  /// Advances the clock and fires timers; returns the frames that the server sends.
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

  /// The last received STATUS.
  var lastStatus: StatusMessage? { frames.last { $0.type == .status }?.status }

  /// The credit of the connection: what was charged, and what was stated last.
  var receivedCharge: UInt64 { end.connection.pointee.core.window.received }
  var receiveAllowance: UInt64 { end.connection.pointee.core.window.receiveAllowance }
  var openStreams: Int { end.connection.pointee.core.streams.count }
}
