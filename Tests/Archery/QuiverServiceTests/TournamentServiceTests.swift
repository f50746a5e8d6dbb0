import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Tournaments", .timeLimit(.minutes(5)))
struct TournamentServiceTests {
  @Test("An event is created, joined by code, shot, finalised and read")
  func life() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server) { $0.isPublic = false }
      #expect(tournament.event.joinCode.count == 19 && tournament.event.status == .open)
      #expect(tournament.event.format?.arrowCount == 30 && tournament.event.format?.endCount == 10)
      let robin = try server.client(named: "Robin")
      let hidden = await robin.refusal(
        Tournament.getTournament, .with { $0.id = tournament.event.id })
      #expect(hidden?.code == .notFound)
      let own = try await tournament.join(robin)
      #expect(own.displayName == "Robin" && own.kind == .user && own.mayScore)
      let seen = try await robin.call(
        Tournament.getTournament, .with { $0.id = tournament.event.id })
      #expect(seen.joinCode.isEmpty && seen.participantID == own.id)
      #expect(seen.organiserName == "Sheriff" && seen.participantCount == 1)
      let guest = try await robin.call(
        Tournament.addGuest,
        .with { request in
          request.tournamentID = tournament.event.id
          request.name = " Will "
        })
      #expect(guest.displayName == "Will" && guest.kind == .guest)
      try await tournament.start()
      let first = try await tournament.record(own.id, 0, 0, 10, isX: true, by: robin)
      #expect(first.verdict == .stored && first.score?.xCount == 1 && first.score?.total == 10)
      #expect(first.next?.kind == .arrow && first.next?.arrowIndex == 1)
      let end = RecordEndRequest.with { request in
        request.operations = (0..<3).map { TestTournament.operation(guest.id, 0, $0, 9) }
      }
      let whole = try await robin.call(Tournament.recordEnd, end)
      #expect(whole.score?.endsCompleted == 1 && whole.score?.counts[9] == 3)
      #expect(whole.next?.kind == .participant && whole.next?.participantID == own.id)
      #expect(whole.next?.displayName == "Robin")
      #expect(
        try await tournament.standings(by: robin) == ["1 Will 27 0", "2 Robin 10 1"])
      let early = await robin.refusal(
        Tournament.getResults, .with { $0.tournamentID = tournament.event.id })
      #expect(early?.code == .failedPrecondition)
      try await tournament.finalise()
      let results = try await robin.call(
        Tournament.getResults, .with { $0.tournamentID = tournament.event.id })
      #expect(results.rows.map(\.rank) == [1, 2] && results.finalisedAtMilliseconds > 0)
      #expect(results.rows.map(\.difference) == [0, 17])
      #expect(results.rows.map(\.isCaller) == [false, true])
      #expect(results.rows.map(\.guest) == [true, false])
      #expect(results.policy?.name == "X_FIRST")
      #expect(results.openSteps.map(\.kind) == [.qualification])
      #expect(results.openSteps.map(\.missing) == ["2 entries have not shot all arrows"])
      #expect(results.openSteps.map(\.done) == [false])
      let list = try await robin.call(Tournament.listTournaments, .init())
      #expect(list.tournaments.map(\.id) == [tournament.event.id])
    }
  }

  @Test("A row without a rank has no difference under any policy")
  func differences() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let entries = try await tournament.entries(["Robin", "Will", "Much"])
      try await tournament.start()
      for (entry, value) in zip(entries, [UInt32(10), 9, 8]) {
        try await tournament.record(entry.id, 0, 0, value)
      }
      _ = try await tournament.organiser.call(
        Tournament.disqualifyParticipant,
        .with { request in
          request.participantID = entries[0].id
          request.reason = "equipment"
        })
      let page = try await tournament.organiser.call(
        Tournament.getStandings, .with { $0.tournamentID = tournament.event.id })
      #expect(page.rows.map(\.rank) == [1, 2, 0])
      #expect(page.rows.map(\.difference) == [0, 1, 0])
      #expect(page.rows.map(\.total) == [9, 8, 10])
    }
  }

  @Test("A spectator's token reads results, ranks under policies and explanations of its event")
  func spectatorReads() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let entries = try await tournament.entries(["Robin", "Will"])
      try await tournament.start()
      try await tournament.record(entries[0].id, 0, 0, 10, isX: true)
      try await tournament.record(entries[0].id, 0, 1, 8)
      try await tournament.record(entries[1].id, 0, 0, 9)
      try await tournament.record(entries[1].id, 0, 1, 9)
      try await tournament.finalise()
      let token = try await server.nobody().call(
        Tournament.getSpectatorToken, .with { $0.joinCode = tournament.event.joinCode })
      let spectator = try server.client(token: token.token)
      let id = tournament.event.id
      let results = try await spectator.call(Tournament.getResults, .with { $0.tournamentID = id })
      #expect(results.rows.map(\.displayName) == ["Robin", "Will"])
      let moved = try await spectator.call(
        Tournament.rankUnderPolicy,
        .with { request in
          request.tournamentID = id
          request.policy = .scoreOnly
        })
      #expect(moved.movedCount == 1 && moved.moves.first?.row?.displayName == "Will")
      let explained = try await spectator.call(
        Tournament.explainRank,
        .with { request in
          request.tournamentID = id
          request.participantID = entries[0].id
          request.otherParticipantID = entries[1].id
        })
      #expect(explained.key?.kind == .x)
      let policies = try await spectator.call(Tournament.listTiePolicies, .init())
      #expect(!policies.policies.isEmpty)
      let other = try await TestTournament(server)
      let foreign = await spectator.refusal(
        Tournament.rankUnderPolicy,
        .with { request in
          request.tournamentID = other.event.id
          request.policy = .scoreOnly
        })
      #expect(foreign?.code == .permissionDenied)
    }
  }

  @Test("A conflict fails with ABORTED and the current arrow, which a correction then replaces")
  func conflict() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let id = try await tournament.entries(["Much"])[0].id
      try await tournament.start()
      try await tournament.record(id, 0, 0, 9)
      let request = RecordArrowRequest.with {
        $0.operation = TestTournament.operation(id, 0, 0, 10)
      }
      let refusal = try #require(
        await tournament.organiser.refusal(Tournament.recordArrow, request))
      #expect(refusal.code == .aborted)
      #expect(refusal.details.map(\.type) == ["quiver.v1.ScoredArrow"])
      let standing = try ScoredArrow(serializedBytes: refusal.details.first?.value ?? [])
      #expect(standing.value == 9 && standing.operationID > 0)
      var operation = TestTournament.operation(id, 0, 0, 10)
      operation.replacesID = standing.operationID
      operation.reason = "looked again"
      let corrected = try await tournament.organiser.call(
        Tournament.correctArrow, .with { $0.operation = operation })
      #expect(corrected.score?.total == 10)
      let stale = await tournament.organiser.refusal(
        Tournament.correctArrow, .with { $0.operation = operation })
      #expect(stale?.code == .aborted)
      operation.replacesID = corrected.arrows[0].operationID
      operation.value = nil
      let emptied = try await tournament.organiser.call(
        Tournament.retractArrow, .with { $0.operation = operation })
      #expect(emptied.arrows[0].retracted && emptied.score?.arrowCount == 0)
      let card = try await tournament.organiser.call(
        Rounds.getScorecard,
        .with { request in
          request.participantID = id
          request.includeHistory = true
        })
      #expect(card.arrows.isEmpty && card.history.map(\.operation?.kind.rawValue) == [1, 2, 3])
      operation.kind = .record
      let mismatch = await tournament.organiser.refusal(
        Tournament.retractArrow, .with { $0.operation = operation })
      #expect(mismatch?.message.hasPrefix("operation.kind") == true)
    }
  }

  @Test("A valid code works after thirty wrong ones by another caller, and by the same one")
  func codes() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let robin = try server.client()
      var refusals: [StatusCode?] = []
      for number in 0..<30 {
        let refusal =
          number % 2 == 0
          ? await robin.refusal(
            Tournament.joinTournament, .with { $0.joinCode = "AAAAAA\(10 + number)" })
          : await robin.refusal(
            Tournament.getSpectatorToken, .with { $0.joinCode = "not a code" })
        refusals.append(refusal?.code)
        if refusal?.code == .resourceExhausted {
          #expect(refusal?.retryAfterMilliseconds == 60_000)
        } else {
          #expect(refusal?.message.hasPrefix("join_code") == true)
        }
      }
      #expect(
        refusals == Array(repeating: .notFound, count: 10)
          + Array(repeating: .resourceExhausted, count: 20))
      let john = try server.client(named: "John")
      _ = try await tournament.join(john)
      // A wrong code of another principal at the same address is looked up too.
      let wrong = await john.refusal(
        Tournament.joinTournament, .with { $0.joinCode = "AAAAAAAA" })
      #expect(wrong?.code == .notFound)
      _ = try await tournament.join(robin)
    }
  }

  @Test("A batch returns a verdict for each operation, including those that are not valid")
  func batch() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let id = try await tournament.entries(["Much"])[0].id
      try await tournament.start()
      var operations = (0..<3).map { TestTournament.operation(id, 0, $0, 9) }
      for index in operations.indices { operations[index].clientID = try tournament.clientID() }
      operations[0].kind = .record
      operations[1].kind = .record
      var request = ApplyOperationsRequest()
      request.operations = operations
      let answer = try await tournament.organiser.call(Tournament.applyOperations, request)
      #expect(answer.verdicts.map(\.verdict) == [.stored, .stored, .refused])
      #expect(answer.verdicts[2].code == StatusCode.invalidArgument.rawValue)
      #expect(answer.verdicts[2].message.hasPrefix("operations[2].kind: ") == true)
      #expect(answer.verdicts.map(\.clientID) == operations.map(\.clientID))
      #expect(answer.verdicts[0].arrow?.value == 9)
      let again = try await tournament.organiser.call(Tournament.applyOperations, request)
      #expect(again.verdicts.map(\.verdict) == [.same, .same, .refused])
      request.operations = Array(repeating: operations[0], count: 1_001)
      let large = await tournament.organiser.refusal(Tournament.applyOperations, request)
      #expect(large?.message.hasPrefix("operations: ") == true)
      request.operations = [TestTournament.operation(id, 0, 0, 9)]
      let nameless = try await tournament.organiser.call(Tournament.applyOperations, request)
      #expect(nameless.verdicts[0].message.hasPrefix("operations[0].client_id") == true)
    }
  }

  @Test("A large batch is applied by several commands, and its key stands for the whole batch")
  func largeBatch() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries((0..<4).map { "Archer \($0)" }).map(\.id)
      try await tournament.start()
      var request = ApplyOperationsRequest()
      for (index, id) in ids.enumerated() {
        for arrow in 0..<30 {
          var operation = TestTournament.operation(
            id, UInt32(arrow / 3), UInt32(arrow % 3), UInt32(6 + index))
          operation.clientID = try tournament.clientID()
          operation.kind = .record
          request.operations.append(operation)
        }
      }
      let key = try #require(IdempotencyKey(Array(0..<16)))
      let organiser = tournament.organiser
      let before = server.store.statistics.committedCommands
      let first = try await organiser.call(Tournament.applyOperations, request, key: key)
      #expect(first.verdicts.count == 120)
      #expect(first.verdicts.allSatisfy { $0.verdict == .stored })
      #expect(first.verdicts.map(\.clientID) == request.operations.map(\.clientID))
      let commands = server.store.statistics.committedCommands - before
      #expect(commands >= 3, "the batch was \(commands) commands")
      let sequence = try server.lastSequence()
      let again = try await organiser.call(Tournament.applyOperations, request, key: key)
      #expect(again == first)
      #expect(try server.lastSequence() == sequence)
      // The key of another request: nothing of this one is applied.
      for index in request.operations.indices {
        request.operations[index].clientID = try tournament.clientID()
        request.operations[index].kind = .correct
      }
      let refusal = await organiser.refusal(Tournament.applyOperations, request, key: key)
      #expect(refusal?.code == .alreadyExists)
      #expect(try server.lastSequence() == sequence)
      #expect(try server.store.verify() == [])
    }
  }

  @Test("A stream of batches has one reply for each batch, in order")
  func sync() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let id = try await tournament.entries(["Much"])[0].id
      try await tournament.start()
      let call = try tournament.organiser.client.open(Tournament.syncOperations)
      var replies = call.replies.makeAsyncIterator()
      for end in 0..<10 as Range<UInt32> {
        var request = SyncOperationsRequest()
        request.batch = UInt64(end)
        for arrow in 0..<3 as Range<UInt32> {
          var operation = TestTournament.operation(id, end, arrow, 9)
          operation.kind = .record
          operation.clientID = try tournament.clientID()
          request.operations.append(operation)
        }
        try await call.send(request)
        let reply = try #require(try await replies.next())
        #expect(reply.batch == UInt64(end))
        #expect(reply.verdicts.map(\.verdict) == [.stored, .stored, .stored])
      }
      #expect(try await tournament.standings() == ["1 Much 270 0"])
    }
  }

  @Test("Standings under another policy have rank moves, reasons and past states")
  func policies() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["A", "B"]).map(\.id)
      try await tournament.start()
      let before = try await tournament.standings()
      #expect(before == ["1 A 0 0", "1 B 0 0"])
      for (arrow, value) in [9, 9, 10].enumerated() {
        try await tournament.record(ids[0], 0, UInt32(arrow), UInt32(value), isX: value == 10)
      }
      for (arrow, value) in [10, 10, 8].enumerated() {
        try await tournament.record(ids[1], 0, UInt32(arrow), UInt32(value))
      }
      #expect(try await tournament.standings() == ["1 A 28 1", "2 B 28 0"])
      #expect(try await tournament.standings { $0.policy = .waIndoor } == ["1 B 28 0", "2 A 28 1"])
      let moves = try await tournament.organiser.call(
        Tournament.rankUnderPolicy,
        .with { request in
          request.tournamentID = tournament.event.id
          request.policy = .waIndoor
        })
      #expect(moves.moves.map(\.row?.displayName) == ["B", "A"] && moves.movedCount == 2)
      #expect(moves.moves.map(\.rankBefore) == [2, 1] && moves.moves.map(\.row?.rank) == [1, 2])
      let why = try await tournament.organiser.call(
        Tournament.explainRank,
        .with { request in
          request.tournamentID = tournament.event.id
          request.participantID = ids[0]
          request.otherParticipantID = ids[1]
        })
      #expect(why.order == -1 && why.key?.kind == .x && why.value == 1 && why.otherValue == 0)
      #expect(why.text == "A is above B by X: 1 against 0")
      #expect(try await tournament.standings { $0.asOfMilliseconds = 1 } == [])
      #expect(
        try await tournament.standings { $0.asOfMilliseconds = .max } == ["1 A 28 1", "2 B 28 0"])
      let unknown = await tournament.organiser.refusal(
        Tournament.getStandings,
        .with { request in
          request.tournamentID = tournament.event.id
          request.policy = TiePolicy(rawValue: 99)
        })
      #expect(unknown?.message.hasPrefix("policy: ") == true)
      let policies = try await tournament.organiser.call(Tournament.listTiePolicies, .init())
      #expect(policies.policies.count >= 8 && policies.policies.contains { $0.name == "IMPERIAL" })
    }
  }

  @Test(
    "A value that is not valid fails with the name of its field and stores nothing",
    arguments: BadCall.all)
  func badCalls(_ bad: BadCall) async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server) { $0.maxParticipants = 1 }
      let id = try await tournament.entries(["Much"])[0].id
      try await tournament.start()
      try await tournament.record(id, 0, 0, 9)
      let before = try server.lastSequence()
      let refusal = await bad.call(tournament, id)
      #expect(refusal?.code == bad.code, "\(refusal?.message ?? "none")")
      #expect(refusal?.message.hasPrefix(bad.prefix) == true, "\(refusal?.message ?? "none")")
      #expect(try server.lastSequence() == before)
    }
  }
}

