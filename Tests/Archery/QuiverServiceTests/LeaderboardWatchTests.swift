import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Watches of tournaments", .timeLimit(.minutes(5)))
struct LeaderboardWatchTests {
  /// Turns follow each other at once, so that tests wait for nothing.
  private static var quick: ServerAssembly.Options {
    var options = ServerAssembly.Options()
    options.leaderboardIntervalMilliseconds = 1
    return options
  }

  private typealias Messages = ReplyStream<WatchLeaderboardResponse>.Iterator

  private func watch(
    _ tournament: TestTournament, _ client: Client? = nil, after position: WatchPosition? = nil,
    _ change: (inout WatchLeaderboardRequest) -> Void = { _ in }
  ) throws -> Messages {
    var request = WatchLeaderboardRequest()
    request.tournamentID = tournament.event.id
    change(&request)
    var options = CallOptions()
    options.after = position
    return try (client ?? tournament.organiser).client.stream(
      Tournament.watchLeaderboard, request, options: options
    ).makeAsyncIterator()
  }

  @Test("A watch tells an event that has not started from one that is finished or cancelled")
  func states() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      var messages = try watch(tournament)
      #expect(try await messages.next()?.status == .open)
      _ = try await tournament.entries(["A"])
      #expect(try await messages.next()?.status == .open)
      try await tournament.start()
      #expect(try await messages.next()?.status == .inProgress)
      _ = try await tournament.organiser.client.call(
        Tournament.finaliseTournament, .with { $0.id = tournament.event.id })
      #expect(try await messages.next()?.status == .completed)

