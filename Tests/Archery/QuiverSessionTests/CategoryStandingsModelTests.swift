import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("Ties of a category on a device", .timeLimit(.minutes(5)))
struct CategoryStandingsModelTests {
  @Test("Ties are shown with who has to decide them, decided once, and shown as they were decided")
  func ties() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [9, 10, 9, 8, 9, 8])
      let transport = try test.transport()
      let session = try await test.session(transport)
      let standings = CategoryStandingsModel(
        session, event: test.event, part: .init(category: test.category))
      try await standings.load()
      let (nines, eights) = ([0, 2, 4].map { test.archers[$0] }, [3, 5].map { test.archers[$0] })
      #expect(standings.ties.map(\.rank) == [2, 5] && standings.shootingCount == 0)
      #expect(standings.ties.map { Set($0.participants) } == [Set(nines), Set(eights)])
      #expect(standings.ties.allSatisfy { $0.decision == .unspecified && $0.decidedAt == nil })
      let open = (1...6).map { size in standings.ties.map { $0.isOpen(acrossCutTo: size) } }
      #expect(
        open == [
          [false, false], [true, false], [true, false], [false, false], [false, true],
          [false, false],
        ])

      // All who share the rank are named.
      #expect(
        await fails(saying: "name all of them") {
          try await standings.decide(Array(nines.dropLast()), by: .shootOff)
        })
      #expect(standings.changeError?.operation == "decide a tie")
      let order = [nines[2], nines[0], nines[1]]
      try await repeatAfterLostReply(over: transport, "DecideTie") {
        try await standings.decide(order, by: .shootOff)
      }
      #expect(standings.changeError == nil && standings.rows.count == 6)
      #expect(standings.rows.dropFirst().prefix(3).compactMap(\.row?.participantID) == order)
      let decided = try #require(standings.ties.first)
      #expect(decided.participants == order && decided.decision == .shootOff && decided.rank == 2)
      #expect(!decided.decidedBy.isEmpty && decided.decidedAt != nil)
      #expect(!decided.isOpen(acrossCutTo: 2) && standings.ties.count == 2)

      // The ties are those of the category, also where fewer archers are shown.
      try await standings.choose(.init())
      #expect(standings.ties.isEmpty && standings.rows.count == 6)
      #expect(
        await fails(saying: "whole category") { try await standings.decide(eights, by: .coinToss) })
      try await standings.choose(.init(category: test.category))
      transport.disconnect()
      #expect(await failure { try await standings.decide(eights, by: .coinToss) } != nil)
      #expect(standings.changeError?.code == .call(.unavailable))
      #expect(standings.ties.last?.decision == .unspecified)
      transport.reconnect()
      try await standings.decide(eights, by: .coinToss)
      #expect(standings.ties.last?.decision == .coinToss)
      await session.close()
    }
  }
}
