import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@testable import QuiverService

@Suite("Windows of leaderboards that are watched or kept", .timeLimit(.minutes(1)))
struct LeaderboardWindowUseTests {
  private typealias Window = LeaderboardWindowUse.Window

  private static var limits: WatchLimits {
    var limits = WatchLimits()
    limits.idleLeaderboardWindows = 2
    return limits
  }

  private static func window(_ tournament: Int64, _ top: Int) -> Window {
    Window(tournament: tournament, key: .top(top))
  }

  @Test("Windows without watches are kept for all leaderboards together, the latest ones")
  func idle() throws {
    var use = LeaderboardWindowUse()
    let windows = [
      Self.window(1, 1), Self.window(1, 2), Self.window(2, 1), Self.window(2, 2),
    ]
    for window in windows { try use.add(window, of: 7, Self.limits) }
    try use.add(windows[0], of: 8, Self.limits)
    // One that somebody else watches stays.
    #expect(use.remove(windows[0], of: 7, Self.limits).isEmpty && use.idle.isEmpty)
    #expect(use.remove(windows[1], of: 7, Self.limits).isEmpty)
    #expect(use.remove(windows[2], of: 7, Self.limits).isEmpty)
    #expect(Array(use.remove(windows[3], of: 7, Self.limits)) == [windows[1]])
    #expect(use.idle == [windows[2], windows[3]])
    // One that is watched again is not among them.
    try use.add(windows[2], of: 8, Self.limits)
    #expect(use.idle == [windows[3]])
    use.forget(2)
    #expect(use.idle.isEmpty)
  }

