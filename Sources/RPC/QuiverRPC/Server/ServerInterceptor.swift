import QuiverWire

/// Code that runs before and after each call of a server, of all four kinds.
///
/// It receives the calls whose handlers are about to start, as in gRPC, where the transport and the
/// choice of the method come before interceptors. It does not receive calls that the connection
/// rejects or ends before that: a head that does not decode or names no method; a missing caller,
/// scope or grant to act for a user; no room for the call (streams, output, memory); a message that
/// is too large, does not decompress, or is one too many; a deadline or a CANCEL before the request
/// was complete. It does receive, with its failure, a call whose message does not decode.
public protocol ServerInterceptor: Sendable {
  /// Runs before a handler starts; of several interceptors the first one runs first.
  ///
  /// It runs on the connection's reactor and must not block. An error that it throws ends the call
  /// with that status, not processed, before the handler or a further interceptor runs. It returns
  /// an observer of the call's end, or nil. The observer is called once, on the reactor, when the
  /// handler has returned or answered: with CANCELLED or DEADLINE_EXCEEDED if the call was over
  /// before. The observers of later interceptors are called first.
  func start(
    _ method: CalledMethod, _ call: CallContext
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)?
}

/// The observers of a call's end, and when the call started.
struct AwaitedEnd {
  var endings: [@Sendable (CallOutcome) -> Void]
  var startNanoseconds: UInt64
}

extension Route {
  /// The same route behind interceptors.
  func intercepted(by interceptors: [any ServerInterceptor]) -> Route {
    let (called, body) = (CalledMethod(method), body)
    return Route(method: method) { end in
      let stream = end.currentStream
      guard end.observe(stream, called, interceptors) else { return }
      body(end)
      end.handlerStarted(stream)
    }
  }
}

extension ServerEnd {
  /// Asks the interceptors; answers false if one of them has refused the call, which is answered.
  func observe(
    _ stream: UInt32, _ method: CalledMethod, _ interceptors: [any ServerInterceptor]
  ) -> Bool {
    let start = reactor.exactNanoseconds
    let context = context()
    var endings: [@Sendable (CallOutcome) -> Void] = []
    for interceptor in interceptors {
      do throws(RPCError) {
        if let ending = try interceptor.start(method, context) { endings.append(ending) }
      } catch {
        var error = error
        error.isNotProcessed = true
        connection.pointee.isAnswered = true
        connection.pointee.failReply(stream, error)
        observed[stream] = AwaitedEnd(endings: endings, startNanoseconds: start)
        notifyEnded(stream)
        return false
      }
    }
    observed[stream] = AwaitedEnd(endings: endings, startNanoseconds: start)
    return true
  }

  /// The handler has started; if it has answered already, the interceptors are notified.
  func handlerStarted(_ stream: UInt32) {
    guard isAnswered, !connection.pointee.isRunning(stream) else { return }
    notifyEnded(stream)
  }

  /// The call was cancelled, or its connection is closed. Sets the outcome unless one is known.
  func noteCancelled(_ stream: UInt32) {
    guard observed[stream] != nil else { return }
    connection.pointee.noteFailure(
      stream, RPCError(.cancelled, "the caller gave the call up, or is gone"))
  }

  /// The handler has returned or answered: notifies the interceptors how the call ended.
  func notifyEnded(_ stream: UInt32) {
    let error = connection.pointee.failures.removeValue(forKey: stream)
    guard let call = observed.removeValue(forKey: stream) else { return }
    let taken = reactor.exactNanoseconds &- call.startNanoseconds
    let outcome = CallOutcome(error: error, duration: .nanoseconds(Int64(clamping: taken)))
    for ending in call.endings.reversed() { ending(outcome) }
  }
}

extension ServerConnection {
  /// Whether the handler of a call holds its slot.
  func isRunning(_ stream: UInt32) -> Bool {
    core.streams.slot(of: stream).map { core.streams[$0].phase.hasHandler } ?? false
  }
}
