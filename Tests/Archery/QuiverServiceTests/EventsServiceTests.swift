import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@Suite("The structure of events", .timeLimit(.minutes(5)))
struct EventsServiceTests {
  @Test("An event is structured, drawn, checked in, shot and ranked by category, session and club")
  func day() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let compound = try await event.category("CM", round: "wa18", arrows: 3)
      #expect(compound.ownFormat && compound.format?.arrowCount == 3 && !compound.isFirst)
      let line = try await event.session("morning", targets: 1...3, archers: 2)
      let drafts = [
        TestEvent.draft("1", "Ann", club: "A", session: line.id),
        TestEvent.draft("2", "Ben", club: "A", session: line.id),
        TestEvent.draft("3", "Cid", club: "B", category: "CM", session: line.id),
        TestEvent.draft("4", "Dan", club: "B", category: "CM", session: line.id),
      ]
      let entries = try await event.entries(drafts)
      #expect(entries.map(\.categoryCode) == ["ALL", "ALL", "CM", "CM"])
      #expect(entries.allSatisfy { $0.state == .entered && $0.target == 0 })
      let again = try await event.entries(drafts)
      #expect(again.map(\.participantID) == entries.map(\.participantID))
      let categories = try await event.organiser.call(
        Events.listEventCategories, .with { $0.tournamentID = event.id })
      #expect(categories.categories.map(\.entryCount) == [2, 2])

