import QuiverClient

extension SessionLimits {
  /// The delays between attempts to reach the server: doubling from the first to the longest, each
  /// up to a half shorter or longer at random, so that many devices do not return together.
  var backoff: Backoff {
    Backoff(first: firstRetryDelay, longest: longestRetryDelay, jitter: 0.5)
  }

  /// The delay that a server asks for, within the limit.
  func pushBack(_ asked: Duration?) -> Duration? { asked.map { min($0, longestPushBack) } }
}
