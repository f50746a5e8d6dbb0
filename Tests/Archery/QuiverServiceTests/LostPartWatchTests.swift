import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Watches of private events without access", .timeLimit(.minutes(5)))
struct LostPartWatchTests {
  private static var quick: ServerAssembly.Options {
    var options = ServerAssembly.Options()
    options.leaderboardIntervalMilliseconds = 1
    return options
  }

  /// Both watches of an event by one client, each past its snapshot.
  private struct Watches {
    var leaderboard: ReplyStream<WatchLeaderboardResponse>.Iterator
    var event: ReplyStream<WatchTournamentResponse>.Iterator

    init(_ tournament: TestTournament, _ client: Client) async throws {
      leaderboard = try client.client.stream(
        Tournament.watchLeaderboard, .with { $0.tournamentID = tournament.event.id }
      ).makeAsyncIterator()
      event = try client.client.stream(
        Tournament.watchTournament, .with { $0.tournamentID = tournament.event.id }
      ).makeAsyncIterator()
      _ = try await leaderboard.next()
      _ = try await event.next()
    }

    /// How each of them ends, whatever it tells before.
    func ends() async -> [StatusCode?] {
      var (leaderboard, event) = (leaderboard, event)
      let first = await #expect(throws: RPCError.self) {
        while try await leaderboard.next() != nil {}
      }
      let second = await #expect(throws: RPCError.self) {
        while try await event.next() != nil {}
      }
      return [first?.code, second?.code]
    }
  }

  @Test("The watch of a dismissed scorer ends; that of a participant continues, also withdrawn")
  func dismissed() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server) { $0.isPublic = false }
      let scorer = try server.principal(named: "Scorer").id
      let scoring = try server.client(of: scorer, [.read, .write])
      let robin = try server.client()
      let own = try await tournament.join(robin)
      let code = try server.code(of: scorer)
      _ = try await tournament.organiser.call(
        Tournament.appointScorer,
        .with { request in
          request.tournamentID = tournament.event.id
          request.principalCode = code
          request.participantIDs = [own.id]
        })
      try await tournament.start()
      let lost = try await Watches(tournament, scoring)
      var kept = try await Watches(tournament, robin)
      _ = try await tournament.organiser.call(
        Tournament.dismissScorer,
        .with { request in
          request.tournamentID = tournament.event.id
          request.principalID = scorer
        })
      #expect(await lost.ends() == [.notFound, .notFound])
      try await tournament.record(own.id, 0, 0, 9, by: robin)
      #expect(try await kept.leaderboard.next()?.rows.map(\.total) == [9])
      _ = try await robin.call(
        Tournament.withdrawParticipant, .with { $0.participantID = own.id })
      #expect(try await kept.leaderboard.next()?.rows.map(\.status) == [.withdrawn])
      var again = try scoring.client.stream(
        Tournament.watchLeaderboard, .with { $0.tournamentID = tournament.event.id }
      ).makeAsyncIterator()
      let refused = await #expect(throws: RPCError.self) { _ = try await again.next() }
      #expect(refused?.code == .notFound)
    }
  }

  @Test("Making an event private ends the watches of those who do not belong to it")
  func madePrivate() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let robin = try server.client()
      let own = try await tournament.join(robin)
      let otherUser = try server.client(named: "Guy")
      let lost = try await Watches(tournament, otherUser)
      var kept = try await Watches(tournament, robin)
      _ = try await tournament.organiser.call(
        Tournament.updateTournament,
        .with { request in
          request.tournament = tournament.event
          request.tournament?.isPublic = false
          request.updateMask = ["is_public"]
        })
      #expect(await lost.ends() == [.notFound, .notFound])
      try await tournament.start()
      try await tournament.record(own.id, 0, 0, 9, by: robin)
      var total: UInt32 = 0
      while total < 9 {
        total = try #require(try await kept.leaderboard.next()).rows.first?.total ?? total
      }
    }
  }

  @Test("Deleting an event ends its watches with NOT_FOUND")
  func deleted() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let lost = try await Watches(tournament, try server.client())
      _ = try await tournament.organiser.call(
        Tournament.deleteTournament, .with { $0.id = tournament.event.id })
      #expect(await lost.ends() == [.notFound, .notFound])
    }
  }
}
