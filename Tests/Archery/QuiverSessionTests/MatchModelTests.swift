import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("A match on a device", .timeLimit(.minutes(5)))
struct MatchModelTests {
  private static func arrows(_ sheet: String) throws -> [ArrowScore] {
    try sheet.split(separator: " ").map { try #require(ArrowScore(sheet: $0)) }
  }

  private func wait(
    until isShown: () -> Bool, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<6_000 where !isShown() { try await Task.sleep(for: .milliseconds(5)) }
    try #require(isShown(), "nothing moved", sourceLocation: location)
  }

  @Test("Ends entered without a connection survive a restart and are applied once")
  func offline() async throws {
    try await SessionServer.run { server in
      let test = try await TestMatch(server)
      var transport = FaultyTransport(try server.client(test.sheriff))
      var session = try await server.session(test.sheriff, transport: transport)
      var model = MatchModel(session, match: test.id)
      try await model.load()
      #expect(model.step == .end(0) && model.sides.map(\.mayScore) == [true, true])
      transport.disconnect()
      for end in 0..<3 {
        try await model.enter(Self.arrows("X 10 9"), side: 1, end: end)
        try await model.enter(Self.arrows("9 9 M"), side: 2, end: end)
      }
      // The same again changes nothing.
      try await model.enter(Self.arrows("X 10 9"), side: 1, end: 0)
      #expect(model.step == .decided(winner: 1) && model.sides.map(\.setPoints) == [6, 0])
      #expect(model.waitingCount == 6 && model.sides.map(\.total) == [87, 54])
      #expect(try await test.match().state == .scheduled)
      await session.close()

      transport = FaultyTransport(try server.client(test.sheriff))
      transport.loseAnswers(3)
      session = try await server.session(test.sheriff, transport: transport)
      model = MatchModel(session, match: test.id)
      await model.refresh()
      #expect(model.waitingCount == 6 && model.sides[0].entries.allSatisfy(\.isWaiting))
      for _ in 0..<10 where model.waitingCount > 0 { _ = await failure { try await model.load() } }
      try await model.load()
      #expect(model.waitingCount == 0 && model.needsAttention.isEmpty)
      #expect(model.sides.flatMap(\.entries).allSatisfy { !$0.isWaiting })
      let stored = try await test.match()
      // One revision for each end: none was applied twice.
      #expect(stored.revision == 7 && stored.state == .finished && stored.winner == 1)
      #expect(stored.sides.map { $0.entries.count } == [3, 3])
      await session.close()
    }
  }

  @Test("An end that another device entered otherwise conflicts, and is overwritten or discarded")
  func conflicts() async throws {
    try await SessionServer.run { server in
      let test = try await TestMatch(server)
      let tablet = try await server.session(test.sheriff, on: "tablet")
      let phone = try await server.session(test.archers[0])
      let one = MatchModel(tablet, match: test.id)
      let other = MatchModel(phone, match: test.id)
      try await one.load()
      try await other.load()
      try await one.enter(Self.arrows("9 9 9"), side: 1, end: 0)
      try await one.enter(Self.arrows("8 8 8"), side: 1, end: 1)
      try await other.enter(Self.arrows("10 9 9"), side: 1, end: 0)
      try await other.enter(Self.arrows("8 8 8"), side: 1, end: 1)
      try await other.enter(Self.arrows("7 7 7"), side: 1, end: 2)
      try await one.load()
      try await other.load()
      // The equal end is no conflict, and the later ones are sent.
      #expect(other.needsAttention.map(\.mark) == [.conflict] && other.waitingCount == 0)
      let name = other.sides[0].name
      #expect(other.needsAttention.map(\.title) == ["\(name), end 1: 10 9 9"])
      #expect(other.needsAttention[0].kind == "Match")
      #expect(other.sides[0].entries.map { $0.arrows.map(\.value) }.first == [9, 9, 9])
      #expect(other.sides[0].entries.count == 3)
      try await other.overwrite(other.needsAttention[0].id)
      #expect(other.sides[0].entries.first?.arrows.map(\.value) == [10, 9, 9])
      try await other.load()
      #expect(other.needsAttention.isEmpty && other.waitingCount == 0)
      #expect(
        try await test.match().sides[0].entries.map { $0.arrows.map(\.value) }
          == [[10, 9, 9], [8, 8, 8], [7, 7, 7]])

      // A correction of what was corrected meanwhile conflicts too, and can be discarded.
      try await one.correct(Self.arrows("1 1 1"), side: 1, end: 0, reason: "misread")
      try await one.load()
      #expect(one.needsAttention.count == 1)
      try await one.discard(one.needsAttention[0].id)
      #expect(one.needsAttention.isEmpty && one.waitingCount == 0)
      #expect(one.sides[0].entries.first?.arrows.map(\.value) == [10, 9, 9])
      await tablet.close()
      await phone.close()
    }
  }

