import QuiverClient

extension SessionLimits {
  /// The delays between attempts to reach the server: they double from the first to the longest,
  /// each with a jitter of up to a half, so that many devices do not return together.
  var backoff: Backoff {
    Backoff(first: firstRetryDelay, longest: longestRetryDelay, jitter: 0.5)
  }

  /// The server's push-back, within the limit.
  func pushBack(_ asked: Duration?) -> Duration? { asked.map { min($0, longestPushBack) } }
}
