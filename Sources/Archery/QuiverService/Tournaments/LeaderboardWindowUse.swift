import QuiverRPC
import QuiverStore

/// The windows of all leaderboards that are watched, and by how many, and those that are kept for
/// watches that resume.
struct LeaderboardWindowUse {
  struct Window: Hashable, Sendable {
    let tournament: Int64
    let key: LeaderboardWindowKey

    /// Whether it is one of many that an event can have. The others are the first rows of the event
    /// by their number, and the first page of each category and each session.
    var isOfMany: Bool {
      switch key.rows {
      case .top: false
      case .around: true
      case .part(let part, let first, let count):
        first != 0 || count != LeaderboardWindowKey.maximumTop || !part.club.isEmpty
          || (part.category != 0) == (part.session != 0)
      }
    }
  }

  /// How many watches each window has.
  private var watchCounts: [Window: Int] = [:]
  /// How many windows of each event have watches.
  private var windowCounts: [Int64: Int] = [:]
  /// How many watches of each window each principal has.
  private var ownCounts: [Int64: [Window: Int]] = [:]
  /// How many watches of each window of many the spectators of an event have, in all and at each
  /// address.
  private var spectatorCounts: [Int64: [Window: Int]] = [:]
  private var placeCounts: [SpectatorPlace: [Window: Int]] = [:]
  /// Those without watches, the one that lost its last watch longest ago first.
  private(set) var idle: [Window] = []

  /// Adds a watch, of a spectator if there is a `place`; throws RESOURCE_EXHAUSTED where it needs a
  /// window more than a limit allows.
  mutating func add(
    _ window: Window, of principal: Int64, at place: SpectatorPlace? = nil, _ limits: WatchLimits
  ) throws(RPCError) {
    if let place {
      if window.isOfMany { try check(window, at: place, limits) }
    } else {
      try check(window, of: principal, limits)
    }
    if watchCounts[window] == nil { try addWindow(window, limits) }
    watchCounts[window, default: 0] += 1
    ownCounts[principal, default: [:]][window, default: 0] += 1
    if window.isOfMany, let place {
      spectatorCounts[place.event, default: [:]][window, default: 0] += 1
      placeCounts[place, default: [:]][window, default: 0] += 1
    }
  }

  private func check(
    _ window: Window, of principal: Int64, _ limits: WatchLimits
  ) throws(RPCError) {
    let own = ownCounts[principal] ?? [:]
    guard own[window] != nil || own.count < limits.leaderboardWindowsPerPrincipal else {
      throw .limitReached(
        .leaderboardWindowsPerPrincipal,
        "this caller watches \(limits.leaderboardWindowsPerPrincipal) windows of leaderboards;"
          + " end one first")
    }
  }

  /// Of windows of many spectators leave room for the other ones, and each address for the others.
  private func check(
    _ window: Window, at place: SpectatorPlace, _ limits: WatchLimits
  ) throws(RPCError) {
    let here = placeCounts[place] ?? [:]
    guard here[window] != nil || here.count < limits.spectatorWindowsAroundPerAddress else {
      throw .limitReached(
        .spectatorWindowsAroundPerAddress,
        "spectators at this address watch \(limits.spectatorWindowsAroundPerAddress) windows around"
          + " participants, of clubs and of later rows; end one first")
    }
    let all = spectatorCounts[place.event] ?? [:]
    guard all[window] != nil || all.count < limits.spectatorWindowsAround else {
      throw .limitReached(
        .spectatorWindowsAround,
        "the spectators of this event watch \(limits.spectatorWindowsAround) windows around"
          + " participants, of clubs and of later rows")
    }
  }

  private mutating func addWindow(_ window: Window, _ limits: WatchLimits) throws(RPCError) {
    let count = windowCounts[window.tournament] ?? 0
    guard count < limits.leaderboardWindowsPerTopic else {
      throw .limitReached(
        .leaderboardWindowsPerTopic,
        "\(limits.leaderboardWindowsPerTopic) windows of this leaderboard are watched")
    }
    guard watchCounts.count < limits.leaderboardWindows else {
      throw .limitReached(
        .leaderboardWindows, "\(limits.leaderboardWindows) windows of leaderboards are watched")
    }
    windowCounts[window.tournament] = count + 1
    idle.removeAll { $0 == window }
  }

  /// Removes a watch; returns the windows without watches that are kept no longer.
  mutating func remove(
    _ window: Window, of principal: Int64, at place: SpectatorPlace? = nil, _ limits: WatchLimits
  ) -> ArraySlice<Window> {
    Self.remove(window, of: principal, from: &ownCounts)
    if window.isOfMany, let place {
      Self.remove(window, of: place.event, from: &spectatorCounts)
      Self.remove(window, of: place, from: &placeCounts)
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

  private static func remove<Owner>(
    _ window: Window, of owner: Owner, from counts: inout [Owner: [Window: Int]]
  ) {
    guard let count = counts[owner]?[window] else { return }
    counts[owner]?[window] = count > 1 ? count - 1 : nil
    if counts[owner]?.isEmpty == true { counts[owner] = nil }
  }

  /// Forgets the windows without watches of an event whose topic is gone.
  mutating func forget(_ tournament: Int64) { idle.removeAll { $0.tournament == tournament } }
}
