import Synchronization

/// How many retries a client may make: the token bucket of gRPC's proposal A6, which stops retries
/// while most calls fail.
///
/// May be used from any thread.
final class RetryBudget: Sendable {
  // In thousandths of a token.
  private let capacity: Int
  private let gain: Int
  private let tokens: Atomic<Int>

  init(_ limits: ChannelLimits) {
    capacity = limits.retryTokens * 1_000
    gain = Int(limits.retryTokensPerSuccess * 1_000)
    tokens = Atomic(capacity)
  }

  /// Notes a call that was answered.
  func succeeded() {
    let current = tokens.load(ordering: .relaxed)
    guard current < capacity else { return }
    // Two threads at once may lose one gain: the budget need not be exact.
    tokens.store(min(current + gain, capacity), ordering: .relaxed)
  }

  /// Notes a failed attempt that could be retried, or that the server forbids to retry.
  func failed() {
    let current = tokens.load(ordering: .relaxed)
    tokens.store(max(current - 1_000, 0), ordering: .relaxed)
  }

  /// Whether a retry may be made.
  var allowsRetry: Bool { tokens.load(ordering: .relaxed) > capacity / 2 }
}
