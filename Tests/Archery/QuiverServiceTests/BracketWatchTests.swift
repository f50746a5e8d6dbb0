import QuiverAPI
import QuiverRPC
import QuiverStore
import Testing

@testable import QuiverService

@Suite("Watches of brackets", .timeLimit(.minutes(5)))
struct BracketWatchTests {
  @Test("A deleted account's matches are sent with its neutral name, other archers' are not")
  func erased() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.format = .library("wa18", arrows: 3) }
      var archers: [Int64] = []
      var participants: [Int64] = []
      for name in ["Robin", "John", "Will"] {
        let principal = try server.principal(named: name).id
        archers.append(principal)
        let client = try server.client(of: principal, [.read, .write])
        participants.append(try await event.tournament.join(client).id)
      }
      try await event.tournament.start()
      for (participant, value) in zip(participants, [UInt32(10), 9, 8]) {
        for arrow in 0..<UInt32(3) {
          _ = try await event.tournament.record(participant, 0, arrow, value)
        }
      }
      var cut = CutCategoryRequest()
      cut.tournamentID = event.id
      cut.categoryID = try await event.list()[0].categoryID
      (cut.size, cut.system) = (2, .individualSets)
      let bracket = try await event.organiser.call(Elimination.cutCategory, cut)
      let watch = BracketWatch(
        stage: try #require(bracket.stage).id, event: event.id,
        viewer: StageViewer(principal: nil, spectated: event.id))
      func delete(_ name: String, _ principal: Int64) throws -> WatchBracketResponse? {
        let before = try server.lastSequence()
        try server.store.perform(
          DeleteAccount(confirmation: name),
          CommandOptions(caller: CommandCaller(principal: principal)))
        return try server.store.read { (snapshot) throws(StoreError) in
          let entries = try snapshot.journal(after: before, limit: 1_000).filter(watch.concerns)
          return entries.isEmpty ? nil : try watch.changes(entries, snapshot)
        }
      }
      #expect(try delete("Will", archers[2]) == nil)
      let sent = try #require(try delete("Robin", archers[0])?.bracket)
      #expect(sent.ranks.map(\.displayName) == ["Archer \(archers[0])", "John"])
      #expect(sent.matches.map(\.id) == bracket.matches.map(\.id))
    }
  }

  @Test("The watch of an event sends the neutral name of a deleted account's participant")
  func erasedParticipant() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let robin = try server.principal(named: "Robin").id
      let own = try await event.tournament.join(try server.client(of: robin, [.read, .write]))
      let watch = TournamentWatch(event: event.id, principal: nil)
      let before = try server.lastSequence()
      try server.store.perform(
        DeleteAccount(confirmation: "Robin"),
        CommandOptions(caller: CommandCaller(principal: robin)))
      let sent = try server.store.read { (snapshot) throws(StoreError) in
        let entries = try snapshot.journal(after: before, limit: 1_000).filter(watch.concerns)
        return entries.isEmpty ? nil : try watch.changes(entries, snapshot)
      }
      #expect(sent?.participants.map(\.id) == [own.id])
      #expect(sent?.participants.map(\.displayName) == ["Archer \(robin)"])
    }
  }
}
