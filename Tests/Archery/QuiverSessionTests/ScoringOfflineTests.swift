import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverWire
import TestSupport
import Testing

@testable import QuiverSession

@MainActor
@Suite("Scoring without a connection", .timeLimit(.minutes(5)))
struct ScoringOfflineTests {
  @Test("Entries and guests that the server does not have are added with their arrows")
  func entries() async throws {
    try await SessionServer.run { server in
      let sheriff = try server.token()
      let event = try await server.tournament(sheriff)
      try await server.start(event, by: sheriff)
      let transport = FaultyTransport(try server.client(sheriff))
      let session = try await server.session(sheriff, transport: transport)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      transport.disconnect()
      #expect(await failure { try await scoring.addEntries(["Ann", "Ben"]) } == nil)
      #expect(await failure { try await scoring.addGuest("Cid") } == nil)
      #expect(await failure { try await scoring.enter("9 9 9 8 8 8 7 7 7 6 6 6") } == nil)
      #expect(scoring.place == "Robin 2.1")
      #expect(scoring.waitingCount == 14)
      #expect(scoring.participants.dropFirst().allSatisfy { $0.mark == .waiting })
      try await scoring.load()
      #expect(scoring.state.staleSince != nil && scoring.state.errorText == nil)
      #expect(scoring.rows.count == 4)
      transport.reconnect()
      try await scoring.load()
      #expect(
        scoring.state.staleSince == nil && scoring.waitingCount == 0
          && scoring.needsAttention.isEmpty)
      let rows = ["1 Robin 27 0", "2 Ann 24 0", "3 Ben 21 0", "4 Cid 18 0"]
      #expect(scoring.rows == rows)
      #expect(try await server.standings(event, by: sheriff) == rows)
      await session.close()
    }
  }

  @Test("Entries that the server refuses are shown, and block their arrows")
  func refusedEntries() async throws {
    try await SessionServer.run { server in
      let sheriff = try server.token()
      let event = try await server.tournament(sheriff) { $0.maxParticipants = 2 }
      try await server.start(event, by: sheriff)
      let session = try await server.session(sheriff)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      #expect(await failure { try await scoring.addEntries(["Ann", "Ben"]) } == nil)
      #expect(await failure { try await scoring.enter("9 9 9 8 8 8") } == nil)
      try await scoring.load()
      #expect(scoring.needsAttention.map(\.change) == [.addEntries] && scoring.waitingCount == 3)
      #expect(
        scoring.needsAttention[0].title == "2 entries"
          && scoring.needsAttention[0].verdict.contains("full"))
      #expect(try await server.standings(event, by: sheriff) == ["1 Robin 27 0"])
      #expect(await failure { try await scoring.discard(scoring.needsAttention[0].id) } == nil)
      #expect(scoring.waitingCount == 0 && scoring.participants.count == 1)
      await session.close()
    }
  }

  @Test("An operation with a lost reply, or from a copied device, has one effect")
  func lostAnswers() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 9, guests: ["Ann"])
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      #expect(await failure { try await scoring.enter("9 9 9") } == nil)
      transport.loseAnswers(1)
      #expect(await session.syncNow().error?.isTransient == true)
      #expect(await failure { try await scoring.enter("8 8 8") } == nil)
      #expect(await failure { try await scoring.undo() } == nil)
      #expect(await failure { try await scoring.enter("7") } == nil)
      // What the disk holds at this moment is what a killed process leaves.
      try server.copyDevice("phone", to: "after-crash")
      transport.loseAnswers(2)
      await session.syncNow()
      await session.syncNow()
      let second = try await server.session(token, on: "after-crash")
      let again = ScoringModel(second, event: event)
      await again.refresh()
      #expect(again.place == scoring.place && again.rows == scoring.rows)
      #expect(await failure { try await again.undo() } == nil)
      #expect(await failure { try await again.enter("6") } == nil)
      try await again.load()
      try await scoring.load()
      #expect(again.needsAttention.count + scoring.needsAttention.count == 1)
      let ann = again.participants[1].serverID
      let card = try await server.card(ann, by: token)
      #expect(card.history.count == 3 && card.arrows.count == 3)
      #expect(try await server.card(again.participants[0].serverID, by: token).history.count == 3)
      await second.close()
      await session.close()
    }
  }

  @Test("Each acknowledged arrow is kept, wherever the session is killed")
  func everyPoint() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 6, guests: ["Ann"])
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      for index in 0..<8 {
        #expect(await failure { try await scoring.enter(ArrowScore(value: index + 1)) } == nil)
        if index == 5 { try await scoring.load() }
        if index == 6 {
          #expect(await failure { try await scoring.undo() } == nil)
          #expect(await failure { try await scoring.enter(ArrowScore(value: 7)) } == nil)
        }
        try server.copyDevice("phone", to: "copy-\(index)")
        let copy = try await server.session(token, on: "copy-\(index)")
        let copied = ScoringModel(copy, event: event)
        await copied.refresh()
        #expect(copied.position == scoring.position && copied.rows == scoring.rows)
        #expect(copied.waitingCount == scoring.waitingCount)
        await copy.close()
      }
      await session.close()
    }
  }

  @Test("Entries above the limits are refused and not stored")
  func limits() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token) { configuration in
        configuration.limits.maxOutboxRows = 4
        configuration.limits.maxEvents = 2
        configuration.limits.maxUndoSteps = 2
      }
      await session.syncNow()
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 9)
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      #expect(await failure { try await scoring.enter("9 9 9") } == nil)
      #expect(await fails(saying: "4 changes wait") { try await scoring.enter("9") })
      #expect(scoring.place == "Robin 2.1" && scoring.waitingCount == 4)
      #expect(await failure { try await scoring.undo() } == nil)
      #expect(await failure { try await scoring.undo() } == nil)
      #expect(await failure { try await scoring.undo() } != nil)
      try await scoring.load()
      for _ in 0..<3 {
        try await session.startRounds(codename: "wa18")
        await session.syncNow()
      }
      #expect(try await session.scoringEvents().count == 2)
      let known = try? await session.startRounds(codename: "nowhere")
      #expect(known == nil)
      await scoring.refresh()
      #expect(scoring.participants.isEmpty && scoring.leaderboard.isEmpty)
      #expect(scoring.state.errorText?.hasPrefix("Failed to load scores: ") == true)
      await session.close()
    }
  }

  @Test("After a failure there is the error and no content, and the last state once it is cleared")
  func errors() async throws {
    try await SessionServer.run { server in
      let (sheriff, robin) = (try server.token(), try server.token())
      let event = try await server.tournament(sheriff)
      try await server.join(event, by: robin)
      let transport = FaultyTransport(try server.client(robin))
      let session = try await server.session(robin, transport: transport)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      transport.fail(with: RPCError(.permissionDenied, "not for you", origin: .server))
      #expect(await failure { try await scoring.load() } != nil)
      #expect(
        scoring.state.errorText == "Failed to load scores: not for you" && !scoring.state.isLoading)
      #expect(scoring.participants.isEmpty && scoring.leaderboard.isEmpty)
      #expect(scoring.position == nil)
      #expect(await failure { try await scoring.enter("9") } != nil)
      await scoring.clearError()
      #expect(scoring.state.errorText == nil && scoring.participants.count == 1)
      #expect(scoring.leaderboard.count == 2)
      await session.close()
    }
  }

  @Test(
    "The server ends with this device's arrows after random entries, undos and lost replies",
    arguments: TestSeed.seeds(1))
  func random(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 12, guests: ["Ann"])
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      let ids = scoring.participants.map(\.id)
      // The states that undoing restores, the last one at the end.
      var steps: [(who: LocalID, slot: ArrowSlot, score: ArrowScore?)] = []
      for _ in 0..<150 {
        let slot = ArrowSlot(
          endIndex: .random(in: 0..<4, using: &random),
          arrowIndex: .random(in: 0..<3, using: &random))
        let score = ArrowScore(value: .random(in: 0...10, using: &random))
        let who = ids[.random(in: 0..<2, using: &random)]
        let before = scoring.card(who)?.arrows[slot]?.score
        switch Int.random(in: 0..<12, using: &random) {
        case 0...3: try? await scoring.enter(score, at: slot, of: who)
        case 4, 5: try? await scoring.correct(score, at: slot, of: who, reason: "seen again")
        case 6: try? await scoring.retract(at: slot, of: who, reason: "not shot")
        case 7, 8:
          let isUndone = await failure { try await scoring.undo() } == nil
          #expect(isUndone == !steps.isEmpty)
          guard let step = steps.popLast() else { continue }
          #expect(scoring.card(step.who)?.arrows[step.slot]?.score == step.score)
          continue
        case 9: transport.loseAnswers(1)
        case 10: transport.setConnected(.random(using: &random))
        default: await session.syncNow()
        }
        if scoring.card(who)?.arrows[slot]?.score != before { steps.append((who, slot, before)) }
      }
      transport.loseAnswers(0)
      transport.reconnect()
      try await scoring.load()
      #expect(scoring.needsAttention.isEmpty && scoring.waitingCount == 0, "seed \(seed)")
      for participant in scoring.participants {
        let card = try await server.card(participant.serverID, by: token)
        let shown = try #require(scoring.card(participant.id))
        let here = shown.arrows.values.filter { $0.score != nil }.sorted { $0.slot < $1.slot }
        let sheet = here.compactMap { $0.score?.description }.joined(separator: " ")
        #expect(card.sheet == sheet, "seed \(seed)")
        #expect(card.round?.score?.total == UInt32(participant.tally.total), "seed \(seed)")
      }
      await session.close()
    }
  }
}
