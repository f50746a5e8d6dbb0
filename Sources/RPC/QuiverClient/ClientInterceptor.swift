public import QuiverRPC

/// Stands between a program and its calls, for all four kinds of them.
public protocol ClientInterceptor: Sendable {
  /// A call is about to be made; of several interceptors the first is asked first.
  ///
  /// May change the call's options, metadata among them. What it throws is how the call fails; it
  /// is not sent then. Must not wait. Answers who is told how the call ended; nil: nobody. That is
  /// told once, when the last attempt at the call has ended or the caller has given it up; those
  /// that came later are told first.
  func start(
    _ call: inout OutgoingCall
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)?
}

/// A call that is about to be made.
public struct OutgoingCall: Sendable {
  /// What is called.
  public let method: CalledMethod
  /// What the caller asks for beside the request.
  public var options: CallOptions
}

/// A call that interceptors have let through, with those who want to know its end.
final class InterceptedCall: Sendable {
  let options: CallOptions
  private let endings: [@Sendable (CallOutcome) -> Void]
  private let start: UInt64
  private let now: @Sendable () -> UInt64

  /// Asks the interceptors; throws what one of them fails the call with, and those before it are
  /// told that.
  init(
    _ method: MethodInfo, _ options: CallOptions, _ interceptors: [any ClientInterceptor],
    _ now: @escaping @Sendable () -> UInt64
  ) throws(RPCError) {
    let start = now()
    var call = OutgoingCall(method: CalledMethod(method), options: options)
    var endings: [@Sendable (CallOutcome) -> Void] = []
    for interceptor in interceptors {
      do throws(RPCError) {
        if let ending = try interceptor.start(&call) { endings.append(ending) }
      } catch {
        var error = error
        error.origin = .client
        error.isNotProcessed = true
        Self.tell(endings, error, since: start, now())
        throw error
      }
    }
    self.options = call.options
    self.endings = endings
    self.start = start
    self.now = now
  }

  /// Tells how the call ended; nil is OK. Called once.
  func ended(_ error: RPCError?) { Self.tell(endings, error, since: start, now()) }

  private static func tell(
    _ endings: [@Sendable (CallOutcome) -> Void], _ error: RPCError?, since start: UInt64,
    _ now: UInt64
  ) {
    let outcome = CallOutcome(
      error: error, duration: .nanoseconds(Int64(clamping: now &- start)))
    for ending in endings.reversed() { ending(outcome) }
  }
}
