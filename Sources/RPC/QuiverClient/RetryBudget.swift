import Synchronization

/// How many retries a client may make: A6's token bucket, which stops them where most calls fail.
///
/// May be used from any thread.
final class RetryBudget: Sendable {
  /// In thousandths of a token.
  private let most: Int
  private let gain: Int
  private let tokens: Atomic<Int>

  init(_ limits: ChannelLimits) {
    most = limits.retryTokens * 1_000
    gain = Int(limits.retryTokensPerSuccess * 1_000)
    tokens = Atomic(most)
  }

  /// A call was answered.
  func succeeded() {
    let now = tokens.load(ordering: .relaxed)
    guard now < most else { return }
    // Two that meet here may lose one gain: a budget need not be exact.
    tokens.store(min(now + gain, most), ordering: .relaxed)
  }

  /// An attempt failed that might be made again, or that the server says must not be.
  func failed() {
    let now = tokens.load(ordering: .relaxed)
    tokens.store(max(now - 1_000, 0), ordering: .relaxed)
  }

  /// Whether a retry may be made now.
  var allowsRetry: Bool { tokens.load(ordering: .relaxed) > most / 2 }
}
