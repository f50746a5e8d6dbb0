import QuiverClient
import QuiverRPC
import QuiverWire

/// One unary call of a ``BalancedClient`` across its attempts.
struct BalancedCall {
  /// The servers that were tried.
  var tried: [ObjectIdentifier] = []
  private var options: CallOptions
  private let isRepeatable: Bool
  private let end: ContinuousClock.Instant?
  private let maxAttempts: Int
  private let backoff: Backoff

  init(
    _ method: MethodInfo, _ options: CallOptions, _ configuration: BalancedClient.Configuration
  ) {
    self.options = options
    if method.isMutating, options.idempotencyKey == nil { self.options.idempotencyKey = .random() }
    isRepeatable = !method.isMutating || self.options.idempotencyKey != nil
    let timeout = options.timeout ?? configuration.connection.defaultTimeout
    // The deadline of the call that is answered may be earlier: each attempt inherits it.
    end = timeout.map { ContinuousClock.now + $0 }
    maxAttempts = configuration.maxAttempts
    backoff = configuration.connection.limits.retry
  }

  /// The options of the next attempt, which ends with the call.
  func attemptOptions() throws(RPCError) -> CallOptions {
    guard let end else { return options }
    let left = ContinuousClock.now.duration(to: end)
    guard left > .zero else {
      throw RPCError(
        .deadlineExceeded, "the deadline passed between two attempts", origin: .client)
    }
    var options = options
    options.timeout = left
    return options
  }

  /// Whether another attempt may have a different outcome and no second effect.
  func mayRepeat(after error: RPCError) -> Bool {
    guard tried.count < maxAttempts, error.origin != .client, !Task.isCancelled,
      error.retryAfterMilliseconds ?? 0 >= 0
    else { return false }
    switch error.code {
    case .unavailable: return error.isNotProcessed || isRepeatable
    case .resourceExhausted: return error.retryAfterMilliseconds != nil && error.isNotProcessed
    default: return false
    }
  }

  /// Waits before the next attempt: not at all where the call was not processed and its server
  /// states no delay, since another server takes it.
  func wait(after error: RPCError) async throws(RPCError) {
    var delay = Duration.milliseconds(Int(error.retryAfterMilliseconds ?? 0))
    if !error.isNotProcessed || tried.count > 1 {
      delay = backoff.delay(after: max(tried.count - 2, 0), pushBack: delay)
    }
    let left = end.map { ContinuousClock.now.duration(to: $0) }
    guard delay < left ?? .seconds(3_600) else { throw error }
    guard delay > .zero else { return }
    do {
      try await Task.sleep(for: delay)
    } catch {
      throw RPCError(.cancelled, "the call was cancelled", origin: .client)
    }
  }
}
