/// How long to wait after failures that may pass: doubling from the first delay to the longest,
/// each up to a half shorter by chance, so that many devices do not come back at once.
struct Backoff {
  let limits: SessionLimits
  private(set) var failureCount = 0

  init(_ limits: SessionLimits) { self.limits = limits }

  mutating func succeeded() { failureCount = 0 }

  /// The wait after one more failure; at least the server's push-back, within its limit.
  mutating func failed(pushBack: Duration?, share: Double = .random(in: 0.5...1)) -> Duration {
    let doublings = min(failureCount, 30)
    failureCount = min(failureCount + 1, 1_000)
    let whole = min(limits.firstRetryDelay * Int(1 << doublings), limits.longestRetryDelay)
    return max(whole * share, min(pushBack ?? .zero, limits.longestPushBack))
  }
}