  @Test("A window that is refused takes nothing, and one that ends gives its place up")
  func places() throws {
    var limits = Self.limits
    limits.leaderboardWindowsPerPrincipal = 1
    limits.leaderboardWindows = 2
    limits.leaderboardWindowsPerTopic = 2
    var use = LeaderboardWindowUse()
    for _ in 0..<3 {
      try use.add(Self.window(1, 1), of: 7, limits)
      try use.add(Self.window(1, 1), of: 7, limits)
      for _ in 0..<2 {
        let refusal = #expect(throws: RPCError.self) {
          try use.add(Self.window(1, 2), of: 7, limits)
        }
        #expect(refusal?.code == .resourceExhausted)
      }
      try use.add(Self.window(1, 2), of: 8, limits)
      #expect(throws: RPCError.self) { try use.add(Self.window(1, 3), of: 9, limits) }
      #expect(throws: RPCError.self) { try use.add(Self.window(2, 3), of: 9, limits) }
      _ = use.remove(Self.window(1, 1), of: 7, limits)
      #expect(throws: RPCError.self) { try use.add(Self.window(1, 2), of: 7, limits) }
      _ = use.remove(Self.window(1, 1), of: 7, limits)
      _ = use.remove(Self.window(1, 2), of: 8, limits)
    }
  }

  @Test("Spectators leave room for windows of first rows, and each address for the others")
  func spectators() throws {
    var limits = Self.limits
    limits.leaderboardWindowsPerPrincipal = 4
    limits.spectatorWindowsAround = 3
    limits.spectatorWindowsAroundPerAddress = 2
    func around(_ participant: Int64) -> Window {
      Window(tournament: 1, key: .around(participant, 5))
    }
    let (here, there, elsewhere) = (
      SpectatorPlace(event: 1, network: "192.0.2.1"),
      SpectatorPlace(event: 1, network: "192.0.2.2"),
      SpectatorPlace(event: 1, network: "192.0.2.3")
    )
    let (all, own) = (
      StoreLimit.spectatorWindowsAround.reachedCount,
      StoreLimit.spectatorWindowsAroundPerAddress.reachedCount
    )
    var use = LeaderboardWindowUse()
    for _ in 0..<3 {
      try use.add(around(1), of: -1, at: here, limits)
      try use.add(around(1), of: -1, at: here, limits)
      try use.add(around(2), of: -1, at: here, limits)
      #expect(throws: RPCError.self) { try use.add(around(3), of: -1, at: here, limits) }
      try use.add(around(3), of: -1, at: there, limits)
      #expect(throws: RPCError.self) { try use.add(around(4), of: -1, at: there, limits) }
      #expect(throws: RPCError.self) { try use.add(around(4), of: -1, at: elsewhere, limits) }
      // One that others watch takes no more, and first rows always find room.
      try use.add(around(3), of: -1, at: elsewhere, limits)
      try use.add(Self.window(1, 200), of: -1, at: here, limits)
      _ = use.remove(around(1), of: -1, at: here, limits)
      #expect(throws: RPCError.self) { try use.add(around(3), of: -1, at: here, limits) }
      for (window, place) in [
        (around(1), here), (around(2), here), (around(3), there), (around(3), elsewhere),
        (Self.window(1, 200), here),
      ] {
        _ = use.remove(window, of: -1, at: place, limits)
      }
    }
    // Each refusal counts; others may run meanwhile.
    #expect(StoreLimit.spectatorWindowsAround.reachedCount >= all + 6)
    #expect(StoreLimit.spectatorWindowsAroundPerAddress.reachedCount >= own + 6)
  }

  @Test("First pages of categories and sessions find room, whatever else spectators watch")
  func firstPages() throws {
    var limits = Self.limits
    limits.leaderboardWindowsPerPrincipal = 1
    limits.spectatorWindowsAround = 1
    limits.spectatorWindowsAroundPerAddress = 1
    func window(
      category: Int64 = 0, session: Int64 = 0, club: String = "", first: Int = 0,
      count: Int = LeaderboardWindowKey.maximumTop
    ) -> Window {
      var filter = Snapshot.EntryFilter()
      (filter.category, filter.session, filter.club) = (category, session, club)
      return Window(tournament: 1, key: .part(filter, first: first, count: count))
    }
    let here = SpectatorPlace(event: 1, network: "192.0.2.1")
    var use = LeaderboardWindowUse()
    try use.add(Window(tournament: 1, key: .around(1, 5)), of: -1, at: here, limits)
    for number in Int64(1)...3 {
      try use.add(window(category: number), of: -1, at: here, limits)
      try use.add(window(session: number), of: -1, at: here, limits)
    }
    for other in [
      window(), window(category: 1, first: 200), window(category: 1, count: 199),
      window(category: 1, session: 1), window(category: 1, club: "A"), window(club: "A"),
    ] {
      #expect(throws: RPCError.self) { try use.add(other, of: -1, at: here, limits) }
    }
    for number in Int64(1)...3 {
      _ = use.remove(window(category: number), of: -1, at: here, limits)
      #expect(throws: RPCError.self) {
        try use.add(window(club: "A"), of: -1, at: here, limits)
      }
    }
  }

  @Test("Windows of other parts that spectators have count with those around participants")
  func parts() throws {
    var limits = Self.limits
    limits.spectatorWindowsAroundPerAddress = 2
    func part(_ category: Int64, first: Int) -> Window {
      var filter = Snapshot.EntryFilter()
      filter.category = category
      return Window(tournament: 1, key: .part(filter, first: first, count: 50))
    }
    let here = SpectatorPlace(event: 1, network: "192.0.2.1")
    var use = LeaderboardWindowUse()
    try use.add(part(1, first: 0), of: -1, at: here, limits)
    try use.add(part(1, first: 0), of: -1, at: here, limits)
    try use.add(part(1, first: 200), of: -1, at: here, limits)
    #expect(throws: RPCError.self) { try use.add(part(2, first: 0), of: -1, at: here, limits) }
    // An official is not limited by them.
    try use.add(part(2, first: 0), of: 7, limits)
    _ = use.remove(part(1, first: 200), of: -1, at: here, limits)
    try use.add(part(2, first: 0), of: -1, at: here, limits)
  }

  @Test("The windows of many that spectators may have leave room for all others of an event")
  func reserve() {
    let limits = WatchLimits()
    let others =
      LeaderboardWindowKey.maximumTop + Int(StoreLimits.categoriesPerEvent)
      + Int(StoreLimits.sessionsPerEvent)
    #expect(limits.spectatorWindowsAround + others <= limits.leaderboardWindowsPerTopic)
  }
}
