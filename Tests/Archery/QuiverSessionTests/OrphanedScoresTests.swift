import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
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
      // The restored database does not have these, which are sent again.
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
        Set(found) == [["1 Robin 35 0", "2 Ann 13 0", "3 Ben 0 0"], ["1 Robin 12 0"]])
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

/// A tournament of which "9 9" is in the kept files, and what its server has acknowledged since.
@MainActor
private struct SetBackEvent {
  let server: SessionServer
  let token: String
  let event: TournamentEvent
  let session: OfflineSession
  let scoring: ScoringModel
  let old: StoreIdentity

  static let first = ArrowSlot(endIndex: 0, arrowIndex: 0)

  static func run(
    limits: SessionLimits = SessionLimits(), _ body: (SetBackEvent) async throws -> Void
  ) async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let event = try await server.tournament(token)
      try await server.start(event, by: token)
      let session = try await server.session(token) { $0.limits = limits }
      await session.syncNow()
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      try await scoring.enter("9 9")
      #expect(await session.syncNow().error == nil)
      try await server.keepFiles()
      try await body(
        SetBackEvent(
          server: server, token: token, event: event, session: session, scoring: scoring,
          old: try #require(session.identity)))
      await session.close()
    }
  }

  /// Enters arrows that the server acknowledges.
  func enter(_ sheet: String) async throws {
    try await scoring.enter(sheet)
    #expect(await session.syncNow().error == nil)
  }

  /// Corrects the first arrow, which the server acknowledges.
  func correct(_ value: Int) async throws {
    try await scoring.correct(
      ArrowScore(value: value), at: Self.first, of: scoring.participants[0].id, reason: "misread")
    #expect(await session.syncNow().error == nil)
  }

  func standings() async throws -> [String] { try await server.standings(event, by: token) }
}

@MainActor
@Suite("Scores that a server had acknowledged before a restore", .timeLimit(.minutes(5)))
struct AcknowledgedScoresTests {
  @Test("Arrows that a restored database lacks are sent to it by themselves, once for each restore")
  func sentAgain() async throws {
    try await SetBackEvent.run { event in
      try await event.enter("8 7 6")
      try await event.correct(10)
      try await event.correct(5)
      let standings = try await event.standings()
      #expect(standings == ["1 Robin 35 0"])
      for restore in 1...2 {
        let former = try #require(event.session.identity)
        try await event.server.restoreFiles(epochs: restore)
        #expect(try await event.standings() == ["1 Robin 18 0"])
        #expect(await event.session.syncNow().error == nil)
        #expect(event.session.identity != former)
        #expect(try await event.standings() == standings)
        #expect(try await event.session.outbox().isEmpty)
        #expect(try await event.session.orphanedChanges().isEmpty)
        #expect(await !event.session.directory.hasStore(former))
      }
      let card = try await event.server.card(
        try #require(await event.participant()), by: event.token)
      #expect(card.arrows.count == 5 && card.history.count == 7)
    }
  }

  @Test("What waited goes on from what was acknowledged")
  func waiting() async throws {
    try await SetBackEvent.run { event in
      try await event.correct(10)
      try await event.enter("8")
      await event.server.stop()
      try await event.scoring.correct(
        ArrowScore(value: 4), at: SetBackEvent.first, of: event.scoring.participants[0].id,
        reason: "misread again")
      try await event.server.restoreFiles()
      #expect(await event.session.syncNow().error == nil)
      #expect(try await event.standings() == ["1 Robin 27 0"])
      #expect(try await event.session.orphanedChanges().first?.entries.map(\.change) == [.score])
      #expect(try await event.session.sendOrphanedChanges(event.old) == 0)
      #expect(await event.session.syncNow().error == nil)
      #expect(try await event.session.outbox().isEmpty)
      #expect(try await event.standings() == ["1 Robin 21 0"])
    }
  }

  @Test("An arrow that somebody has entered at the restored database stays, and a person decides")
  func conflict() async throws {
    try await SetBackEvent.run { event in
      try await event.enter("8")
      try await event.server.restoreFiles()
      let other = try await event.server.session(event.token, on: "tablet")
      await other.syncNow()
      let entering = ScoringModel(other, event: try await other.loadTournament(event.event.id))
      await entering.refresh()
      try await entering.enter("3")
      #expect(await other.syncNow().error == nil)
      await other.close()
      #expect(await event.session.syncNow().conflictCount == 1)
      #expect(try await event.standings() == ["1 Robin 21 0"])
      #expect(try await event.session.outbox().map(\.mark) == [.conflict])
    }
  }

  @Test("Acknowledged arrows are forgotten after their time")
  func expired() async throws {
    var limits = SessionLimits()
    limits.acknowledgedTime = .seconds(-1)
    try await SetBackEvent.run(limits: limits) { event in
      try await event.enter("8")
      try await event.server.restoreFiles()
      #expect(await event.session.syncNow().error == nil)
      #expect(try await event.standings() == ["1 Robin 18 0"])
      #expect(try await event.session.orphanedChanges().isEmpty)
    }
  }

  @Test("No more arrows are kept than the limit allows, the latest ones")
  func limited() async throws {
    var limits = SessionLimits()
    limits.maxAcknowledgedRows = 1
    try await SetBackEvent.run(limits: limits) { event in
      try await event.enter("8")
      try await event.enter("7")
      try await event.server.restoreFiles()
      #expect(await event.session.syncNow().error == nil)
      #expect(try await event.standings() == ["1 Robin 25 0"])
    }
  }

  @Test("Acknowledged arrows of an event that the restored database lacks are shown")
  func lost() async throws {
    try await SetBackEvent.run { event in
      let lost = try await event.server.tournament(event.token) { $0.name = "Lost" }
      try await event.server.start(lost, by: event.token)
      let scoring = ScoringModel(
        event.session, event: try await event.session.loadTournament(lost.id))
      await scoring.refresh()
      try await scoring.enter("8")
      #expect(await event.session.syncNow().error == nil)
      try await event.server.restoreFiles()
      #expect(await event.session.syncNow().error == nil)
      let left = try await event.session.orphanedChanges()
      #expect(left.first?.identity == event.old)
      #expect(left.first?.entries.map(\.title) == ["Robin, end 1, arrow 1: 8"])
      #expect(try await event.session.sendOrphanedChanges(event.old) == 1)
      try await event.session.discardOrphanedChanges(event.old)
      #expect(try await event.session.orphanedChanges().isEmpty)
    }
  }
}

extension SetBackEvent {
  /// The server's id of the only archer.
  func participant() async -> Int64? {
    var request = ListParticipantsRequest()
    request.tournamentID = event.id
    return try? await server.client(token).call(Tournament.listParticipants, request)
      .participants.first?.id
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

  /// Restores the copy as a new database, the `epochs`th behind the copy.
  fileprivate func restoreFiles(epochs: Int = 1) async throws {
    await stop()
    try FileManager.default.removeItem(atPath: files)
    try FileManager.default.copyItem(atPath: keptFiles, toPath: files)
    for _ in 0..<epochs { try changeEpoch() }
    try await start()
  }
}