      let drawn = try await event.organiser.call(
        Events.drawTargets,
        .with { request in
          (request.tournamentID, request.sessionID) = (event.id, line.id)
          request.method = .random
        })
      #expect(drawn.entries.count == 4 && drawn.seed != 0)
      let targets = Dictionary(
        uniqueKeysWithValues: drawn.entries.map { ($0.displayName, $0.target) })
      #expect(targets["Ann"] != targets["Ben"] && targets["Cid"] != targets["Dan"])
      for entry in entries {
        let checked = try await event.organiser.call(
          Events.setEventEntryState,
          .with { request in
            (request.participantID, request.state) = (entry.participantID, .checkedIn)
          })
        #expect(checked.state == .checkedIn)
      }
      try await event.tournament.start()
      for (entry, value) in zip(entries, [UInt32(7), 9, 10, 8]) {
        try await event.tournament.record(entry.participantID, 0, 0, value)
      }
      #expect(try await event.list().map(\.state) == [.active, .active, .active, .active])
      #expect(try await event.standings { $0.categoryID = compound.id } == ["1 Cid 10", "2 Dan 8"])
      #expect(try await event.standings { $0.club = "A" } == ["1 Ben 9", "2 Ann 7"])
      #expect(
        try await event.standings { $0.sessionID = line.id }
          == ["1 Cid 10", "2 Ben 9", "3 Dan 8", "4 Ann 7"])
      // The calls of before see all of them.
      #expect(try await event.tournament.standings().count == 4)
      let beyond = await event.organiser.refusal(
        Tournament.recordArrow,
        .with { $0.operation = TestTournament.operation(entries[2].participantID, 1, 0, 9) })
      #expect(beyond?.code == .invalidArgument)
    }
  }

  @Test("An event without any of this has one category, which everybody is in")
  func plain() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let robin = try server.client(named: "Robin")
      let own = try await event.tournament.join(robin)
      let categories = try await robin.call(
        Events.listEventCategories, .with { $0.tournamentID = event.id }
      ).categories
      #expect(categories.map(\.code) == ["ALL"] && categories[0].isFirst)
      #expect(categories[0].entryCount == 1 && !categories[0].ownFormat)
      let entry = try await event.list { $0.categoryID = categories[0].id }
      #expect(entry.map(\.participantID) == [own.id] && entry[0].state == .entered)
      let steps = try await robin.call(
        Events.getEventProgress, .with { $0.tournamentID = event.id }
      ).steps
      #expect(steps.count == 14 && steps[0].done && !steps[4].done)
      #expect(steps[4].missing == "the event is not started")
    }
  }

  @Test("Who did not start has no rank, and who did not finish keeps the score")
  func states() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let entries = try await event.entries(["1", "2", "3"].map { TestEvent.draft($0, "E\($0)") })
      func set(_ index: Int, _ state: EventEntryState) async -> RPCError? {
        await event.organiser.refusal(
          Events.setEventEntryState,
          .with { request in
            (request.participantID, request.state) = (entries[index].participantID, state)
          })
      }
      #expect(await set(0, .didNotFinish)?.code == .failedPrecondition)
      #expect(await set(0, .active)?.code == .invalidArgument)
      #expect(await set(0, .didNotStart) == nil)
      try await event.tournament.start()
      try await event.tournament.record(entries[1].participantID, 0, 0, 9)
      #expect(await set(1, .didNotStart)?.code == .failedPrecondition)
      #expect(await set(1, .didNotFinish) == nil)
      #expect(try await event.standings() == ["1 E2 9", "2 E3 0", "0 E1 0"])
      _ = try await event.organiser.call(
        Tournament.withdrawParticipant, .with { $0.participantID = entries[2].participantID })
      #expect(await set(2, .checkedIn)?.code == .failedPrecondition)
      #expect(try await event.list().map(\.state) == [.didNotStart, .didNotFinish, .withdrawn])
    }
  }

  @Test("A place is moved and swapped on the day without touching scores")
  func places() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let line = try await event.session("line", targets: 1...2, archers: 2)
      let entries = try await event.entries([
        TestEvent.draft("1", "Ann", session: line.id),
        TestEvent.draft("2", "Ben", session: line.id),
      ])
      func place(_ index: Int, _ target: UInt32, _ letter: String, swap: Bool = false)
        async throws(RPCError) -> String
      {
        let entry = try await event.organiser.call(
          Events.placeEventEntry,
          .with { request in
            (request.participantID, request.sessionID) = (entries[index].participantID, line.id)
            (request.target, request.letter, request.swap) = (target, letter, swap)
          })
        return "\(entry.target)\(entry.letter)"
      }
      #expect(try await place(0, 1, "a") == "1A")
      #expect(try await place(1, 2, "B") == "2B")
      try await event.tournament.start()
      try await event.tournament.record(entries[0].participantID, 0, 0, 9)
      let before = try server.lastSequence()
      for (target, letter, code) in [
        (UInt32(2), "B", StatusCode.failedPrecondition), (3, "A", .invalidArgument),
        (1, "C", .invalidArgument), (1, "AB", .invalidArgument), (1, "", .invalidArgument),
      ] {
        do throws(RPCError) {
          _ = try await place(0, target, letter)
          Issue.record("\(target)\(letter) was accepted")
        } catch {
          #expect(error.code == code, "\(target)\(letter)")
        }
      }
      #expect(try server.lastSequence() == before)
      #expect(try await place(0, 2, "B", swap: true) == "2B")
      #expect(try await event.list().map { "\($0.target)\($0.letter)" } == ["2B", "1A"])
      #expect(try await event.standings() == ["1 Ann 9", "2 Ben 0"])
      #expect(try await place(0, 0, "") == "0")
    }
  }

  @Test("The same seed draws the same places")
  func draws() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let line = try await event.session("line", targets: 11...15, archers: 4)
      try await event.entries(
        (1...18).map { TestEvent.draft("\($0)", "E\($0)", club: "C\($0 % 4)", session: line.id) })
      let first = try await event.draw(line.id, seed: 5)
      #expect(first.count == 18)
      #expect(first == first.sorted())
      let again = try await event.draw(line.id, seed: 5)
      #expect(again == first)
      let other = try await event.draw(line.id, seed: 6)
      #expect(other != first)
    }
  }

  @Test("A draw by ranking replaces the places of a draw at random, the best on the first target")
  func rankingDraw() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let line = try await event.session("line", targets: 11...13, archers: 2)
      let compound = try await event.category("CM")
      let entries = try await event.entries(
        (1...5).map { number in
          TestEvent.draft(
            "\(number)", "E\(number)", category: number == 5 ? "CM" : "", session: line.id)
        })
      try await event.tournament.start()
      for (entry, value) in zip(entries, [UInt32(7), 9, 9, 10, 6]) {
        try await event.tournament.record(entry.participantID, 0, 0, value)
      }
      let random = try await event.draw(line.id, seed: 5)
      #expect(try await event.list().allSatisfy { $0.target > 0 })
      let ranked = ["11A E4", "11B E2", "12A E3", "12B E1", "13A E5"]
      #expect(random != ranked)
      let noRedraw = await event.organiser.refusal(
        Events.drawTargets, event.drawRequest(line.id) { $0.method = .ranking })
      #expect(noRedraw?.code == .failedPrecondition)
      #expect(try await event.draw(line.id) { $0.method = .ranking } == ranked)
      let stored = try await event.list().sorted { ($0.target, $0.letter) < ($1.target, $1.letter) }
      #expect(stored.map { "\($0.target)\($0.letter) \($0.displayName)" } == ranked)
      // One category on other targets: the places of the rest are taken.
      let moved = try await event.draw(line.id) { request in
        (request.method, request.categoryID) = (.ranking, compound.id)
        request.firstTarget = 12
      }
      #expect(moved == ["13A E5"])
      #expect(try await event.draw(line.id, seed: 5) == random)
    }
  }
}
