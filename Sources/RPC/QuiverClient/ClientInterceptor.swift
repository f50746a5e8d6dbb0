public import QuiverRPC

/// Code that runs before and after each call of a client, of all four kinds.
public protocol ClientInterceptor: Sendable {
  /// A call is about to be made. Interceptors run in the order of the configuration.
  ///
  /// May change the call's options, for example its metadata. An error ends the call, which is not
  /// sent. Must not block.
  ///
  /// Returns a closure that receives how the call ended, or nil. It is called once, when the last
  /// attempt at the call has ended or the caller has cancelled it; the closures of later
  /// interceptors are called first.
  func start(
    _ call: inout OutgoingCall
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)?
}

/// A call that is about to be made.
public struct OutgoingCall: Sendable {
  /// The method.
  public let method: CalledMethod
  /// The options of the call.
  public var options: CallOptions
}

/// A call whose interceptors have run, with their closures for its end.
final class InterceptedCall: Sendable {
  let options: CallOptions
  private let endings: [@Sendable (CallOutcome) -> Void]
  private let start: UInt64
  private let now: @Sendable () -> UInt64

  /// Runs the interceptors; the error of one ends the call, and those before it receive that end.
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
        Self.report(endings, error, since: start, now())
        throw error
      }
    }
    self.options = call.options
    self.endings = endings
    self.start = start
    self.now = now
  }

  /// Reports how the call ended; nil is OK. Called once.
  func ended(_ error: RPCError?, attemptCount: Int = 1) {
    Self.report(endings, error, attemptCount: attemptCount, since: start, now())
  }

  private static func report(
    _ endings: [@Sendable (CallOutcome) -> Void], _ error: RPCError?, attemptCount: Int = 1,
    since start: UInt64, _ now: UInt64
  ) {
    let outcome = CallOutcome(
      error: error, duration: .nanoseconds(Int64(clamping: now &- start)),
      attemptCount: attemptCount)
    for ending in endings.reversed() { ending(outcome) }
  }
}
