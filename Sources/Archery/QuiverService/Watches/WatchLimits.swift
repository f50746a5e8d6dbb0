import QuiverStore

/// How many watches a server takes.
package struct WatchLimits: Sendable {
  /// Open watches of all principals together, and of one.
  package var watches = StoreLimits.watches
  package var watchesPerPrincipal = StoreLimits.watchesPerPrincipal

  /// Leaderboards with open watches, of all principals together, and of one.
  package var leaderboardTopics = StoreLimits.leaderboardTopics
  package var leaderboardTopicsPerPrincipal = StoreLimits.leaderboardTopicsPerPrincipal

  package init() {}
}
