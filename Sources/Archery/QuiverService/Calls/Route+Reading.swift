import QuiverProtobuf
import QuiverRPC
import QuiverStore

extension Route {
  /// A route whose handler reads the store, so that it may wait for the disk.
  ///
  /// The handler runs on a thread for reads in its caller's turn (``ReadScheduler``), and its reply
  /// is encoded there. Routes that answer from memory are `synchronous`; the event loop runs them.
  static func reading<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ commands: CommandCalls,
    on reads: ReadScheduler? = nil,
    _ handler: @escaping @Sendable (Request, CallContext) throws -> Response
  ) -> Route {
    .responding(method) { request, call, responder in
      commands.read(call, responder, on: reads) { try handler(request, call) }
    }
  }
}

extension Route {
  /// A route whose handler reads the store; the event loop answers the same request with the same
  /// reply until an object of the caller changes (``KeptReplies``, which says for which methods).
  ///
  /// Where other servers may change the database, every call is read. `reads` runs the handler; nil
  /// stands for the store's own threads for reads.
  static func readingOwn<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ commands: CommandCalls,
    on reads: ReadScheduler? = nil,
    _ handler: @escaping @Sendable (Request, CallContext) throws -> Response
  ) -> Route {
    guard !commands.store.isShared else { return .reading(method, commands, on: reads, handler) }
    let kept = commands.store.keptReplies
    return .keeping(method) { request, call in
      guard let principal = call.ownPrincipal else { return .unknown }
      switch kept.find(request, method: method.info.id, principal: principal) {
      case nil: return .unknown
      case .found(let bytes): return .reply(bytes)
      case .missing(let version):
        let request = Array(request)
        return .keep { bytes in
          kept.keep(
            bytes, to: request, method: method.info.id, principal: principal, version: version)
        }
      }
    } otherwise: { request, call, keep, responder in
      commands.read(call, responder, on: reads, { try handler(request, call) }, keep: keep)
    }
  }
}

extension CallContext {
  /// The principal that calls for itself; nil for a spectator, or where a service acts for a user,
  /// whose permission each call checks.
  fileprivate var ownPrincipal: Int64? {
    guard let caller, caller.actorID == caller.principalID,
      SpectatorToken.tournament(ofPrincipal: caller.principalID) == nil
    else { return nil }
    return caller.principalID
  }
}

extension CommandCalls {
  /// Ends a call with what `body` returns or throws; it runs on a thread for reads. `keep` is
  /// called there with the encoded reply.
  func read<Response: Message>(
    _ call: CallContext, _ responder: Responder<Response>, on reads: ReadScheduler? = nil,
    _ body: @escaping @Sendable () throws -> Response, keep: (@Sendable ([UInt8]) -> Void)? = nil
  ) {
    note(call)
    let cancellation = CommandCancellation()
    responder.onCancel { cancellation.cancel() }
    let span = call.span
    let refusal = (reads ?? store.reads).submit(of: call.owner, cancellation) { refusal in
      if let refusal { return responder.fail(RPCError(refusal)) }
      let start = span == nil ? 0 : StoreClock.system.monotonicNanoseconds()
      let result = Result {
        try ReadOrigin.run(self.readOrigin(of: call), body).serializedBytes()
      }
      span?.record("read", from: start, until: StoreClock.system.monotonicNanoseconds())
      switch result {
      case .success(let bytes):
        keep?(bytes)
        responder.succeed(encoded: bytes)
      case .failure(let error): responder.fail(RPCError(thrown: error))
      }
    }
    if let refusal { responder.fail(RPCError(refusal)) }
  }

  /// Where the reads of a call may run: on a replica that has reached the position that it states.
  /// Without a position it sees the latest state.
  private func readOrigin(of call: CallContext) -> ReadOrigin? {
    guard store.readsReplica, let position = StorePosition(in: call.metadata),
      position.epoch == store.epoch
    else { return nil }
    return store.readOrigin(at: position.sequence)
  }

  /// Runs `check` on a thread for reads, then `start` on the reactor of the stream; what either
  /// throws ends the stream.
  func read<Response: Message>(
    _ call: CallContext, _ replies: StreamResponder<Response>,
    _ check: @escaping @Sendable () throws(StoreError) -> Void,
    start: @escaping @Sendable () throws(RPCError) -> Void
  ) {
    note(call)
    let refusal = store.reads.submit(of: call.owner, CommandCancellation()) { refusal in
      if let refusal { return replies.fail(RPCError(refusal)) }
      do throws(StoreError) {
        try check()
        replies.reactor.run {
          do throws(RPCError) {
            try start()
          } catch {
            replies.fail(error)
          }
        }
      } catch {
        replies.fail(RPCError(error))
      }
    }
    if let refusal { replies.fail(RPCError(refusal)) }
  }
}

extension CallContext {
  /// Whose turn the reads of this call take; spectators of an event share that of their address.
  var owner: ReadScheduler.Owner {
    if let place = spectatorPlace { return .spectators(place.event, place.network) }
    return sharedOwner
  }

  /// The same, where all spectators of an event share one turn, and so their equal reads.
  var sharedOwner: ReadScheduler.Owner {
    caller.map { .principal($0.principalID) } ?? .address(connection.address)
  }
}
