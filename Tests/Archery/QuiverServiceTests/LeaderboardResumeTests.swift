import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Resumed watches of leaderboards", .timeLimit(.minutes(5)))
struct LeaderboardResumeTests {
  private static var quick: ServerAssembly.Options {
    var options = ServerAssembly.Options()
    options.leaderboardIntervalMilliseconds = 1
    return options
  }

  private static func watch(
    _ event: Int64, _ client: Client, top: UInt32, after position: WatchPosition? = nil
  ) throws -> ReplyStream<WatchLeaderboardResponse>.Iterator {
    var request = WatchLeaderboardRequest()
    (request.tournamentID, request.top) = (event, top)
    var options = CallOptions()
    options.after = position
    return try client.client.stream(Tournament.watchLeaderboard, request, options: options)
      .makeAsyncIterator()
  }

  private static func position(_ message: WatchLeaderboardResponse) throws -> WatchPosition {
    let span = try #require(message.span)
    return WatchPosition(sequence: span.upto, storeEpoch: span.storeEpoch)
  }

  /// What the second server needs of the first.
  private struct Kept {
    let event: TournamentEvent
    let ids: [Int64]
    let position: WatchPosition
    var others: [WatchPosition] = []
  }

  @Test("A watch that moves to another server of a shared store begins again with a snapshot")
  func movedBetweenServers() async throws {
    try await TestServer.runShared(Self.quick) { (first, second) in
      let tournament = try await TestTournament(first)
      let ids = try await tournament.entries(["A", "B"]).map(\.id)
      try await tournament.start()
      let event = tournament.event
      let other = try second.client(of: event.organiserID, [])
      // Both servers know the window, each by commits that it has seen.
      var here = try Self.watch(event.id, tournament.organiser, top: 2)
      var there = try Self.watch(event.id, other, top: 2)
      var position = try Self.position(try #require(try await here.next()))
      _ = try await there.next()
      for arrow in 0..<3 as Range<UInt32> {
        try await tournament.record(ids[0], 0, arrow, 9)
        let news = try #require(try await here.next())
        #expect(news.span?.isSnapshot == false && news.rows.map(\.arrowCount) == [arrow + 1])
        position = try Self.position(news)
        var moved = try Self.watch(event.id, other, top: 2, after: position)
        let error = await #expect(throws: RPCError.self) { _ = try await moved.next() }
        #expect(error?.code == .outOfRange)
        #expect(error?.message.hasPrefix("store_epoch: ") == true)
      }
      // At its own server it resumes, without a message until something changes.
      var again = try Self.watch(event.id, tournament.organiser, top: 2, after: position)
      try await tournament.record(ids[1], 0, 0, 10)
      let news = try #require(try await again.next())
      #expect(news.span?.isSnapshot == false && news.rows.map(\.participantID) == [ids[1]])
      // The shared client begins again by itself.
      var request = WatchLeaderboardRequest()
      (request.tournamentID, request.top) = (event.id, 2)
      var options = CallOptions()
      options.after = position
      var following = other.client.watch(
        Tournament.watchLeaderboard, request, options: options
      ).makeAsyncIterator()
      let snapshot = try #require(try await following.next())
      #expect(snapshot.span?.isSnapshot == true)
      #expect(Set(snapshot.rows.map(\.arrowCount)) == [1, 3])
    }
  }

  @Test("A watch resumes after a restart with the changes since its position")
  func restarted() async throws {
    try await TestServer.restart(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["A", "B", "C", "D"]).map(\.id)
      try await tournament.start()
      for (id, value) in zip(ids, [10, 9, 8, 7] as [UInt32]) {
        try await tournament.record(id, 0, 0, value)
      }
      // The commits after the position are in a later millisecond.
      try await Task.sleep(for: .milliseconds(5))
      var messages = try Self.watch(tournament.event.id, tournament.organiser, top: 2)
      let first = try #require(try await messages.next())
      #expect(first.rows.map(\.participantID) == Array(ids[..<2]))
      let position = try Self.position(first)
      try await Task.sleep(for: .milliseconds(5))
      // D comes into the window and leaves it again.
      try await tournament.record(ids[3], 0, 1, 10)
      try await tournament.record(ids[2], 0, 1, 10)
      return Kept(event: tournament.event, ids: ids, position: position)
    } second: { (server, kept: Kept) in
      let client = try server.client(of: kept.event.organiserID, [])
      var messages = try Self.watch(kept.event.id, client, top: 2, after: kept.position)
      let message = try #require(try await messages.next())
      #expect(message.span?.isSnapshot == false)
      #expect(message.span?.after == kept.position.sequence)
      #expect(message.rows.map(\.participantID) == [kept.ids[2], kept.ids[3]])
      #expect(message.rows.map(\.total) == [18, 17] && message.removedIDs == Array(kept.ids[..<2]))
      // Another window, and the same one from where it is now.
      var all = try Self.watch(kept.event.id, client, top: 4, after: kept.position)
      let changed = try #require(try await all.next())
      #expect(Set(changed.rows.map(\.participantID)) == Set(kept.ids[2...]))
      #expect(changed.removedIDs.isEmpty)
      let later = try Self.position(message)
      _ = try await client.call(
        Tournament.recordArrow,
        .with { $0.operation = TestTournament.operation(kept.ids[0], 0, 1, 10) })
      var again = try Self.watch(kept.event.id, client, top: 2, after: later)
      let news = try #require(try await again.next())
      #expect(news.rows.map(\.participantID) == [kept.ids[0]])
      #expect(news.removedIDs == [kept.ids[3]] && news.span?.after == later.sequence)
    }
  }

