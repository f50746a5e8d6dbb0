import Foundation
import QuiverAPI
import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverSession

@MainActor
@Suite("Scores that were left behind after a restore", .timeLimit(.minutes(5)))
struct OrphanedScoresTests {
  @Test("Scores, guests and new rounds for another database are sent to the restored one")
  func rounds() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let old = try #require(session.identity)
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 9, guests: ["Ann"])
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      try await scoring.enter("9 9 9")
      #expect(await session.syncNow().error == nil)
      try await server.keepFiles()
      // The restored database does not have these.
      try await scoring.enter("8 8 8")
      #expect(await session.syncNow().error == nil)

      transport.disconnect()
      try await scoring.enter("7")
      let (robin, ann) = (scoring.participants[0].id, scoring.participants[1].id)
      let first = ArrowSlot(endIndex: 0, arrowIndex: 0)
      try await scoring.correct(ArrowScore(value: 10), at: first, of: robin, reason: "misread")
      try await scoring.correct(ArrowScore(value: 5), at: first, of: ann, reason: "misread")
      try await scoring.retract(
        at: ArrowSlot(endIndex: 0, arrowIndex: 1), of: ann, reason: "not shot")
      try await scoring.addGuest("Ben")
      let other = try await session.startRounds(codename: "wa18", arrowLimit: 6)
      let later = ScoringModel(session, event: other)
      await later.refresh()
      try await later.enter("6 6")

      try await server.restoreFiles()
      transport.reconnect()
      #expect(await session.syncNow().error == nil)
      #expect(session.identity != old)
      #expect(try await session.orphanedChanges().first?.entries.count == 8)
      #expect(try await session.sendOrphanedChanges(old) == 0)
      #expect(try await session.orphanedChanges().isEmpty)
      #expect(await session.syncNow().error == nil)
      #expect(try await session.outbox().isEmpty)

      var found: [[String]] = []
      for known in try await session.scoringEvents() {
        let shown = ScoringModel(session, event: known.id)
        try await shown.load()
        found.append(shown.rows)
        #expect(shown.waitingCount == 0 && shown.needsAttention.isEmpty)
      }
      #expect(
        Set(found) == [["1 Robin 35 0", "2 Ann 5 0", "3 Ben 0 0"], ["1 Robin 12 0"]])
      await session.close()
    }
  }

  @Test("Scores of a tournament that the restored database does not have stay orphaned")
  func tournament() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let kept = try await server.tournament(token)
      try await server.start(kept, by: token)
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let old = try #require(session.identity)
      try await server.keepFiles()
      let lost = try await server.tournament(token) { $0.name = "Lost" }
      try await server.start(lost, by: token)
      let events = [
        (try await session.loadTournament(kept.id), "9 9"),
        (try await session.loadTournament(lost.id), "8"),
      ]
      transport.disconnect()
      for (event, arrows) in events {
        let scoring = ScoringModel(session, event: event)
        await scoring.refresh()
        try await scoring.enter(arrows)
      }
      try await server.restoreFiles()
      transport.reconnect()
      // Another event gets the number of the lost one.
      let another = try await server.tournament(token) { $0.name = "Another" }
      #expect(another.id == lost.id)
      try await server.start(another, by: token)
      #expect(await session.syncNow().error == nil)
      #expect(try await session.sendOrphanedChanges(old) == 1)
      #expect(await session.syncNow().error == nil)
      #expect(try await session.orphanedChanges().first?.entries.map(\.change) == [.score])
      #expect(try await server.standings(kept, by: token) == ["1 Robin 18 0"])
      #expect(try await server.standings(another, by: token) == ["1 Robin 0 0"])
      await session.close()
    }
  }
}

extension OrphanedScoresTests {
  @Test("Rounds whose start cannot be read stay orphaned with their arrows")
  func unreadable() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let old = try #require(session.identity)
      try await server.keepFiles()
      transport.disconnect()
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 6)
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      try await scoring.enter("9 9")
      try await server.restoreFiles()
      transport.reconnect()
      #expect(await session.syncNow().error == nil)
      let former = try Connection(path: session.directory.storePath(old), mode: .readWrite)
      try former.execute(
        "UPDATE outbox SET request = x'FF' WHERE action = \(OutboxAction.startRounds.rawValue)")
      former.close()
      #expect(try await session.sendOrphanedChanges(old) == 3)
      #expect(try await session.outbox().isEmpty)
      #expect(try await session.orphanedChanges().first?.identity == old)
      await session.close()
    }
  }
}

extension SessionServer {
  private var keptFiles: String { files + "-kept" }

  /// Keeps a copy of the server's files as they are now.
  fileprivate func keepFiles() async throws {
    await stop()
    try FileManager.default.copyItem(atPath: files, toPath: keptFiles)
    try await start()
  }

  /// Restores the copy as a new database.
  fileprivate func restoreFiles() async throws {
    await stop()
    try FileManager.default.removeItem(atPath: files)
    try FileManager.default.copyItem(atPath: keptFiles, toPath: files)
    try changeEpoch()
    try await start()
  }
}
