public import QuiverClient
public import QuiverRPC

extension CallContext {
  /// The call that the current task answers; nil outside of a handler of a server.
  ///
  /// Child tasks have it as well, tasks that are detached do not.
  public static var current: CallContext? { CurrentCall.context.get() }
}

/// Makes the calls of a handler end at the deadline of the call that the handler answers, and
/// belong to its trace.
///
/// A ``BalancedClient`` has it always. Other clients have it in their configuration:
/// `configuration.interceptors = [CallInheritance()]`.
public struct CallInheritance: ClientInterceptor {
  /// Creates the interceptor.
  public init() {}

  public func start(
    _ call: inout OutgoingCall
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
    guard let current = CurrentCall.context.get() else { return nil }
    let own = call.options
    var options = CallOptions(inheriting: current)
    options.timeout = own.timeout
    options.metadata = own.metadata
    options.idempotencyKey = own.idempotencyKey
    options.after = own.after
    options.waitsForReady = own.waitsForReady
    if !own.traceparent.isEmpty { options.traceparent = own.traceparent }
    call.options = options
    return nil
  }
}
