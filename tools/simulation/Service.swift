import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization

/// The request of a call: how much to reply, how slowly, and with which status.
struct Ask: Message {
  var number: UInt32 = 0
  var delayMicroseconds: UInt32 = 0
  /// Of a unary reply, or of each message of a stream.
  var replyBytes: UInt32 = 0
  /// The number of messages of a reply stream.
  var count: UInt32 = 0
  /// 0 for OK.
  var code: UInt32 = 0
  /// The server ends the call after this many request messages; 0 for after all.
  var enough: UInt32 = 0
  var padding: [UInt8] = []
  /// How little of the padding repeats, in the request and in the reply.
  var noise: UInt32 = 0

  init() {}

  static let schema = Schema<Self>(
    "quiver.simulation.Ask", .uint32(1, "number", \.number),
    .uint32(2, "delay_microseconds", \.delayMicroseconds),
    .uint32(3, "reply_bytes", \.replyBytes), .uint32(4, "count", \.count),
    .uint32(5, "code", \.code), .uint32(6, "enough", \.enough),
    .bytes(7, "padding", \.padding), .uint32(8, "noise", \.noise))
}

/// The padding of messages.
enum Padding {
  /// - Parameter noise: 0: one byte value; 1: eight of them, which compress to about
  /// three eighths; more: all of them, which do not compress.
  static func bytes(_ count: Int, of byte: UInt8, noise: UInt32) -> [UInt8] {
    guard noise > 0 else { return [UInt8](repeating: byte, count: count) }
    let mask: UInt64 = noise == 1 ? 0x0707_0707_0707_0707 : .max
    var state = UInt64(byte) &+ 1
    return [UInt8](unsafeUninitializedCapacity: count + 7) { room, filled in
      let room = UnsafeMutableRawBufferPointer(room)
      for offset in stride(from: 0, to: count, by: 8) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let mixed = (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
        room.storeBytes(of: mixed & mask, toByteOffset: offset, as: UInt64.self)
      }
      filled = count
    }
  }
}

struct Answer: Message {
  /// The number of the call.
  var number: UInt32 = 0
  /// Starts at 1 in a stream; in a client stream's reply the number of received messages.
  var place: UInt32 = 0
  /// The received padding, or that of this message.
  var byteCount: UInt64 = 0
  var padding: [UInt8] = []

  init() {}

  init(to ask: Ask, place: UInt32 = 0) {
    number = ask.number
    self.place = place
    byteCount = UInt64(ask.replyBytes)
    padding = Padding.bytes(
      Int(ask.replyBytes), of: UInt8(truncatingIfNeeded: ask.number &+ place), noise: ask.noise)
  }

  static let schema = Schema<Self>(
    "quiver.simulation.Answer", .uint32(1, "number", \.number), .uint32(2, "place", \.place),
    .uint64(3, "byte_count", \.byteCount), .bytes(4, "padding", \.padding))
}

/// The server's handlers, which record what they ran.
final class Service: Sendable {
  static let atOnce = UnaryMethod<Ask, Answer>("simulation.Work/AtOnce", id: 4097)
  static let later = UnaryMethod<Ask, Answer>("simulation.Work/Later", id: 4098)
  static let task = UnaryMethod<Ask, Answer>("simulation.Work/Task", id: 4099)
  static let source = ServerStreamingMethod<Ask, Answer>(
    "simulation.Work/Source", id: 4100)
  static let sink = ClientStreamingMethod<Ask, Answer>("simulation.Work/Sink", id: 4101)
  static let talk = BidirectionalMethod<Ask, Answer>("simulation.Work/Talk", id: 4102)

  private let state = Mutex(State())
  private let reactor: LoopbackReactor

  private struct State {
    var ran: [UInt32] = []
    var running = 0
  }

  init(on reactor: LoopbackReactor) { self.reactor = reactor }

  /// The numbers of the calls whose handlers started or received a message.
  var ran: [UInt32] { state.withLock { $0.ran } }
  /// The number of handlers that have not returned.
  var running: Int { state.withLock { $0.running } }

  private func note(_ ask: Ask) { state.withLock { $0.ran.append(ask.number) } }
  private func count(_ change: Int) { state.withLock { $0.running += change } }

  private func wait(_ microseconds: UInt32) async {
    guard microseconds > 0 else { return }
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let due = reactor.nowNanoseconds &+ UInt64(microseconds) * 1_000
      reactor.schedule(atNanoseconds: due) { continuation.resume() }
    }
  }

  private static func end(_ ask: Ask) throws(RPCError) {
    guard ask.code == 0 else { throw RPCError(StatusCode(rawValue: ask.code), "as asked") }
  }

  func router() -> Router {
    Router([
      .synchronous(Self.atOnce) { [self] ask, _ throws(RPCError) in
        note(ask)
        try Self.end(ask)
        return Answer(to: ask)
      },
      .responding(Self.later) { [self] ask, _, responder in
        note(ask)
        count(1)
        let due = reactor.nowNanoseconds &+ UInt64(ask.delayMicroseconds) * 1_000
        reactor.schedule(atNanoseconds: due) { [self] in
          count(-1)
          if ask.code == 0 {
            responder.succeed(Answer(to: ask))
          } else {
            responder.fail(RPCError(StatusCode(rawValue: ask.code), "as asked"))
          }
        }
      },
      .asynchronous(Self.task) { [self] ask, _ in
        note(ask)
        count(1)
        defer { count(-1) }
        await wait(ask.delayMicroseconds)
        try Self.end(ask)
        return Answer(to: ask)
      },
      .serverStreaming(Self.source) { [self] ask, _, writer in try await source(ask, writer) },
      .clientStreaming(Self.sink) { [self] asks, _ in try await sink(asks) },
      .bidirectional(Self.talk) { [self] asks, _, writer in try await talk(asks, writer) },
    ])
  }

  private func source(_ ask: Ask, _ writer: ReplyWriter<Answer>) async throws {
    note(ask)
    count(1)
    defer { count(-1) }
    for place in 0..<ask.count {
      try await writer.send(Answer(to: ask, place: place + 1))
      await wait(ask.delayMicroseconds)
    }
    try Self.end(ask)
  }

  private func sink(_ asks: RequestStream<Ask>) async throws -> Answer {
    count(1)
    defer { count(-1) }
    var answer = Answer()
    for try await ask in asks {
      if answer.place == 0 { note(ask) }
      answer.number = ask.number
      answer.place += 1
      answer.byteCount += UInt64(ask.padding.count)
      try Self.end(ask)
      if ask.enough == answer.place { break }
      await wait(ask.delayMicroseconds)
    }
    return answer
  }

  private func talk(_ asks: RequestStream<Ask>, _ writer: ReplyWriter<Answer>) async throws {
    count(1)
    defer { count(-1) }
    var place: UInt32 = 0
    for try await ask in asks {
      if place == 0 { note(ask) }
      place += 1
      try Self.end(ask)
      try await writer.send(Answer(to: ask, place: place))
      if ask.enough == place { break }
      await wait(ask.delayMicroseconds)
    }
  }
}

/// Authenticates everybody.
struct AcceptAll: Authenticator {
  func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
    .caller(Caller(principalID: 1, tokenID: 1, kind: .user, displayName: "B. Bowyer"))
  }
}