  @Test("Watches that resume together at several positions all resume")
  func together() async throws {
    try await TestServer.restart(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["A", "B", "C"]).map(\.id)
      try await tournament.start()
      var positions: [WatchPosition] = []
      var messages = try Self.watch(tournament.event.id, tournament.organiser, top: 2)
      positions.append(try Self.position(try #require(try await messages.next())))
      for (place, id) in ids.enumerated() {
        try await Task.sleep(for: .milliseconds(5))
        // Each comes into the window as its first row.
        try await tournament.record(id, 0, 0, UInt32(place + 8))
        positions.append(try Self.position(try #require(try await messages.next())))
      }
      try await Task.sleep(for: .milliseconds(5))
      try await tournament.record(ids[2], 0, 1, 10)
      return Kept(event: tournament.event, ids: ids, position: positions[0], others: positions)
    } second: { (server, kept: Kept) in
      let client = try server.client(of: kept.event.organiserID, [])
      var watches: [ReplyStream<WatchLeaderboardResponse>.Iterator] = []
      for number in 0..<60 {
        let position = kept.others[number % kept.others.count]
        watches.append(
          try Self.watch(kept.event.id, client, top: UInt32(number % 3 + 1), after: position))
      }
      for (number, watch) in watches.enumerated() {
        var watch = watch
        let message = try #require(try await watch.next())
        let position = kept.others[number % kept.others.count]
        #expect(message.span?.after == position.sequence && message.span?.isSnapshot == false)
        #expect(message.rows.map(\.participantID).contains(kept.ids[2]))
      }
    }
  }

  @Test("A watch resumes between the position of another one and the restart")
  func between() async throws {
    try await TestServer.restart(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["A", "B", "C"]).map(\.id)
      try await tournament.start()
      var messages = try Self.watch(tournament.event.id, tournament.organiser, top: 1)
      var positions = [try Self.position(try #require(try await messages.next()))]
      // B and then C come into the window, and B comes again.
      for (place, total) in [(1, 7), (2, 8), (1, 9)] as [(Int, UInt32)] {
        try await Task.sleep(for: .milliseconds(5))
        try await tournament.record(ids[place], 0, place == 1 && total == 9 ? 1 : 0, total)
        positions.append(try Self.position(try #require(try await messages.next())))
      }
      return Kept(event: tournament.event, ids: ids, position: positions[0], others: positions)
    } second: { (server, kept: Kept) in
      let client = try server.client(of: kept.event.organiserID, [])
      var earlier = try Self.watch(kept.event.id, client, top: 1, after: kept.position)
      let message = try #require(try await earlier.next())
      #expect(message.rows.map(\.participantID) == [kept.ids[1]])
      #expect(message.removedIDs == [kept.ids[0]])
      var later = try Self.watch(kept.event.id, client, top: 1, after: kept.others[2])
      let other = try #require(try await later.next())
      #expect(other.span?.after == kept.others[2].sequence)
      #expect(other.rows.map(\.participantID) == [kept.ids[1]])
      // A row that only an earlier position showed may be removed again.
      #expect(other.removedIDs.contains(kept.ids[2]) && !other.removedIDs.contains(kept.ids[1]))
    }
  }

  @Test("A row that left, came and left again since the position is removed")
  func leftTwice() async throws {
    try await TestServer.restart(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["A", "B"]).map(\.id)
      try await tournament.start()
      try await tournament.record(ids[0], 0, 0, 9)
      var messages = try Self.watch(tournament.event.id, tournament.organiser, top: 1)
      let first = try Self.position(try #require(try await messages.next()))
      try await Task.sleep(for: .milliseconds(5))
      try await tournament.record(ids[1], 0, 0, 10)
      let second = try Self.position(try #require(try await messages.next()))
      try await Task.sleep(for: .milliseconds(5))
      return Kept(event: tournament.event, ids: ids, position: first, others: [second])
    } second: { (server, kept: Kept) in
      let client = try server.client(of: kept.event.organiserID, [])
      func record(_ id: Int64, _ arrow: UInt32, _ value: UInt32) async throws {
        _ = try await client.call(
          Tournament.recordArrow,
          .with { $0.operation = TestTournament.operation(id, 0, arrow, value) })
      }
      var later = try Self.watch(kept.event.id, client, top: 1, after: kept.others[0])
      try await record(kept.ids[0], 1, 10)
      let news = try #require(try await later.next())
      #expect(news.rows.map(\.participantID) == [kept.ids[0]])
      #expect(news.removedIDs == [kept.ids[1]])
      try await record(kept.ids[1], 1, 10)
      #expect(try await later.next()?.removedIDs == [kept.ids[0]])
      var earlier = try Self.watch(kept.event.id, client, top: 1, after: kept.position)
      let message = try #require(try await earlier.next())
      #expect(message.rows.map(\.participantID) == [kept.ids[1]])
      #expect(message.removedIDs == [kept.ids[0]])
    }
  }

  @Test("A position in another store or ahead of this one is OUT_OF_RANGE after a restart")
  func unknownPositions() async throws {
    try await TestServer.restart(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let position = WatchPosition(
        sequence: try server.lastSequence() + 1_000, storeEpoch: server.store.epoch)
      return Kept(event: tournament.event, ids: [], position: position)
    } second: { (server, kept: Kept) in
      let client = try server.client(of: kept.event.organiserID, [])
      let epoch = kept.position.storeEpoch
      for position in [kept.position, WatchPosition(sequence: 1, storeEpoch: epoch &+ 1)] {
        var messages = try Self.watch(kept.event.id, client, top: 2, after: position)
        let error = await #expect(throws: RPCError.self) { _ = try await messages.next() }
        #expect(error?.code == .outOfRange)
      }
    }
  }

  @Test("A row that came and left since the position is not removed")
  func neverSent() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["A", "B"]).map(\.id)
      try await tournament.start()
      try await tournament.record(ids[0], 0, 0, 9)
      var messages = try Self.watch(tournament.event.id, tournament.organiser, top: 1)
      let position = try Self.position(try #require(try await messages.next()))
      try await tournament.record(ids[1], 0, 0, 10)
      #expect(try await messages.next()?.removedIDs == [ids[0]])
      try await tournament.record(ids[0], 0, 1, 9)
      #expect(try await messages.next()?.removedIDs == [ids[1]])
      var resumed = try Self.watch(
        tournament.event.id, tournament.organiser, top: 1, after: position)
      let message = try #require(try await resumed.next())
      #expect(message.rows.map(\.participantID) == [ids[0]] && message.removedIDs.isEmpty)
    }
  }
}
