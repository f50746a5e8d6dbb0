import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("The conversations of the specification", .timeLimit(.minutes(5)))
struct VectorConversationTests {
  static let forServers = Vectors.conversations.filter { $0.roles.contains("server") }
  static let forClients = Vectors.conversations.filter { $0.roles.contains("client") }

  @Test("C01: the server sends the specified bytes", arguments: forServers)
  func server(_ talk: Vectors.Conversation) {
    Self.play(talk, in: VectorHost()) { $0.receive($1) }
  }

  @Test(
    "C03: the server sends the same after input that arrives a byte at a time",
    arguments: forServers.filter { $0.whole != true })
  func serverByteByByte(_ talk: Vectors.Conversation) {
    Self.play(talk, in: VectorHost()) { host, bytes in
      for byte in bytes { host.receive([byte]) }
    }
  }

  /// - Parameters:
  /// - receive: delivers bytes of the client to the host.
  /// - arriving: what the client receives when the host sends these bytes.
  static func play(
    _ talk: Vectors.Conversation, in host: VectorHost,
    arriving: ([UInt8]) -> [UInt8] = { $0 },
    receive: (VectorHost, [UInt8]) -> Void
  ) {
    var said: [UInt8] = []
    for (number, step) in talk.steps.enumerated() {
      if let client = step.client { receive(host, Vectors.bytes(client)) }
      if let wait = step.waitMs { host.pass(milliseconds: wait) }
      if step.drain != nil { host.drain() }
      said += arriving(host.takeSaid())
      if let frames = step.server {
        let expected = frames.flatMap { Vectors.bytes($0.hex) }
        #expect(Self.frames(said) == Self.frames(expected), "step \(number)")
        said = []
      }
      if step.closed != nil { #expect(host.hasEnded, "step \(number)") }
    }
    #expect(frames(said) == [])
    let mayEnd = talk.steps.contains { $0.closed != nil }
    #expect(host.hasEnded == mayEnd)
  }

  /// The frames that a server sends, in hex, with the preface separate. CREDIT may arrive at any
  /// time and is omitted unless it is the only frame; an empty HEADERS is optional.
  private static func frames(_ bytes: [UInt8]) -> [String] {
    var rest = bytes[...]
    var found: [(FrameType?, String)] = []
    if rest.starts(with: Preface.bytes) {
      found.append((nil, Vectors.hex(Preface.bytes)))
      rest = rest.dropFirst(8)
    }
    while rest.count >= 8 {
      let header = FrameHeader(bits: rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
      let size = 8 + header.payloadByteCount
      let isEmptyHead = header.type == .headers && size == 8
      if !isEmptyHead { found.append((header.type, Vectors.hex(rest.prefix(size)))) }
      rest = rest.dropFirst(size)
    }
    if !rest.isEmpty { found.append((nil, Vectors.hex(rest))) }
    let others = found.filter { $0.0 != .credit }
    return (others.isEmpty ? found : others).map(\.1)
  }

  @Test(
    "C01: the client sends the specified bytes, and its calls end as specified",
    arguments: forClients)
  func client(_ talk: Vectors.Conversation) throws {
    let reactor = ManualReactor()
    let end = Self.clientEnd(reactor)
    try Self.play(talk, by: end, carried: end, reactor)
  }

  static func clientEnd(_ reactor: ManualReactor) -> ClientEnd {
    ClientEnd(
      limits: Limits(), software: "vectors", token: Array("good".utf8), reactor: reactor,
      coder: ReactorCoder())
  }

  /// - Parameters:
  /// - carried: the end whose bytes are on the wire.
  /// - sent: what the server receives when the carried end sends these bytes.
  /// - arriving: what is on the wire when the server sends these bytes.
  static func play(
    _ talk: Vectors.Conversation, by end: ClientEnd, carried: any ConnectionEnd,
    _ reactor: ManualReactor, sent: ([UInt8]) -> [UInt8] = { $0 },
    arriving: ([UInt8]) -> [UInt8] = { $0 }
  ) throws {
    var calls: [UInt32: RecordedCall] = [:]
    for (number, step) in talk.steps.enumerated() {
      if let id = step.call { calls[id] = start(step, on: end, reactor) }
      if let id = step.cancel {
        end.giveUp(try #require(calls[id]), RPCError(.cancelled, "enough"))
      }
      if let wait = step.waitMs {
        reactor.nowNanoseconds += UInt64(wait) * 1_000_000
        carried.timerFired(now: reactor.nowNanoseconds)
      }
      if let client = step.client {
        #expect(Vectors.hex(sent(said(by: carried, reactor))) == client, "\(number)")
      }
      for frame in step.server ?? [] {
        arriving(Vectors.bytes(frame.hex)).withUnsafeBytes {
          carried.receive($0, now: reactor.nowNanoseconds)
        }
      }
      if let id = step.outcome { check(try #require(calls[id]), step) }
    }
    #expect(calls.values.allSatisfy { $0.outcomes.count == 1 })
  }

  static func said(by end: any ConnectionEnd, _ reactor: ManualReactor) -> [UInt8] {
    var bytes: [UInt8] = []
    while !end.output.isEmpty {
      let more = Array(end.output)
      bytes += more
      end.wrote(more.count, now: reactor.nowNanoseconds)
    }
    return bytes
  }

  private static func start(
    _ step: Vectors.Step, on end: ClientEnd, _ reactor: ManualReactor
  ) -> RecordedCall {
    let method = UnaryMethod<Blob, Blob>("vectors.Talk/Any", id: step.method ?? 0)
    let timeout = UInt64(step.timeoutMs ?? 0) * 1_000_000
    let call = RecordedCall(
      method: method.info, message: Vectors.bytes(step.message ?? ""),
      deadlineNanoseconds: timeout == 0 ? 0 : reactor.nowNanoseconds + timeout,
      idempotencyKey: nil, attempt: 0, metadata: [:])
    end.submit(call)
    return call
  }

  private static func check(_ call: RecordedCall, _ step: Vectors.Step) {
    if let reply = step.reply {
      #expect(call.replies.map { Vectors.hex($0) } == [reply])
    } else {
      #expect(call.errors.map(\.code.rawValue) == [step.code ?? 0])
      #expect(call.errors.map(\.isNotProcessed) == [step.notProcessed ?? false])
    }
  }
}
