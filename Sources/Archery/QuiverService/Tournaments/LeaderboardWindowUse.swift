import QuiverRPC

/// The windows of all leaderboards that are watched, and by how many, and those that are kept for
/// watches that resume.
struct LeaderboardWindowUse {
  struct Window: Hashable, Sendable {
    let tournament: Int64
    let key: LeaderboardWindowKey
  }

  /// How many watches each window has.
  private var watchCounts: [Window: Int] = [:]
  /// How many windows of each event have watches.
  private var windowCounts: [Int64: Int] = [:]
  /// How many watches of each window each principal has.
  private var ownCounts: [Int64: [Window: Int]] = [:]
  /// Those without watches, the one that lost its last watch longest ago first.
  private(set) var idle: [Window] = []

  /// Adds a watch; throws RESOURCE_EXHAUSTED where it needs a window more than a limit allows.
  mutating func add(
    _ window: Window, of principal: Int64, _ limits: WatchLimits
  ) throws(RPCError) {
    let own = ownCounts[principal] ?? [:]
    guard own[window] != nil || own.count < limits.leaderboardWindowsPerPrincipal else {
      throw .limitReached(
        "leaderboard-windows-per-principal",
        "this caller watches \(limits.leaderboardWindowsPerPrincipal) windows of leaderboards;"
          + " end one first")
    }
    if watchCounts[window] == nil { try addWindow(window, limits) }
    watchCounts[window, default: 0] += 1
    ownCounts[principal, default: [:]][window, default: 0] += 1
  }

  private mutating func addWindow(_ window: Window, _ limits: WatchLimits) throws(RPCError) {
    let count = windowCounts[window.tournament] ?? 0
    guard count < limits.leaderboardWindowsPerTopic else {
      throw .limitReached(
        "leaderboard-windows-per-topic",
        "\(limits.leaderboardWindowsPerTopic) windows of this leaderboard are watched")
    }
    guard watchCounts.count < limits.leaderboardWindows else {
      throw .limitReached(
        "leaderboard-windows", "\(limits.leaderboardWindows) windows of leaderboards are watched")
    }
    windowCounts[window.tournament] = count + 1
    idle.removeAll { $0 == window }
  }

  /// Removes a watch; returns the windows without watches that are kept no longer.
  mutating func remove(
    _ window: Window, of principal: Int64, _ limits: WatchLimits
  ) -> ArraySlice<Window> {
    if let count = ownCounts[principal]?[window] {
      ownCounts[principal]?[window] = count > 1 ? count - 1 : nil
      if ownCounts[principal]?.isEmpty == true { ownCounts[principal] = nil }
    }
    guard let count = watchCounts[window] else { return [] }
    watchCounts[window] = count > 1 ? count - 1 : nil
    guard count == 1 else { return [] }
    let windows = windowCounts[window.tournament] ?? 0
    windowCounts[window.tournament] = windows > 1 ? windows - 1 : nil
    idle.append(window)
    let surplus = idle.prefix(max(0, idle.count - limits.idleLeaderboardWindows))
    idle.removeFirst(surplus.count)
    return surplus
  }

  /// Forgets the windows without watches of an event whose topic is gone.
  mutating func forget(_ tournament: Int64) { idle.removeAll { $0.tournament == tournament } }
}
