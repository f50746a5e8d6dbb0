import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Where watches begin and resume", .timeLimit(.minutes(5)))
struct WatchHistoryTests {
  @Test("A change between two parts of a snapshot follows the snapshot")
  func changeBetweenParts() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      // Five parts. The window holds one: before the reader takes the second, the third cannot be
      // sent, so that the fourth is not made.
      let text = String(repeating: "m", count: 60)
      let items = try await withThrowingTaskGroup { group in
        for number in 0..<2_001 {
          group.addTask {
            try await client.call(
              Equipment.risers.create,
              .with {
                $0.item = .with {
                  $0.brand = text
                  $0.model = text + "\(number)"
                }
              })
          }
        }
        return try await group.reduce(into: [Riser]()) { $0.append($1) }
      }
      var replies = try client.client.stream(
        Equipment.watchItems, WatchItemsRequest(), options: CallOptions(timeout: .seconds(60))
      ).makeAsyncIterator()
      let first = try #require(try await replies.next())
      let start = try #require(first.span?.upto)
      let shown = try #require(first.changed.first?.id)
      let riser = try #require(items.first { $0.id == shown })
      let archived = try await client.call(
        Equipment.risers.archive,
        .with {
          $0.id = riser.id
          $0.revision = riser.revision
        })
      let created = try await client.call(Equipment.risers.create, .of(.hoyt))
      var seen = Set(first.changed.map(\.id))
      var parts = 1
      var message = first
      while message.span?.isIncomplete == true {
        message = try #require(try await replies.next())
        #expect(message.span?.isSnapshot == true && message.span?.upto == start)
        seen.formUnion(message.changed.map(\.id))
        parts += 1
      }
      #expect(parts >= 4 && seen.isSuperset(of: items.map(\.id)))
      var changed: Set<Int64> = []
      var removed: Set<Int64> = []
      var upto = start
      while try upto < server.lastSequence() {
        let change = try #require(try await replies.next())
        #expect(change.span?.after == upto && change.span?.isSnapshot == false)
        changed.formUnion(change.changed.map(\.id))
        removed.formUnion(change.removedIDs)
        upto = try #require(change.span?.upto)
      }
      #expect(removed == [archived.id] && changed == [created.id])
    }
  }

  @Test("A watch resumes after the last sequence that was expired, and not one earlier")
  func expiredHistory() async throws {
    let clock = HeldClock()
    var bounds = TestServer.StoreBounds()
    bounds.clock = clock.clock
    try await TestServer.run(opening: bounds) { server in
      let robin = try server.principal(.user, named: "Robin")
      let client = try server.client(of: robin.id, [.read])
      // Calls have deadlines, which end when the clock is moved; these commands have none.
      func create() throws {
        let content = EquipmentContent(type: .riser, values: [.text("Hoyt"), .text("Formula")])
        let caller = CommandOptions(caller: CommandCaller(principal: robin.id))
        for _ in 0..<5 { _ = try server.store.perform(CreateEquipment(content), caller) }
      }
      try create()
      clock.advance(milliseconds: StoreLimits.journalKeepMilliseconds / 2)
      try create()
      clock.advance(milliseconds: StoreLimits.journalKeepMilliseconds / 2 + 1)
      // A writer that is busy expires rows after so many commands.
      let nobody = CommandOptions(caller: CommandCaller(principal: 0))
      for _ in 0..<2 * StoreLimits.commandsPerExpiry {
        #expect(throws: StoreError.self) {
          try server.store.perform(RevokeToken(id: 999_999), nobody)
        }
      }
      let firstSequence = try server.store.read { (snapshot) throws(StoreError) in
        try snapshot.firstSequence()
      }
      #expect(firstSequence > 2)
      func open(after sequence: Int64) throws -> ReplyStream<WatchItemsResponse>.Iterator {
        let position = WatchPosition(sequence: sequence, storeEpoch: server.store.epoch)
        return try client.client.stream(
          Equipment.watchItems, WatchItemsRequest(),
          options: CallOptions(timeout: .seconds(30), after: position)
        ).makeAsyncIterator()
      }
      var late = try open(after: firstSequence - 2)
      let error = await #expect(throws: RPCError.self) { _ = try await late.next() }
      #expect(error?.code == .outOfRange)
      var border = try open(after: firstSequence - 1)
      let message = try await border.next()
      #expect(message?.changed.count == 5 && message?.span?.after == firstSequence - 1)
    }
  }

  @Test("A leaderboard resumes at the commit from which it is known, and not one earlier")
  func leaderboardHistory() async throws {
    var options = ServerAssembly.Options()
    options.leaderboardIntervalMilliseconds = 1
    try await TestServer.run(options) { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["A", "B"]).map(\.id)
      try await tournament.start()
      func open(
        after position: WatchPosition?
      ) throws -> ReplyStream<WatchLeaderboardResponse>.Iterator {
        try tournament.organiser.client.stream(
          Tournament.watchLeaderboard, .with { $0.tournamentID = tournament.event.id },
          options: CallOptions(timeout: .seconds(30), after: position)
        ).makeAsyncIterator()
      }
      var first = try open(after: nil)
      let span = try #require(try await first.next()?.span)
      var late = try open(
        after: WatchPosition(sequence: span.upto - 1, storeEpoch: span.storeEpoch))
      let error = await #expect(throws: RPCError.self) { _ = try await late.next() }
      #expect(error?.code == .outOfRange)
      var border = try open(
        after: WatchPosition(sequence: span.upto, storeEpoch: span.storeEpoch))
      try await tournament.record(ids[1], 0, 0, 9)
      let message = try #require(try await border.next())
      #expect(message.span?.after == span.upto && message.rows.map(\.participantID) == [ids[1]])
    }
  }
}
