import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Arrows of shoot-offs, and draws", .timeLimit(.minutes(5)))
struct TieShotTests {
  private static func shots(_ arrows: [UInt32], _ distances: [UInt32] = []) -> QuiverAPI.TieShots {
    .with { shots in
      shots.arrows = arrows.map { value in MatchArrow.with { $0.value = value } }
      shots.distances = distances
    }
  }

  private static func decide(
    _ test: TestBracket, _ places: [Int], _ shots: [QuiverAPI.TieShots],
    _ decision: TieDecision = .shootOff
  ) async -> RPCError? {
    await test.event.organiser.refusal(
      Elimination.decideTie,
      .with { request in
        (request.tournamentID, request.categoryID) = (test.event.id, test.category)
        request.participantIDs = places.map { test.entries[$0].participantID }
        (request.decision, request.shots) = (decision, shots)
      })
  }

  @Test("The arrows and distances of a shoot-off are shown with the rows that they told apart")
  func shows() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, [[9, 9, 9], [9, 9, 9], [9, 9, 9]])
      // The second was nearer, the third stopped after the first arrow.
      let given = [
        Self.shots([10, 9], [0, 123]), Self.shots([10, 9], [0, 124]), Self.shots([8]),
      ]
      #expect(await Self.decide(test, [1, 0, 2], given) == nil)
      func shown() async throws -> [QuiverAPI.TieShots?] {
        try await test.event.organiser.call(
          Events.getCategoryStandings, .with { $0.tournamentID = test.event.id }
        ).rows.map(\.tieShots)
      }
      #expect(try await shown() == given)
      // A later decision replaces them, and a coin has none.
      #expect(await Self.decide(test, [0, 1, 2], []) == nil)
      #expect(try await shown() == [nil, nil, nil])
      #expect(await Self.decide(test, [2, 1, 0], [], .coinToss) == nil)
      #expect(try await shown() == [nil, nil, nil])
    }
  }

  @Test(
    "Arrows that contradict the order, or that no archer shoots, are refused and change nothing")
  func refusals() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, [[9, 9, 9], [9, 9, 9]])
      let refused: [[QuiverAPI.TieShots]] = [
        [Self.shots([9]), Self.shots([10])],
        [Self.shots([9], [20]), Self.shots([9], [19])],
        [Self.shots([9, 8]), Self.shots([9, 9])],
        [Self.shots([9])],
        [Self.shots([9]), Self.shots([9]), Self.shots([9])],
        [Self.shots([]), Self.shots([9])],
        [Self.shots(Array(repeating: 9, count: 21)), Self.shots([9])],
        [Self.shots([11]), Self.shots([9])], [Self.shots([1_000]), Self.shots([9])],
        [Self.shots([9], [1, 2]), Self.shots([9])],
        [Self.shots([9], [UInt32.max]), Self.shots([9])],
      ]
      for shots in refused {
        let before = try server.lastSequence()
        let refusal = await Self.decide(test, [0, 1], shots)
        #expect(refusal?.code == .invalidArgument, "\(shots)")
        #expect(try server.lastSequence() == before)
      }
      let tossed = await Self.decide(test, [0, 1], [Self.shots([9]), Self.shots([8])], .coinToss)
      #expect(tossed?.code == .invalidArgument)
    }
  }

  @Test("A draw leaves fixed entries where they are, and says where butts are mixed")
  func draws() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      try await event.category("FAR", round: "wa720_70")
      let line = try await event.session("line", targets: 1...3, archers: 2)
      func draft(_ bib: String, _ target: UInt32 = 0, _ category: String = "") -> EventEntryDraft {
        var draft = TestEvent.draft(bib, "Archer \(bib)", category: category, session: line.id)
        (draft.target, draft.letter) = (target, target == 0 ? "" : "A")
        draft.fixedPlace = target != 0
        return draft
      }
      let made = try await event.entries(
        [draft("1", 2), draft("2"), draft("3"), draft("4"), draft("5", 0, "FAR")])
      #expect(made[0].fixedPlace && !made[1].fixedPlace)
      for seed in UInt64(1)...8 {
        var request = event.drawRequest(line.id, seed: seed)
        request.redraw = true
        let drawn = try await event.organiser.call(Events.drawTargets, request)
        #expect(drawn.entries.count == 4 && !drawn.entries.contains { $0.bib == "1" })
        let all = try await event.list()
        #expect(all.first { $0.bib == "1" }?.target == 2)
        // Where the archer of the other round shoots with another one.
        let far = try #require(all.first { $0.bib == "5" })
        let others = all.filter { $0.target == far.target && $0.bib != "5" }
        #expect(drawn.mixedTargets.map(\.target) == (others.isEmpty ? [] : [far.target]))
        #expect(drawn.mixedTargets.allSatisfy { $0.distances && $0.faces })
      }
      // Once it is not fixed it is drawn as the others.
      var free = made[0]
      free.fixedPlace = false
      let changed = free
      _ = try await event.organiser.call(
        Events.updateEventEntry, .with { ($0.entry, $0.updateMask) = (changed, ["fixed_place"]) })
      var request = event.drawRequest(line.id, seed: 1)
      request.redraw = true
      let drawn = try await event.organiser.call(Events.drawTargets, request)
      #expect(drawn.entries.count == 5)
    }
  }
}
