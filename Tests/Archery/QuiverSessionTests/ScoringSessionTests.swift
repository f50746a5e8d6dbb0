import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("A scorer's session", .timeLimit(.minutes(5)))
struct ScoringSessionTests {
  @Test("A session begins, accepts guests and adds up without a server, and sends everything later")
  func alone() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      transport.disconnect()
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 6, guests: ["Ann"])
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      #expect(scoring.title == "WA 18" || !scoring.title.isEmpty)
      #expect(scoring.participants.map(\.name) == ["Robin", "Ann"])
      #expect(scoring.position?.text == "End 1 of 2, arrow 1 of 3")
      #expect(scoring.buttons.map(\.description).joined(separator: " ") == Self.buttons)
      #expect(await failure { try await scoring.enter("X 10 9") } == nil)
      #expect(scoring.place == "Ann 1.1")
      #expect(await failure { try await scoring.enter("9 9") } == nil)
      #expect(scoring.place == "Ann 1.3")
      #expect(await failure { try await scoring.enter("M") } == nil)
      #expect(scoring.place == "Robin 2.1")
      #expect(scoring.rows == ["1 Robin 29 1", "2 Ann 18 0"])
      #expect(scoring.leaderboard.map(\.difference) == [0, 11])
      #expect(await failure { try await scoring.addGuest("Ben") } == nil)
      #expect(scoring.place == "Robin 2.1")
      #expect(await failure { try await scoring.enter("8") } == nil)
      #expect(scoring.place == "Robin 2.2")
      try await scoring.load()
      #expect(
        scoring.state.errorText == nil && scoring.waitingCount == 9 && !scoring.state.isLoading)
      transport.reconnect()
      try await scoring.load()
      #expect(
        scoring.waitingCount == 0 && scoring.needsAttention.isEmpty
          && scoring.state.staleSince == nil)
      #expect(scoring.rows == ["1 Robin 37 1", "2 Ann 18 0", "3 Ben 0 0"])
      let participants = scoring.participants
      #expect(participants.allSatisfy { $0.serverID > 0 && $0.mark == .synced })
      #expect(try await server.card(participants[0].serverID, by: token).sheet == "X 10 9 8")
      #expect(try await server.card(participants[1].serverID, by: token).sheet == "9 9 M")
      #expect(await failure { try await scoring.enter("8 8") } == nil)
      #expect(scoring.place == "Ben 1.1")
      #expect(await failure { try await scoring.enter("1 1 1") } == nil)
      #expect(scoring.place == "Ann 2.1")
      #expect(await failure { try await scoring.enter("7 7 7 2 2 2") } == nil)
      #expect(scoring.place == nil)
      #expect(scoring.isRoundComplete && scoring.buttons.isEmpty)
      #expect(await fails(saying: "all arrows") { try await scoring.enter("9") })
      try await scoring.load()
      #expect(scoring.participants.allSatisfy(\.isComplete) && scoring.isRoundComplete)
      await session.close()
    }
  }

  private static let buttons = "X 10 9 8 7 6 5 4 3 2 1 M"

  @Test("Undoing deletes unsent entries, and sends an operation for sent ones")
  func undo() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 6)
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      #expect(await fails(saying: "Failed to undo: ") { try await scoring.undo() })
      #expect(await failure { try await scoring.enter("9 8") } == nil)
      #expect(await failure { try await scoring.undo() } == nil)
      #expect(scoring.place == "Robin 1.2")
      #expect(scoring.state.errorText == nil && scoring.waitingCount == 2)
      #expect(await failure { try await scoring.enter("7 6") } == nil)
      #expect(scoring.place == "Robin 2.1")
      try await scoring.load()
      #expect(await failure { try await scoring.undo() } == nil)
      #expect(scoring.place == "Robin 1.3" && scoring.waitingCount == 1)
      #expect(scoring.participants[0].tally.total == 16)
      #expect(await failure { try await scoring.enter("5") } == nil)
      #expect(scoring.place == "Robin 2.1")
      try await scoring.load()
      let id = scoring.participants[0].serverID
      var card = try await server.card(id, by: token)
      #expect(card.sheet == "9 7 5")
      let kinds = card.history.compactMap { $0.operation?.kind }
      #expect(kinds == [.record, .record, .record, .retract, .correct])
      // A correction is undone to what stood before it.
      let slot = ArrowSlot(endIndex: 0, arrowIndex: 0)
      let own = scoring.participants[0].id
      #expect(
        await failure {
          try await scoring.correct(ArrowScore(value: 10), at: slot, of: own, reason: "line cutter")
        } == nil)
      try await scoring.load()
      #expect(scoring.participants[0].tally.total == 22)
      #expect(await failure { try await scoring.undo() } == nil)
      try await scoring.load()
      card = try await server.card(id, by: token)
      #expect(card.sheet == "9 7 5" && scoring.needsAttention.isEmpty)
      #expect(await failure { try await scoring.undo() } == nil)
      #expect(await failure { try await scoring.undo() } == nil)
      #expect(await failure { try await scoring.undo() } == nil)
      try await scoring.load()
      #expect(try await server.card(id, by: token).arrows.isEmpty && scoring.needsAttention.isEmpty)
      #expect(await failure { try await scoring.undo() } != nil)
      await session.close()
    }
  }

  @Test("Arrows are scored by position, and a line cutter has the higher value")
  func target() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 6)
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      scoring.inputMode = .target
      #expect(scoring.canUseTarget)
      // 40 cm face, arrows of 9.3 mm: half of that is 0.02325 radii.
      #expect(await failure { try await scoring.enter(x: 0, y: 0) } == nil)
      #expect(await failure { try await scoring.enter(x: 0.1 + 0.0232, y: 0) } == nil)
      #expect(await failure { try await scoring.enter(x: 0, y: -(0.1 + 0.0233)) } == nil)
      #expect(await failure { try await scoring.enter(x: 2, y: 2) } == nil)
      try await scoring.load()
      let card = try await server.card(scoring.participants[0].serverID, by: token)
      #expect(card.sheet == "X 10 9 M" && card.arrows.allSatisfy { !$0.flagged })
      #expect(card.arrows.map(\.input) == [.target, .target, .target, .target])
      #expect(card.arrows[2].y == -(0.1 + 0.0233))
      #expect(scoring.card(scoring.participants[0].id)?.ends.map(\.runningTotal) == [29, 29])
      await session.close()
    }
  }

  @Test("The scorer can switch only to participants that this user may score")
  func switching() async throws {
    try await SessionServer.run { server in
      let (sheriff, robin) = (try server.token(), try server.token())
      let event = try await server.tournament(sheriff)
      try await server.join(event, by: robin)
      let session = try await server.session(robin)
      let scoring = ScoringModel(session, event: try await session.loadTournament(event.id))
      await scoring.refresh()
      #expect(scoring.participants.count == 1 && scoring.leaderboard.count == 2)
      #expect(await failure { try await scoring.addGuest("Ann") } == nil)
      #expect(await failure { try await scoring.switchTo(scoring.participants[1].id) } == nil)
      #expect(scoring.place == "Ann 1.1")
      let other = try #require(scoring.leaderboard.first { !$0.isScoredHere })
      #expect(
        await fails(saying: "is scored by somebody else") { try await scoring.switchTo(other.id) })
      #expect(scoring.place == "Ann 1.1")
      let slot = ArrowSlot(endIndex: 0, arrowIndex: 0)
      #expect(
        await failure { try await scoring.enter(ArrowScore(value: 9), at: slot, of: other.id) }
          != nil)
      #expect(await failure { try await scoring.switchTo(LocalID(rawValue: 999)) } != nil)
      await scoring.clearError()
      #expect(scoring.state.errorText == nil)
      #expect(await failure { try await scoring.goTo(end: 2) } == nil)
      #expect(scoring.place == "Ann 3.1")
      #expect(await failure { try await scoring.goTo(end: 3) } != nil)
      #expect(await failure { try await scoring.enter("9 9 9") } == nil)
      #expect(scoring.place == "Robin 1.1")
      await session.close()
    }
  }

  /// What cannot be entered, and a part of what is said.
  nonisolated static let impossible: [(score: ArrowScore, end: Int, arrow: Int, text: String)] = [
    (ArrowScore(value: 11), 0, 0, "value"), (ArrowScore(value: -1), 0, 0, "value"),
    (ArrowScore(value: 9, isX: true), 0, 0, "is_x"), (ArrowScore(value: 9), 2, 0, "end_index"),
    (ArrowScore(value: 9), 0, 3, "arrow_index"), (ArrowScore(value: 9), -1, 0, "end_index"),
  ]

  @Test("Values that are not valid are not stored", arguments: impossible.indices)
  func impossible(_ index: Int) async throws {
    let wrong = Self.impossible[index]
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      let event = try await session.startRounds(codename: "wa18", arrowLimit: 6)
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      let slot = ArrowSlot(endIndex: wrong.end, arrowIndex: wrong.arrow)
      #expect(
        await fails(saying: wrong.text) {
          try await scoring.enter(wrong.score, at: slot, of: scoring.participants[0].id)
        })
      #expect(scoring.waitingCount == 1 && scoring.place == "Robin 1.1")
      await session.close()
    }
  }

  @Test("Rankings follow any policy, and ties share a rank")
  func policies() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      let event = try await session.startRounds(
        codename: "wa18", arrowLimit: 3, guests: ["Ann", "Ben", "Cid"])
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      #expect(await failure { try await scoring.enter("X 9 8 10 10 7 9 9 9 10 9 8") } == nil)
      #expect(scoring.rows == ["1 Robin 27 1", "2 Ann 27 0", "3 Cid 27 0", "4 Ben 27 0"])
      scoring.policy = .waIndoor
      #expect(scoring.leaderboard.map(\.rank) == [1, 2, 2, 4])
      #expect(scoring.leaderboard.map(\.name) == ["Ann", "Robin", "Cid", "Ben"])
      scoring.policy = .scoreOnly
      #expect(scoring.leaderboard.map(\.rank) == [1, 1, 1, 1])
      await session.close()
    }
  }
}
