import QuiverLoopback
import QuiverProtobuf
import QuiverWire
import Synchronization

@testable import QuiverRPC

/// The request of a test: when to reply, and how much.
struct Ask: Message {
  var number: UInt32 = 0
  var delayMicroseconds: UInt32 = 0
  var replyBytes: UInt32 = 0
  var code: UInt32 = 0
  var padding: [UInt8] = []

  init() {}

  static let schema = Schema<Self>(
    "quiver.test.Ask", .uint32(1, "number", \.number),
    .uint32(2, "delay_microseconds", \.delayMicroseconds),
    .uint32(3, "reply_bytes", \.replyBytes), .uint32(4, "code", \.code),
    .bytes(5, "padding", \.padding))
}

struct Answer: Message {
  var number: UInt32 = 0
  var padding: [UInt8] = []

  init() {}

  init(to ask: Ask) {
    number = ask.number
    padding = [UInt8](repeating: UInt8(truncatingIfNeeded: ask.number), count: Int(ask.replyBytes))
  }

  static let schema = Schema<Self>(
    "quiver.test.Answer", .uint32(1, "number", \.number), .bytes(2, "padding", \.padding))
}

/// The server of these tests: replies at once, later, or from a task, and records what it ran.
final class Work: Sendable {
  static let atOnce = UnaryMethod<Ask, Answer>("quiver.test.Work/AtOnce", id: 4097)
  static let later = UnaryMethod<Ask, Answer>("quiver.test.Work/Later", id: 4098)
  static let task = UnaryMethod<Ask, Answer>("quiver.test.Work/Task", id: 4099)

  private let state = Mutex(State())

  private struct State {
    var ran: [UInt32] = []
    var running = 0
    var onReactor = 0
  }

  /// The numbers of the calls whose handlers started.
  var ran: [UInt32] { state.withLock { $0.ran } }
  /// The number of handlers that have not replied.
  var running: Int { state.withLock { $0.running } }
  /// The number of async handlers that resumed on their reactor.
  var resumedOnReactor: Int { state.withLock { $0.onReactor } }

  private func started(_ ask: Ask) {
    state.withLock {
      $0.ran.append(ask.number)
      $0.running += 1
    }
  }

  private func ended() { state.withLock { $0.running -= 1 } }

  private static func answer(_ ask: Ask) throws(RPCError) -> Answer {
    guard ask.code == 0 else { throw RPCError(StatusCode(rawValue: ask.code), "as asked") }
    return Answer(to: ask)
  }

  func server(on reactor: LoopbackReactor, limits: Limits = Limits()) -> LoopbackServer {
    let atOnce: @Sendable (Ask, CallContext) throws(RPCError) -> Answer = {
      [self] ask, _ throws(RPCError) in
      started(ask)
      defer { ended() }
      return try Self.answer(ask)
    }
    let later: @Sendable (Ask, CallContext, Responder<Answer>) -> Void = {
      [self] ask, context, responder in
      started(ask)
      let due = context.connection.reactor.nowNanoseconds + UInt64(ask.delayMicroseconds) * 1_000
      reactor.schedule(atNanoseconds: due) { [self] in
        ended()
        do throws(RPCError) {
          responder.succeed(try Self.answer(ask))
        } catch {
          responder.fail(error)
        }
      }
    }
    let task: @Sendable (Ask, CallContext) async throws -> Answer = { [self] ask, context in
      started(ask)
      defer { ended() }
      await withCheckedContinuation { continuation in
        let due = context.connection.reactor.nowNanoseconds + UInt64(ask.delayMicroseconds) * 1_000
        reactor.schedule(atNanoseconds: due) { continuation.resume() }
      }
      if context.connection.reactor.isCurrent { state.withLock { $0.onReactor += 1 } }
      return try Self.answer(ask)
    }
    return LoopbackServer(
      router: Router([
        .synchronous(Self.atOnce, atOnce), .responding(Self.later, later),
        .asynchronous(Self.task, task),
      ]), authenticator: AcceptAll(),
      identity: ServerIdentity(software: "quiver/test", instanceID: [7]), limits: limits)
  }
}

/// Authenticates everybody.
struct AcceptAll: Authenticator {
  func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
    .caller(Caller(principalID: 1, tokenID: 1, kind: .user, displayName: "B. Bowyer"))
  }
}

/// A call that records its end, and notifies waiting tasks.
// Sendable because its state is behind a lock.
final class RecordedCall: ClientCall, @unchecked Sendable {
  let ask: Ask
  private let notes = Mutex(Notes())

  private struct Notes {
    var outcomes: [Outcome] = []
    var waiting: CheckedContinuation<Outcome, Never>?
  }

  enum Outcome: Sendable {
    case reply(Answer)
    case failure(RPCError)
    case undecodable
  }

  init(_ method: UnaryMethod<Ask, Answer>, _ ask: Ask, deadlineNanoseconds: UInt64 = 0) {
    self.ask = ask
    super.init(
      method: method.info, message: ask.serializedBytes(),
      deadlineNanoseconds: deadlineNanoseconds, idempotencyKey: nil, attempt: 0, metadata: [:])
  }

  var outcomes: [Outcome] { notes.withLock { $0.outcomes } }

  override func succeeded(_ bytes: UnsafeRawBufferPointer, coder: MessageCoder) {
    if let answer = try? coder.decode(Answer.self, from: bytes) {
      note(.reply(answer))
    } else {
      note(.undecodable)
    }
  }

  override func failed(_ error: RPCError) { note(.failure(error)) }

  private func note(_ outcome: Outcome) {
    let waiting = notes.withLock { notes in
      notes.outcomes.append(outcome)
      defer { notes.waiting = nil }
      return notes.waiting
    }
    waiting?.resume(returning: outcome)
  }

  /// Sends the call and waits for its end.
  func outcome(on end: ClientEnd) async -> Outcome {
    await withCheckedContinuation { continuation in
      notes.withLock { $0.waiting = continuation }
      end.submit(self)
    }
  }
}
