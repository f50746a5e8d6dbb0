import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Elimination", .timeLimit(.minutes(5)))
struct EliminationServiceTests {
  @Test("A category is cut, its matches are shot and confirmed, and the ranks follow")
  func life() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(7))
      let drawn = try await test.cut(6)
      #expect(drawn.stage?.size == 8 && drawn.stage?.entrantCount == 6)
      #expect(drawn.matches.count == 8)
      #expect(
        drawn.matches.prefix(4).map(\.state) == [.bye, .scheduled, .scheduled, .bye])
      #expect(drawn.matches[1].sides.map(\.seed) == [5, 4])
      #expect(drawn.matches[2].sides.map(\.displayName) == ["E3", "E6"])
      let stage = try #require(drawn.stage).id
      let ended = try await test.playAll(stage)
      #expect(
        ended.ranks.map { "\($0.rank) \($0.displayName)" }
          == ["1 E1", "2 E2", "3 E3", "4 E4", "5 E5", "5 E6"])
      #expect(ended.matches.allSatisfy { $0.state == .confirmed || $0.state == .bye })
      let final = try await test.match(try #require(ended.matches.last).id)
      #expect(final.roundSize == 2 && final.index == 0 && final.winner == 1)
      #expect(final.sides[0].setPoints == 6 && final.sides[0].total == 90)
      #expect(final.sides[0].entries.count == 3 && final.sides[0].mayScore)
      #expect(try server.store.verify() == [])
    }
  }

  @Test("A cut waits for all arrows, and for the decision of a tie across it")
  func cuts() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(
        server, [[10, 10, 10], [9, 9, 9], [9, 9, 9], [9, 9, 9], nil])
      let organiser = test.event.organiser
      func refusal(_ size: UInt32) async -> RPCError? {
        await organiser.refusal(Elimination.cutCategory, test.cutRequest(size))
      }
      #expect(await refusal(3)?.message.contains("1 entry has not shot all arrows") == true)
      _ = try await organiser.call(
        Events.setEventEntryState,
        .with {
          ($0.participantID, $0.state) = (test.entries[4].participantID, .didNotFinish)
        })
      let tied = await refusal(3)
      #expect(tied?.code == .failedPrecondition)
      #expect(tied?.message.contains("3 participants") == true, "\(tied as Any)")
      #expect(tied?.message.contains("2 places are left") == true)
      #expect(await refusal(2)?.message.contains("1 place is left") == true)
      #expect(await refusal(6)?.code == .invalidArgument)
      #expect(await refusal(1)?.code == .invalidArgument)
      let ids = test.entries.map(\.participantID)
      func decide(_ participants: [Int64]) async -> RPCError? {
        await organiser.refusal(
          Elimination.decideTie,
          .with { request in
            (request.tournamentID, request.categoryID) = (test.event.id, test.category)
            (request.participantIDs, request.decision) = (participants, .shootOff)
          })
      }
      #expect(await decide([ids[0], ids[1]])?.code == .failedPrecondition)
      #expect(await decide([ids[1], ids[1]])?.code == .invalidArgument)
      #expect(await decide([ids[1], 999_999])?.code == .notFound)
      let part = await decide([ids[1], ids[2]])
      #expect(part?.code == .failedPrecondition && part?.message.contains("3 share") == true)
      #expect(await decide([ids[3], ids[1], ids[2]]) == nil)
      let bracket = try await test.cut(3)
      #expect(bracket.ranks.map(\.displayName) == ["E1", "E4", "E2"])
      #expect(bracket.ranks.map(\.seed) == [1, 2, 3])
    }
  }

  @Test("An operation is applied once, conflicts are named, and corrections chain")
  func operations() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(2))
      let id = try #require(try await test.cut(2).matches.first).id
      let first = try test.operation(id, 1, 0, [10, 9, 8])
      let again = try test.operation(id, 1, 0, [10, 9, 8])
      let other = try test.operation(id, 1, 0, [10, 9, 7])
      let verdicts = try await test.apply([first, first, again, other])
      #expect(verdicts.map(\.verdict) == [.stored, .same, .same, .conflict])
      #expect(verdicts[0].match?.state == .shooting)
      let sequence = try server.lastSequence()
      #expect(try await test.apply([first]).map(\.verdict) == [.same])
      #expect(try server.lastSequence() == sequence)
      var changed = first
      changed.entry?.arrows[0].value = 9
      #expect(try await test.apply([changed])[0].code == UInt32(StatusCode.alreadyExists.rawValue))
      let silent = try test.operation(id, 1, 0, [10, 9, 7]) { $0.replacesClientID = first.clientID }
      #expect(try await test.apply([silent])[0].verdict == .refused)
      // An operation that was the same as another one stands for it.
      let standing = try test.operation(id, 1, 0, [10, 9, 7]) {
        $0.replacesClientID = again.clientID
      }
      #expect(try await test.apply([standing])[0].verdict == .refused)
      let correction = try test.operation(id, 1, 0, [10, 9, 7]) {
        ($0.replacesClientID, $0.reason) = (first.clientID, "misread")
      }
      #expect(try await test.apply([correction, correction]).map(\.verdict) == [.stored, .same])
      for replaced in [first, again] {
        let late = try test.operation(id, 1, 0, [10, 9, 6]) {
          ($0.replacesClientID, $0.reason) = (replaced.clientID, "misread")
        }
        #expect(try await test.apply([late])[0].verdict == .conflict)
      }
      let emptied = try test.operation(id, 1, 0, []) {
        ($0.replacesClientID, $0.reason) = (correction.clientID, "wrong card")
      }
      #expect(try await test.apply([emptied])[0].verdict == .stored)
      #expect(try await test.match(id).sides[0].entries.isEmpty)
    }
  }

  @Test("The ends of both phones in any order leave the same score")
  func order() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(2))
      let id = try #require(try await test.cut(2).matches.first).id
      var operations: [MatchOperation] = []
      for end in 0..<UInt32(5) {
        operations.append(try test.operation(id, 1, end, end == 0 ? [9, 9, 9] : [9, 9, 10]))
        operations.append(try test.operation(id, 2, end, end == 4 ? [10, 10, 10] : [9, 9, 9]))
      }
      // 1:1, 3:1, 5:1, 7:1 is won after the fourth end: the fifth of either side does not count.
      for operation in operations.reversed() { _ = try await test.apply([operation]) }
      let match = try await test.match(id)
      #expect(match.state == .finished && match.winner == 1)
      #expect(match.sides.map(\.setPoints) == [7, 1] && match.sides.map(\.total) == [111, 108])
    }
  }

  @Test("A tied match is shot off, and a judge's mark decides it")
  func shootOff() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(2))
      let id = try #require(try await test.cut(2).matches.first).id
      for end in 0..<UInt32(5) {
        let operations = try [
          test.operation(id, 1, end, [9, 9, 9]), test.operation(id, 2, end, [9, 9, 9]),
        ]
        _ = try await test.apply(operations)
      }
      #expect(try await test.match(id).state == .shootOff)
      let one = try test.operation(id, 1, 0, [9], shootOff: true)
      let two = try test.operation(id, 2, 0, [9], shootOff: true)
      _ = try await test.apply([one, two])
      #expect(try await test.match(id).state == .measuring)
      let early = await test.event.organiser.refusal(
        Elimination.confirmMatchCard,
        .with { ($0.matchID, $0.side, $0.revision) = (id, 1, 1) })
      #expect(early?.code == .aborted || early?.code == .failedPrecondition)
      let marked = try test.operation(id, 2, 0, [9], shootOff: true) { operation in
        operation.entry?.isCloser = true
        (operation.replacesClientID, operation.reason) = (two.clientID, "closer")
      }
      #expect(try await test.apply([marked])[0].verdict == .stored)
      let match = try await test.match(id)
      #expect(match.winner == 2 && match.decision == .judgesMark)
      #expect(match.sides.map(\.setPoints) == [5, 6])
      try await test.confirm(id)
      #expect(try await test.match(id).state == .confirmed)
    }
  }

  @Test("Bad input to a match is refused with its reason and changes nothing")
  func badInput() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(4))
      let bracket = try await test.cut(4)
      let (semifinal, final) = (bracket.matches[0].id, try #require(bracket.matches.last).id)
      try await test.play(semifinal, winner: 1)
      let open = bracket.matches[1].id
      for end in 0..<UInt32(3) {
        let operations = try [
          test.operation(open, 1, end, [10, 10, 10]), test.operation(open, 2, end, [9, 9, 9]),
        ]
        _ = try await test.apply(operations)
      }
      let before = try server.lastSequence()
      let cases: [(MatchOperation, StatusCode)] = try [
        (test.operation(semifinal, 1, 0, [9, 9, 9]), .failedPrecondition),
        (test.operation(final, 1, 0, [9, 9, 9]), .failedPrecondition),
        (test.operation(open, 1, 3, [9, 9, 9]), .failedPrecondition),
        (test.operation(open, 1, 0, [9], shootOff: true), .failedPrecondition),
        (test.operation(open, 1, 5, [9, 9, 9]), .invalidArgument),
        (test.operation(open, 1, 3, [9, 9]), .invalidArgument),
        (test.operation(open, 1, 3, [9, 9, 11]), .invalidArgument),
        (test.operation(open, 1, 3, []), .invalidArgument),
        (test.operation(999_999, 1, 0, [9, 9, 9]), .notFound),
        (test.operation(open, 1, 4, [9, 9, 9]) { $0.clientID = [1] }, .invalidArgument),
      ]
      for (operation, code) in cases {
        let verdict = try await test.apply([operation])[0]
        #expect(verdict.verdict == .refused && verdict.code == UInt32(code.rawValue), "\(verdict)")
        #expect(!verdict.message.isEmpty)
      }
      let outside = try test.operation(open, 3, 0, [9, 9, 9])
      let refused = try await test.apply([outside])[0]
      #expect(refused.verdict == .refused && refused.message.hasPrefix("operations[0].side: "))
      #expect(refused.code == UInt32(StatusCode.invalidArgument.rawValue))
      let none = await test.event.organiser.refusal(
        Elimination.applyMatchOperations, ApplyMatchOperationsRequest())
      #expect(none?.code == .invalidArgument)
      let stale = await test.event.organiser.refusal(
        Elimination.confirmMatchCard,
        .with { ($0.matchID, $0.side, $0.revision) = (open, 1, 1) })
      #expect(stale?.code == .aborted)
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("A match is reopened above later scores only if these are voided")
  func reopening() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(4))
      let bracket = try await test.cut(4)
      let stage = try #require(bracket.stage).id
      let first = bracket.matches[0].id
      let ended = try await test.playAll(stage)
      #expect(ended.ranks.map(\.rank) == [1, 2, 3, 4])
      func reopen(void: Bool) async -> RPCError? {
        await test.event.organiser.refusal(
          Elimination.reopenMatch,
          .with { ($0.matchID, $0.reason, $0.voidLater) = (first, "wrong card", void) })
      }
      let before = try server.lastSequence()
      #expect(await reopen(void: false)?.code == .failedPrecondition)
      #expect(try server.lastSequence() == before)
      #expect(await reopen(void: true) == nil)
      let reopened = try await test.bracket(stage)
      #expect(reopened.ranks.allSatisfy { $0.rank == 0 })
      #expect(reopened.matches.map(\.state) == [.finished, .confirmed, .waiting, .waiting])
      #expect(reopened.matches[3].sides.map(\.seed) == [0, 2])
      let match = try await test.match(first)
      let correction = try test.operation(first, 2, 0, [10, 10, 10]) { operation in
        operation.replacesClientID = match.sides[1].entries[0].operationClientID
        operation.reason = "misread"
      }
      #expect(try await test.apply([correction])[0].verdict == .stored)
      #expect(try await test.match(first).state == .shooting)
      _ = try await test.event.organiser.call(
        Elimination.forfeitMatch,
        .with { ($0.matchID, $0.side, $0.reason) = (first, 1, "injured") })
      let advanced = try await test.bracket(stage)
      #expect(advanced.matches[3].sides.map(\.seed) == [4, 2])
      #expect(advanced.matches[2].sides.map(\.seed) == [1, 3])
      #expect(try server.store.verify() == [])
    }
  }

  @Test("An event with a bracket is not deleted by a category or a stage with scores")
  func deletion() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(2))
      let bracket = try await test.cut(2)
      let stage = try #require(bracket.stage).id
      try await test.play(bracket.matches[0].id, winner: 2)
      func delete() async -> RPCError? {
        await test.event.organiser.refusal(Elimination.deleteStage, .with { $0.stageID = stage })
      }
      #expect(await delete()?.code == .failedPrecondition)
      let empty = try await test.cut(2)
      let other = try #require(empty.stage).id
      _ = try await test.event.organiser.call(
        Elimination.deleteStage, .with { $0.stageID = other })
      let left = try await test.event.organiser.call(
        Elimination.listStages, .with { $0.tournamentID = test.event.id })
      #expect(left.stages.map(\.id) == [stage])
    }
  }

  @Test("Spectators watch a bracket: all of it, then each changed match with the ranks")
  func watch() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(2))
      let bracket = try await test.cut(2)
      let stage = try #require(bracket.stage).id
      let token = try await server.nobody().call(
        Tournament.getSpectatorToken, .with { $0.joinCode = test.event.tournament.event.joinCode })
      let spectator = try server.client(token: token.token)
      let request = WatchBracketRequest.with {
        ($0.tournamentID, $0.stageID) = (test.event.id, stage)
      }
      var messages = try spectator.client.stream(Elimination.watchBracket, request)
        .makeAsyncIterator()
      let first = try #require(try await messages.next())
      #expect(first.bracket?.matches.map(\.state) == [.scheduled])
      try await test.play(bracket.matches[0].id, winner: 2)
      while let message = try await messages.next() {
        guard message.bracket?.matches.first?.state == .confirmed else { continue }
        #expect(message.bracket?.ranks.map(\.displayName) == ["E2", "E1"])
        break
      }
    }
  }
}
