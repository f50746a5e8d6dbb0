import QuiverStore

/// How many watches a server takes.
package struct WatchLimits: Sendable {
  /// Open watches of all principals together, and of one.
  package var watches = StoreLimits.watches
  package var watchesPerPrincipal = StoreLimits.watchesPerPrincipal
  /// Those of the spectators of an event at one address.
  package var watchesPerSpectatorAddress = StoreLimits.watchesPerSpectatorAddress

  /// Leaderboards with open watches, of all principals together, and of one.
  package var leaderboardTopics = StoreLimits.leaderboardTopics
  package var leaderboardTopicsPerPrincipal = StoreLimits.leaderboardTopicsPerPrincipal

  /// Different windows of leaderboards with open watches, of all principals together, of one event,
  /// and of one principal.
  package var leaderboardWindows = StoreLimits.leaderboardWindows
  package var leaderboardWindowsPerTopic = StoreLimits.leaderboardWindowsPerTopic
  package var leaderboardWindowsPerPrincipal = StoreLimits.leaderboardWindowsPerPrincipal
  /// Those around participants and of parts that the spectators of an event may have, all and at
  /// one address.
  package var spectatorWindowsAround = StoreLimits.spectatorWindowsAround
  package var spectatorWindowsAroundPerAddress = StoreLimits.spectatorWindowsAroundPerAddress

  /// Windows without watches that are kept for those that resume.
  package var idleLeaderboardWindows = StoreLimits.idleLeaderboardWindows

  package init() {}
}
