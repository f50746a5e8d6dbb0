import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization

@testable import QuiverClient

/// A server of ``Town``, which notes the calls whose handlers ran and fails as it is told.
final class House: Sendable {
  let name: String
  let server: LoopbackServer
  private let desk: Desk

  /// A call whose handler ran.
  struct Visit: Sendable {
    let method: String
    let attempt: UInt32
    let key: IdempotencyKey?
    let nanoseconds: UInt64
  }

  /// What the handlers share.
  final class Desk: Sendable {
    let reactor: LoopbackReactor
    let state = Mutex(State())

    struct State {
      var visits: [Visit] = []
      /// What the next calls end with; nil: OK.
      var script: [RPCError?] = []
      var isAlwaysFailing: RPCError?
      var held: [Responder<Note>] = []
      var cancelled = 0
      var next: RPCClient?
    }

    init(_ reactor: LoopbackReactor) { self.reactor = reactor }

    /// Notes a call, and throws what it is to end with.
    func visit(_ method: String, _ call: CallContext) throws(RPCError) {
      let now = reactor.nowNanoseconds
      let error = state.withLock { state -> RPCError? in
        state.visits.append(
          Visit(
            method: method, attempt: call.attempt, key: call.idempotencyKey, nanoseconds: now))
        if let error = state.isAlwaysFailing { return error }
        return state.script.isEmpty ? nil : state.script.removeFirst()
      }
      if let error { throw error }
    }
  }

  init(
    _ name: String, _ reactor: LoopbackReactor, _ limits: Limits,
    _ interceptors: [any ServerInterceptor]
  ) {
    self.name = name
    desk = Desk(reactor)
    server = LoopbackServer(
      router: Router(Self.unary(name, desk) + Self.streams(desk), interceptors: interceptors),
      authenticator: Door(), identity: ServerIdentity(software: "test", instanceID: [1]),
      limits: limits)
  }

  var visits: [Visit] { desk.state.withLock { $0.visits } }
  var attempts: [UInt32] { visits.map(\.attempt) }
  var heldCount: Int { desk.state.withLock { $0.held.count } }
  var cancelledCount: Int { desk.state.withLock { $0.cancelled } }

  /// The next calls end so, one each; those after them OK.
  func script(_ ends: RPCError?...) { desk.state.withLock { $0.script = ends } }
  func failAlways(_ error: RPCError?) { desk.state.withLock { $0.isAlwaysFailing = error } }
  /// Whom the relay calls.
  func relay(to client: RPCClient) { desk.state.withLock { $0.next = client } }

  /// Answers `count` of the calls that are held, or all.
  func release(_ count: Int = .max) {
    let responders = desk.state.withLock { state in
      let responders = Array(state.held.prefix(count))
      state.held.removeFirst(responders.count)
      return responders
    }
    for responder in responders { responder.succeed(Note(name)) }
  }

  /// Answers the call that is held last.
  func releaseLast() {
    desk.state.withLock { $0.held.popLast() }?.succeed(Note(name))
  }

  private static func unary(_ name: String, _ desk: Desk) -> [Route] {
    [
      .synchronous(Notes.echo) { note, call throws(RPCError) in
        try desk.visit("echo", call)
        return Note(name)
      },
      .synchronous(Notes.key) { note, call throws(RPCError) in
        try desk.visit("key", call)
        return Note(name)
      },
      .responding(Notes.hold) { _, _, responder in
        desk.state.withLock { $0.held.append(responder) }
        responder.onCancel { desk.state.withLock { $0.cancelled += 1 } }
      },
      .synchronous(Notes.metadata) { note, call throws(RPCError) in
        Note(call.metadata[note.text] ?? "none")
      },
      .synchronous(Notes.context) { _, call throws(RPCError) in
        Note("\(name)", payload: call.traceparent, number: call.timeLeftMilliseconds ?? 0)
      },
      .asynchronous(Notes.relay) { note, call in
        let options = CallOptions(inheriting: call)
        await withUnsafeContinuation { continuation in
          let due = desk.reactor.nowNanoseconds + UInt64(note.number) * 1_000_000
          desk.reactor.schedule(atNanoseconds: due) { continuation.resume() }
        }
        guard let next = desk.state.withLock({ $0.next }) else { return Note("alone") }
        return try await next.call(Notes.context, Note(), options: options)
      },
    ]
  }

  private static func streams(_ desk: Desk) -> [Route] {
    let count: @Sendable (Note, CallContext, ReplyWriter<Note>) async throws -> Void = {
      note, call, writer in
      for number in 0..<note.number { try await writer.send(Note(number: number)) }
      try desk.visit("count", call)
    }
    return [
      .serverStreaming(Notes.count, count),
      .serverStreaming(Notes.mark, count),
      .clientStreaming(Notes.sum) { notes, call in
        var sum: UInt32 = 0
        for try await note in notes { sum += note.number }
        try desk.visit("sum", call)
        return Note(number: sum)
      },
      .bidirectional(Notes.talk) { notes, call, writer in
        try desk.visit("talk", call)
        for try await note in notes { try await writer.send(note) }
      },
    ]
  }
}
