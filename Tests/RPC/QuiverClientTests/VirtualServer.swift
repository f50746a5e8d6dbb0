import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization

@testable import QuiverClient

/// A server of ``VirtualNetwork``, which records the calls of its handlers and fails as scripted.
final class VirtualServer: Sendable {
  let name: String
  let loopback: LoopbackServer
  private let handlers: HandlerState

  /// A call whose handler ran.
  struct HandledCall: Sendable {
    let method: String
    let attempt: UInt32
    let key: IdempotencyKey?
    let nanoseconds: UInt64
  }

  /// The state of the handlers.
  final class HandlerState: Sendable {
    let reactor: LoopbackReactor
    let state = Mutex(State())

    struct State {
      var handledCalls: [HandledCall] = []
      /// The results of the next calls; nil for OK.
      var script: [RPCError?] = []
      var isAlwaysFailing: RPCError?
      var held: [Responder<Note>] = []
      var cancelled = 0
      var next: RPCClient?
      var ticks: Int64 = 0
    }

    init(_ reactor: LoopbackReactor) { self.reactor = reactor }

    /// The next message of the test watch.
    func nextTick() -> Tick {
      let number = state.withLock { state in
        state.ticks += 1
        return state.ticks
      }
      var tick = Tick()
      var span = WatchSpan()
      span.upto = number
      span.storeEpoch = 7
      tick.span = span
      return tick
    }

    /// Records a call, and throws its scripted error.
    func handle(_ method: String, _ call: CallContext) throws(RPCError) {
      let now = reactor.nowNanoseconds
      let error = state.withLock { state -> RPCError? in
        state.handledCalls.append(
          HandledCall(
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
    handlers = HandlerState(reactor)
    loopback = LoopbackServer(
      router: Router(
        Self.unary(name, handlers) + Self.streams(handlers), interceptors: interceptors),
      authenticator: TokenAuthenticator(),
      identity: ServerIdentity(software: "test", instanceID: [1]),
      limits: limits)
  }

  var handledCalls: [HandledCall] { handlers.state.withLock { $0.handledCalls } }
  var attempts: [UInt32] { handledCalls.map(\.attempt) }
  var heldCount: Int { handlers.state.withLock { $0.held.count } }
  var cancelledCount: Int { handlers.state.withLock { $0.cancelled } }

  /// Sets the results of the next calls in order; later ones succeed.
  func script(_ ends: RPCError?...) { handlers.state.withLock { $0.script = ends } }
  func failAlways(_ error: RPCError?) { handlers.state.withLock { $0.isAlwaysFailing = error } }
  /// Sets the client of the relay.
  func relay(to client: RPCClient) { handlers.state.withLock { $0.next = client } }

  /// Replies to `count` of the held calls, or to all.
  func release(_ count: Int = .max) {
    let responders = handlers.state.withLock { state in
      let responders = Array(state.held.prefix(count))
      state.held.removeFirst(responders.count)
      return responders
    }
    for responder in responders { responder.succeed(Note(name)) }
  }

  /// Replies to the held call that came last.
  func releaseLast() {
    handlers.state.withLock { $0.held.popLast() }?.succeed(Note(name))
  }

  private static func unary(_ name: String, _ handlers: HandlerState) -> [Route] {
    [
      .synchronous(Notes.echo) { note, call throws(RPCError) in
        try handlers.handle("echo", call)
        return Note(name)
      },
      .synchronous(Notes.key) { note, call throws(RPCError) in
        try handlers.handle("key", call)
        return Note(name)
      },
      .responding(Notes.hold) { _, _, responder in
        handlers.state.withLock { $0.held.append(responder) }
        responder.onCancel { handlers.state.withLock { $0.cancelled += 1 } }
      },
      .synchronous(Notes.metadata) { note, call throws(RPCError) in
        Note(call.metadata[note.text] ?? "none")
      },
      .synchronous(Notes.context) { _, call throws(RPCError) in
        Note("\(name)", payload: call.traceparent, number: call.timeLeftMilliseconds ?? 0)
      },
      .asynchronousReply(Notes.position) { note, call in
        Reply(
          message: Note(call.metadata[StorePosition.key] ?? "none"),
          trailingMetadata: note.text.isEmpty ? [:] : [StorePosition.key: note.text])
      },
      .asynchronous(Notes.relay) { note, call in
        let options = CallOptions(inheriting: call)
        await withUnsafeContinuation { continuation in
          let due = handlers.reactor.nowNanoseconds + UInt64(note.number) * 1_000_000
          handlers.reactor.schedule(atNanoseconds: due) { continuation.resume() }
        }
        guard let next = handlers.state.withLock({ $0.next }) else { return Note("alone") }
        return try await next.call(Notes.context, Note(), options: options)
      },
    ]
  }

  private static func streams(_ handlers: HandlerState) -> [Route] {
    let count: @Sendable (Note, CallContext, ReplyWriter<Note>) async throws -> Void = {
      note, call, writer in
      for number in 0..<note.number { try await writer.send(Note(number: number)) }
      try handlers.handle("count", call)
    }
    return [
      .serverStreaming(Notes.count, count),
      .serverStreaming(Notes.mark, count),
      .serverStreaming(Notes.positions) { note, call, writer in
        writer.set(trailingMetadata: [StorePosition.key: note.text])
        try await writer.send(Note(call.metadata[StorePosition.key] ?? "none"))
      },
      .serverStreaming(Notes.watch) { note, call, writer in
        for _ in 0..<note.number { try await writer.send(handlers.nextTick()) }
        try handlers.handle("watch \(call.afterSequence)", call)
      },
      .clientStreaming(Notes.sum) { notes, call in
        var sum: UInt32 = 0
        for try await note in notes { sum += note.number }
        try handlers.handle("sum", call)
        return Note(number: sum)
      },
      .bidirectional(Notes.talk) { notes, call, writer in
        try handlers.handle("talk", call)
        for try await note in notes { try await writer.send(note) }
      },
    ]
  }
}