  @Test("A correction follows the equal end that another device entered before")
  func correctionOfEqualEnd() async throws {
    try await SessionServer.run { server in
      let test = try await TestMatch(server)
      let tablet = try await server.session(test.sheriff, on: "tablet")
      let transport = FaultyTransport(try server.client(test.archers[0]))
      let phone = try await server.session(test.archers[0], transport: transport)
      let one = MatchModel(tablet, match: test.id)
      let other = MatchModel(phone, match: test.id)
      try await one.load()
      try await other.load()
      transport.disconnect()
      try await other.enter(Self.arrows("9 9 9"), side: 1, end: 0)
      try await other.correct(Self.arrows("9 9 8"), side: 1, end: 0, reason: "misread")
      try await one.enter(Self.arrows("9 9 9"), side: 1, end: 0)
      try await one.load()
      transport.reconnect()
      try await other.load()
      #expect(other.needsAttention.isEmpty && other.waitingCount == 0)
      #expect(
        try await test.match().sides[0].entries.map { $0.arrows.map(\.value) } == [[9, 9, 8]])
      await tablet.close()
      await phone.close()
    }
  }

  @Test("A card is confirmed with the end that waits, and not where it has changed since")
  func confirmsWhatIsShown() async throws {
    try await SessionServer.run { server in
      let test = try await TestMatch(server)
      let transport = FaultyTransport(try server.client(test.sheriff))
      let session = try await server.session(test.sheriff, transport: transport)
      let model = MatchModel(session, match: test.id)
      try await model.load()
      #expect(await fails(saying: "it is not decided") { try await model.confirm(side: 1) })
      for end in 0..<3 {
        try await model.enter(Self.arrows("X 10 9"), side: 1, end: end)
        try await model.enter(Self.arrows("9 9 M"), side: 2, end: end)
      }
      try await model.load()
      let shown = try await test.match().revision
      #expect(
        await fails(saying: "has changed since it was shown") {
          try await session.confirmCard(1, of: test.id, shown: shown - 1)
        })
      #expect(try await test.match().sides.map(\.confirmed) == [false, false])
      transport.disconnect()
      try await model.correct(Self.arrows("9 9 1"), side: 2, end: 0, reason: "misread")
      transport.reconnect()
      try await model.confirm(side: 1)
      let stored = try await test.match()
      #expect(stored.sides.map(\.confirmed) == [true, false])
      #expect(stored.sides[1].entries[0].arrows.map(\.value) == [9, 9, 1])
      #expect(model.sides.map(\.isConfirmed) == [true, false] && model.waitingCount == 0)
      await session.close()
    }
  }

  @Test("Cards confirmed without a connection survive a restart, and are sent behind their ends")
  func confirmedOffline() async throws {
    try await SessionServer.run { server in
      let test = try await TestMatch(server)
      var transport = FaultyTransport(try server.client(test.sheriff))
      var session = try await server.session(test.sheriff, transport: transport)
      var model = MatchModel(session, match: test.id)
      try await model.load()
      transport.disconnect()
      for end in 0..<3 {
        try await model.enter(Self.arrows("X 10 9"), side: 1, end: end)
        try await model.enter(Self.arrows("9 9 M"), side: 2, end: end)
      }
      try await model.confirm(side: 1)
      // Another end takes it back, here as at the server.
      try await model.correct(Self.arrows("9 9 1"), side: 2, end: 2, reason: "misread")
      #expect(model.sides.map(\.isConfirmed) == [false, false] && model.waitingCount == 7)
      for side in [1, 2, 2] { try await model.confirm(side: side) }
      #expect(model.sides.allSatisfy { $0.isConfirmed && $0.isConfirmationWaiting })
      #expect(model.waitingCount == 9 && !model.isConfirmed)
      await session.close()

      transport = FaultyTransport(try server.client(test.sheriff))
      transport.loseAnswers(4)
      session = try await server.session(test.sheriff, transport: transport)
      model = MatchModel(session, match: test.id)
      await model.refresh()
      #expect(model.waitingCount == 9 && model.sides.allSatisfy(\.isConfirmationWaiting))
      for _ in 0..<10 where model.waitingCount > 0 { _ = await failure { try await model.load() } }
      #expect(model.waitingCount == 0 && model.needsAttention.isEmpty && model.isConfirmed)
      #expect(model.sides.allSatisfy { $0.isConfirmed && !$0.isConfirmationWaiting })
      let stored = try await test.match()
      #expect(stored.state == .confirmed && stored.sides[1].entries[2].arrows.last?.value == 1)
      await session.close()
    }
  }

  @Test("A confirmation of cards that another device has changed meanwhile needs a decision")
  func confirmedOtherCards() async throws {
    try await SessionServer.run { server in
      let test = try await TestMatch(server)
      let transport = FaultyTransport(try server.client(test.sheriff))
      let phone = try await server.session(test.sheriff, transport: transport)
      let tablet = try await server.session(test.sheriff, on: "tablet")
      let (one, other) = (
        MatchModel(phone, match: test.id), MatchModel(tablet, match: test.id)
      )
      try await other.load()
      for end in 0..<3 {
        try await other.enter(Self.arrows("X 10 9"), side: 1, end: end)
        try await other.enter(Self.arrows("9 9 M"), side: 2, end: end)
      }
      try await other.load()
      try await one.load()
      transport.disconnect()
      #expect(await failure { try await one.load() } == nil)
      try await one.confirm(side: 1)
      try await other.correct(Self.arrows("9 9 1"), side: 2, end: 2, reason: "misread")
      try await other.load()
      transport.reconnect()
      try await one.load()
      #expect(one.needsAttention.map(\.mark) == [.conflict] && one.waitingCount == 0)
      #expect(one.needsAttention.first?.title.hasSuffix(", confirmed") == true)
      #expect(one.sides.map(\.isConfirmed) == [false, false])
      #expect(try await test.match().sides.map(\.confirmed) == [false, false])
      let entry = try #require(one.needsAttention.first).id
      #expect(await fails(saying: "confirm again") { try await one.overwrite(entry) })
      // Confirming what is shown now replaces it. The other side's confirmation changes no card.
      transport.disconnect()
      try? await one.load()
      try await one.confirm(side: 1)
      #expect(one.needsAttention.isEmpty && one.waitingCount == 1)
      try await other.confirm(side: 2)
      transport.reconnect()
      try await one.load()
      #expect(one.needsAttention.isEmpty && one.isConfirmed)
      #expect(try await test.match().state == .confirmed)
      await phone.close()
      await tablet.close()
    }
  }

  @Test("An end entered for an archer is not stored for another who is on that side later")
  func otherArcher() async throws {
    try await SessionServer.run { server in
      let test = try await TestMatch(server, archerCount: 4)
      for semifinal in test.semifinals { try await test.play(semifinal) }
      let transport = FaultyTransport(try server.client(test.sheriff))
      let session = try await server.session(test.sheriff, transport: transport)
      let model = MatchModel(session, match: test.id)
      try await model.load()
      transport.disconnect()
      try await model.enter(Self.arrows("9 9 9"), side: 1, end: 0)
      let archer = try await test.match().sides[0].participantID
      try await test.reverse(test.semifinals[0])
      #expect(try await test.match().sides[0].participantID != archer)
      transport.reconnect()
      try await model.load()
      #expect(model.sides[0].entries.isEmpty)
      #expect(model.needsAttention.map(\.title) == ["side 1, end 1: 9 9 9"])
      #expect(try await test.match().sides[0].entries.isEmpty)
      try await model.discard(try #require(model.needsAttention.first).id)
      await session.close()
    }
  }

  @Test("A correction after a correction without a connection, and a removal, arrive in order")
  func corrections() async throws {
    try await SessionServer.run { server in
      let test = try await TestMatch(server)
      let transport = FaultyTransport(try server.client(test.sheriff))
      let session = try await server.session(test.sheriff, transport: transport)
      let model = MatchModel(session, match: test.id)
      try await model.load()
      transport.disconnect()
      try await model.enter(Self.arrows("9 9 9"), side: 1, end: 0)
      try await model.correct(Self.arrows("9 9 8"), side: 1, end: 0, reason: "misread")
      try await model.correct(Self.arrows("9 8 8"), side: 1, end: 0, reason: "again")
      try await model.enter(Self.arrows("5 5 5"), side: 2, end: 1)
      let entry = try #require(model.sides[1].entries.first)
      try await model.remove(entry, side: 2, reason: "wrong end")
      #expect(model.sides[1].entries.isEmpty && model.waitingCount == 5)
      transport.reconnect()
      try await model.load()
      #expect(model.waitingCount == 0 && model.needsAttention.isEmpty)
      let stored = try await test.match()
      #expect(stored.sides[0].entries.map { $0.arrows.map(\.value) } == [[9, 8, 8]])
      #expect(stored.sides[1].entries.isEmpty)
      await session.close()
    }
  }

  @Test("What is not possible is refused on the device, with its reason")
  func refusals() async throws {
    try await SessionServer.run { server in
      let test = try await TestMatch(server)
      let phone = try await server.session(test.archers[0])
      let model = MatchModel(phone, match: test.id)
      try await model.load()
      #expect(
        await fails(saying: "this match is not here") {
          try await MatchModel(phone, match: 999_999).enter(
            Self.arrows("9 9 9"), side: 1, end: 0)
        })
      #expect(model.sides.map(\.mayScore) == [true, false])
      let rows: [(text: String, side: Int, end: Int, sheet: String)] = [
        ("scored by somebody else", 2, 0, "9 9 9"), ("must be 1 or 2", 3, 0, "9 9 9"),
        ("must be 1 or 2", -1, 0, "9 9 9"), ("must be 3 of one side", 1, 0, "9 9"),
        ("must be from 0 to 4", 1, 5, "9 9 9"), ("must be one of", 1, 0, "11 9 9"),
      ]
      for row in rows {
        #expect(
          await fails(saying: row.text) {
            try await model.enter(Self.arrows(row.sheet), side: row.side, end: row.end)
          }, "\(row)")
      }
      #expect(
        await fails(saying: "a shoot-off comes after all ends") {
          try await model.enter(MatchShootOff([ArrowScore(value: 9)]), side: 1, index: 0)
        })
      #expect(
        await fails(saying: "has no arrows") {
          try await model.correct(Self.arrows("9 9 9"), side: 1, end: 0, reason: "x")
        })
      try await model.enter(Self.arrows("9 9 9"), side: 1, end: 0)
      #expect(
        await fails(saying: "has other arrows") {
          try await model.enter(Self.arrows("9 9 8"), side: 1, end: 0)
        })
      #expect(
        await fails(saying: "must say why") {
          try await model.correct(Self.arrows("9 9 8"), side: 1, end: 0, reason: " ")
        })
      #expect(model.waitingCount == 1)
      await phone.close()
    }
  }

  @Test("Two phones follow each other, and each archer confirms the own card")
  func twoPhones() async throws {
    try await SessionServer.run { server in
      let test = try await TestMatch(server)
      let sessions = [
        try await server.session(test.archers[0], on: "one"),
        try await server.session(test.archers[1], on: "two"),
      ]
      let models = sessions.map { MatchModel($0, match: test.id) }
      for model in models {
        try await model.load()
        model.follow()
      }
      for end in 0..<3 {
        try await models[0].enter(Self.arrows("10 10 10"), side: 1, end: end)
        try await models[1].enter(Self.arrows("9 9 9"), side: 2, end: end)
        for session in sessions { #expect(await session.syncNow().sentCount == 1) }
        try await wait { models.allSatisfy { $0.sides.allSatisfy { $0.entries.count == end + 1 } } }
      }
      #expect(models.allSatisfy { $0.step == .decided(winner: 1) })
      for (index, model) in models.enumerated() {
        #expect(
          await failure { try await model.confirm(side: index + 1) } == nil)
        try await wait { models.allSatisfy { $0.sides[index].isConfirmed } }
      }
      #expect(models.allSatisfy { $0.isConfirmed })
      #expect(try await test.match().state == .confirmed)
      #expect(
        await fails(saying: "both cards are confirmed") {
          try await models[0].correct(Self.arrows("1 1 1"), side: 1, end: 0, reason: "x")
        })
      for session in sessions { await session.close() }
    }
  }
}