      let other = try await TestTournament(server)
      messages = try watch(other)
      #expect(try await messages.next()?.status == .open)
      _ = try await other.organiser.client.call(
        Tournament.cancelTournament, .with { $0.id = other.event.id })
      #expect(try await messages.next()?.status == .cancelled)
    }
  }

  @Test("A watch sends the whole window and then the changed rows, with adjacent spans")
  func changes() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["A", "B", "C"]).map(\.id)
      try await tournament.start()
      var messages = try watch(tournament)
      let first = try #require(try await messages.next())
      #expect(first.rows.map(\.participantID) == ids && first.span?.isSnapshot == true)
      #expect(first.keys.map(\.kind) == [.score, .x, .count] && first.inProgress)
      #expect(first.firstRank == 1 && first.participantCount == 3)
      var span = try #require(first.span)
      for (arrow, id) in [ids[1], ids[2], ids[1]].enumerated() {
        try await tournament.record(id, UInt32(arrow), 0, 9)
        let message = try #require(try await messages.next())
        #expect(message.rows.map(\.participantID) == [id] && message.removedIDs.isEmpty)
        let next = try #require(message.span)
        #expect(!next.isSnapshot && next.after == span.upto && next.upto > span.upto)
        span = next
      }
      try await tournament.finalise()
      let last = try #require(try await messages.next())
      #expect(!last.inProgress && last.firstTotal == 18)
    }
  }

  @Test("Rows enter and leave a window, and a window around a participant follows it")
  func windows() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["A", "B", "C", "D", "E"]).map(\.id)
      try await tournament.start()
      for (place, id) in ids.enumerated() {
        try await tournament.record(id, 0, 0, UInt32(10 - place))
      }
      var top = try watch(tournament) { $0.top = 2 }
      var around = try watch(tournament) { request in
        request.aroundParticipantID = ids[4]
        request.around = 1
      }
      #expect(try await top.next()?.rows.map(\.participantID) == [ids[0], ids[1]])
      let start = try #require(try await around.next())
      #expect(start.rows.map(\.participantID) == [ids[3], ids[4]])
      #expect(start.rowsBefore == 3 && start.firstRank == 4)
      try await tournament.record(ids[4], 0, 1, 10)
      let change = try #require(try await top.next())
      #expect(change.rows.map(\.participantID) == [ids[4]] && change.removedIDs == [ids[1]])
      let moved = try #require(try await around.next())
      #expect(Set(moved.rows.map(\.participantID)) == [ids[0], ids[4]])
      #expect(moved.removedIDs == [ids[3]] && moved.rowsBefore == 0 && moved.firstRank == 1)
      for (field, spoil) in [
        ("top", { $0.top = 201 }),
        (
          "around",
          {
            $0.aroundParticipantID = 1
            $0.around = 101
          }
        ),
        (
          "top",
          {
            $0.aroundParticipantID = 1
            $0.top = 3
          }
        ),
      ] as [(String, (inout WatchLeaderboardRequest) -> Void)] {
        var refused = try watch(tournament, nil, after: nil, spoil)
        let error = await #expect(throws: RPCError.self) { _ = try await refused.next() }
        #expect(error?.message.hasPrefix(field + ": ") == true)
      }
    }
  }

  @Test("R06: a watch that is interrupted a thousand times has no gap and no repetition")
  func resume() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries((0..<8).map { "E\($0)" }).map(\.id)
      try await tournament.start()
      var heads: [Int64] = []
      for id in ids { heads.append(try await tournament.record(id, 0, 0, 5).arrows[0].operationID) }
      // The first of them leads, and changes in each round; the others come and go behind it.
      for end in 1..<4 as Range<UInt32> { try await tournament.record(ids[0], end, 0, 10) }
      var shown: [Int64: LeaderboardRow] = [:]
      var position: WatchPosition?
      var told = 0
      var client = tournament.organiser
      for round in 0..<1_000 {
        // One connection may not give up hundreds of calls.
        if round % 100 == 0 { client = try server.client(named: "W") }
        for place in [1 + round % 7, 0] {
          var operation = TestTournament.operation(ids[place], 0, 0, UInt32(1 + round * 7 % 10))
          operation.replacesID = heads[place]
          operation.reason = "again"
          heads[place] = try await tournament.organiser.call(
            Tournament.correctArrow, .with { [operation] in $0.operation = operation }
          ).arrows[0].operationID
        }
        var messages = try watch(tournament, client, after: position) { $0.top = 5 }
        let message = try #require(try await messages.next())
        let span = try #require(message.span)
        #expect(span.isSnapshot == (position == nil))
        #expect(span.after == position?.sequence ?? 0 && span.upto > span.after)
        for id in message.removedIDs {
          #expect(shown.removeValue(forKey: id) != nil, "round \(round): \(id) left twice")
        }
        for row in message.rows {
          #expect(shown[row.participantID] != row, "round \(round): a row came twice")
          shown[row.participantID] = row
          told += 1
        }
        position = WatchPosition(sequence: span.upto, storeEpoch: span.storeEpoch)
        #expect(shown.count == 5, "round \(round)")
      }
      let rows = try await tournament.organiser.call(
        Tournament.getStandings,
        .with { request in
          request.tournamentID = tournament.event.id
          request.pageSize = 5
        }
      ).rows
      #expect(Set(rows.map(\.participantID)) == Set(shown.keys))
      for row in rows { #expect(shown[row.participantID]?.total == row.total) }
      #expect(told >= 1_000)
    }
  }

  @Test("A position without stored history fails with OUT_OF_RANGE")
  func outOfRange() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let epoch = server.store.epoch
      for position in [
        WatchPosition(sequence: 1, storeEpoch: epoch &+ 1),
        WatchPosition(sequence: 1, storeEpoch: epoch),
        WatchPosition(sequence: 1_000_000, storeEpoch: epoch),
      ] {
        var messages = try watch(tournament, after: position)
        let error = await #expect(throws: RPCError.self) { _ = try await messages.next() }
        #expect(error?.code == .outOfRange)
      }
    }
  }

  @Test("A spectator's token allows watching its public event and nothing else")
  func spectators() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let other = try await TestTournament(server)
      let id = try await tournament.entries(["A"])[0].id
      let code = tournament.event.joinCode
      let answer = try await server.nobody().call(
        Tournament.getSpectatorToken, .with { $0.joinCode = code })
      #expect(answer.tournamentID == tournament.event.id && answer.name == "Club")
      let spectator = try server.client(token: answer.token)
      try await tournament.start()
      var messages = try watch(tournament, spectator)
      #expect(try await messages.next()?.rows.count == 1)
      try await tournament.record(id, 0, 0, 9)
      #expect(try await messages.next()?.rows.map(\.total) == [9])
      #expect(try await tournament.standings(by: spectator) == ["1 A 9 0"])

      var foreign = try watch(other, spectator)
      let denied = await #expect(throws: RPCError.self) { _ = try await foreign.next() }
      #expect(denied?.code == .permissionDenied)
      let refusals = [
        await spectator.refusal(
          Tournament.recordArrow,
          .with { $0.operation = TestTournament.operation(id, 0, 1, 9) }),
        await spectator.refusal(Tournament.getTournament, .with { $0.id = tournament.event.id }),
        await spectator.refusal(Tournament.listTournaments, .init()),
        await spectator.refusal(Equipment.getHub, .init()),
        await spectator.refusal(Account.whoAmI, .init()),
      ]
      for refusal in refusals { #expect(refusal?.code == .permissionDenied) }
      let forged = try server.client(token: answer.token + "A")
      #expect(
        await forged.refusal(Tournament.listTournaments, .init())?.code == .unauthenticated)

      _ = try await tournament.organiser.call(
        Tournament.updateTournament,
        .with { request in
          request.tournament = tournament.event
          request.tournament?.revision = 2
          request.tournament?.isPublic = false
          request.updateMask = ["is_public"]
        })
      let ended = await #expect(throws: RPCError.self) { _ = try await messages.next() }
      #expect(ended?.code == .notFound)
      let hidden = await server.refusalOfNobody(
        Tournament.getSpectatorToken, .with { $0.joinCode = code })
      #expect(hidden?.code == .failedPrecondition)
    }
  }

  @Test("A watch sends the participants and the status of an event without scores")
  func tournament() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let robin = try server.client()
      var request = WatchTournamentRequest()
      request.tournamentID = tournament.event.id
      var messages = try robin.client.stream(Tournament.watchTournament, request)
        .makeAsyncIterator()
      let first = try #require(try await messages.next())
      #expect(first.tournament?.status == .open && first.participants.isEmpty)
      let own = try await tournament.join(robin)
      let joined = try #require(try await messages.next())
      #expect(joined.participants.map(\.id) == [own.id] && joined.participants[0].score == nil)
      #expect(joined.tournament?.participantCount == 1)
      try await tournament.start()
      #expect(try await messages.next()?.tournament?.status == .inProgress)
      try await tournament.record(own.id, 0, 0, 9, by: robin)
      _ = try await robin.call(
        Tournament.withdrawParticipant, .with { $0.participantID = own.id })
      let left = try #require(try await messages.next())
      #expect(left.participants.map(\.status) == [.withdrawn])
      let hidden = try await TestTournament(server) { $0.isPublic = false }
      request.tournamentID = hidden.event.id
      var refused = try robin.client.stream(Tournament.watchTournament, request)
        .makeAsyncIterator()
      let error = await #expect(throws: RPCError.self) { _ = try await refused.next() }
      #expect(error?.code == .notFound)
    }
  }

  @Test("Slow subscribers receive the latest state, and all subscribers receive all of it")
  func many() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["A", "B"]).map(\.id)
      try await tournament.start()
      var streams: [Messages] = []
      for number in 0..<40 {
        streams.append(try watch(tournament) { $0.top = UInt32(1 + number % 3) })
      }
      for index in streams.indices { _ = try await streams[index].next() }
      // Nobody reads meanwhile: what they are told then covers all of it.
      for end in 0..<10 as Range<UInt32> { try await tournament.record(ids[1], end, 0, 9) }
      for index in streams.indices {
        var total: UInt32 = 0
        var upto: Int64 = 0
        while total < 90 {
          let message = try #require(try await streams[index].next())
          let span = try #require(message.span)
          #expect(span.after >= upto && span.upto > span.after)
          upto = span.upto
          total = message.rows.first { $0.participantID == ids[1] }?.total ?? total
        }
        #expect(total == 90)
      }
    }
  }
}

extension TestServer {
  /// How a call without a token ended that is meant to fail.
  func refusalOfNobody<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request
  ) async -> RPCError? {
    do {
      return try await nobody().refusal(method, request)
    } catch {
      return error as? RPCError
    }
  }
}