/// A call that is refused.
struct BadCall: Sendable, CustomTestStringConvertible {
  let name: String
  let code: StatusCode
  let prefix: String
  let call: @Sendable (TestTournament, Int64) async -> RPCError?
  var testDescription: String { name }

  init(
    _ name: String, _ code: StatusCode, _ prefix: String,
    _ call: @escaping @Sendable (TestTournament, Int64) async -> RPCError?
  ) {
    self.name = name
    self.code = code
    self.prefix = prefix
    self.call = call
  }

  private static func arrow(
    _ name: String, _ prefix: String,
    _ spoil: @escaping @Sendable (inout ScoringOperation) -> Void
  ) -> BadCall {
    BadCall(name, .invalidArgument, prefix) { tournament, id in
      var operation = TestTournament.operation(id, 1, 0, 9)
      spoil(&operation)
      return await tournament.organiser.refusal(
        Tournament.recordArrow, .with { [operation] in $0.operation = operation })
    }
  }

  static let all: [BadCall] = [
    arrow("an impossible value", "operation.value: ") { $0.value = 11 },
    arrow("an X on a 9", "operation.is_x: ") { $0.isX = true },
    arrow("an end outside the format", "operation.end_index: ") { $0.endIndex = 10 },
    arrow("an arrow outside the end", "operation.arrow_index: ") { $0.arrowIndex = 3 },
    arrow("no participant", "operation.participant_id: ") { $0.participantID = 0 },
    arrow("a short client_id", "operation.client_id: ") { $0.clientID = [1] },
    arrow("half a position", "operation.y: ") { $0.x = 0 },
    BadCall("no operation", .invalidArgument, "operation: ") { tournament, _ in
      await tournament.organiser.refusal(Tournament.recordArrow, .init())
    },
    BadCall("an unknown participant", .notFound, "operation.participant_id: ") { tournament, id in
      await tournament.organiser.refusal(
        Tournament.recordArrow,
        .with { $0.operation = TestTournament.operation(id + 1, 0, 0, 9) })
    },
    BadCall("a full event", .failedPrecondition, "entries[0].name: ") { tournament, _ in
      await tournament.organiser.refusal(
        Tournament.addEntries,
        .with { request in
          request.tournamentID = tournament.event.id
          request.entries = [.with { $0.name = "Two" }]
        })
    },
    BadCall("an entry of 51 characters", .invalidArgument, "entries[1].name: ") { tournament, _ in
      await tournament.organiser.refusal(
        Tournament.addEntries,
        .with { request in
          request.tournamentID = tournament.event.id
          request.entries = [
            .with { $0.name = "Two" }, .with { $0.name = String(repeating: "a", count: 51) },
          ]
        })
    },
    BadCall("an event without a name", .invalidArgument, "name: ") { tournament, _ in
      await tournament.organiser.refusal(
        Tournament.createTournament, .with { $0.format = .library("wa18") })
    },
    BadCall("an unknown round", .notFound, "format: ") { tournament, _ in
      await tournament.organiser.refusal(
        Tournament.createTournament,
        .with { request in
          request.name = "Club"
          request.format = .library("wa19")
        })
    },
    BadCall("a mask of what cannot be changed", .invalidArgument, "update_mask[0]: ") {
      tournament, _ in
      await tournament.organiser.refusal(
        Tournament.updateTournament,
        .with { request in
          request.tournament = tournament.event
          request.updateMask = ["status"]
        })
    },
    BadCall("a policy after the start", .failedPrecondition, "tournament.tie_policy: ") {
      tournament, _ in
      await tournament.organiser.refusal(
        Tournament.updateTournament,
        .with { request in
          request.tournament = tournament.event
          request.tournament?.revision = 2
          request.tournament?.tiePolicy = .imperial
          request.updateMask = ["tie_policy"]
        })
    },
    BadCall("a disqualification without a reason", .invalidArgument, "reason: ") { tournament, id in
      await tournament.organiser.refusal(
        Tournament.disqualifyParticipant, .with { $0.participantID = id })
    },
  ]
}
