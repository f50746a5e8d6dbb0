import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("What a spectator's token allows, and until when", .timeLimit(.minutes(5)))
struct SpectatorAccessTests {
  private static var quick: ServerAssembly.Options {
    var options = ServerAssembly.Options()
    options.leaderboardIntervalMilliseconds = 1
    return options
  }

  /// A call of a method for one event; it returns how it is refused.
  private struct Row: Sendable {
    let name: String
    let call: @Sendable (Client) async -> RPCError?

    init<Request: Message, Response: Message>(
      _ method: UnaryMethod<Request, Response>, _ request: Request
    ) {
      name = method.name
      call = { client in await client.refusal(method, request) }
    }
  }

  /// An open watch of one event, past its snapshot.
  private struct Watch: Sendable {
    let name: String
    /// Returns how it ends, whatever it tells before.
    let end: @Sendable () async -> StatusCode?

    init<Request: Message, Response: WatchMessage>(
      _ method: ServerStreamingMethod<Request, Response>, _ request: Request, _ client: Client
    ) async throws {
      name = method.name
      let stream = try client.client.stream(
        method, request, options: CallOptions(timeout: .seconds(20)))
      var replies = stream.makeAsyncIterator()
      _ = try #require(try await replies.next())
      end = { await Self.end(of: stream) }
    }

    private static func end(of stream: ReplyStream<some WatchMessage>) async -> StatusCode? {
      var replies = stream.makeAsyncIterator()
      do throws(RPCError) {
        while try await replies.next() != nil {}
        return nil
      } catch {
        return error.code
      }
    }
  }

  /// A finalised event with a bracket, and a spectator of it.
  private struct Spectated {
    let test: TestBracket
    let stage: Int64
    let match: Int64
    let token: GetSpectatorTokenResponse
    let client: Client

    var id: Int64 { test.event.id }

    init(_ server: TestServer) async throws {
      let test = try await TestBracket(server, TestBracket.descending(4))
      let bracket = try await test.cut(2)
      stage = try #require(bracket.stage).id
      match = bracket.matches[0].id
      try await test.event.tournament.finalise()
      let code = test.event.tournament.event.joinCode
      token = try await server.nobody().call(
        Tournament.getSpectatorToken, .with { $0.joinCode = code })
      self.test = test
      client = try server.client(token: token.token)
    }

    var rows: [Row] {
      let (id, participants) = (self.id, test.entries.map(\.participantID))
      let category = test.category
      return [
        Row(Tournament.getStandings, .with { $0.tournamentID = id }),
        Row(
          Tournament.getStandings,
          .with { ($0.tournamentID, $0.asOfMilliseconds) = (id, 4_000_000_000_000) }),
        Row(
          Tournament.getStandings, .with { ($0.tournamentID, $0.policy) = (id, .scoreOnly) }),
        Row(
          Tournament.rankUnderPolicy, .with { ($0.tournamentID, $0.policy) = (id, .scoreOnly) }),
        Row(
          Tournament.explainRank,
          .with { request in
            request.tournamentID = id
            request.participantID = participants[0]
            request.otherParticipantID = participants[1]
          }),
        Row(Tournament.getResults, .with { $0.tournamentID = id }),
        Row(Events.getCategoryStandings, .with { $0.tournamentID = id }),
        Row(
          Events.getTeamStandings,
          .with { request in
            (request.tournamentID, request.categoryID) = (id, category)
            (request.system, request.group) = (.teamSets, .club)
          }),
        Row(Events.listEventNotices, .with { $0.tournamentID = id }),
        Row(Events.listEventCategories, .with { $0.tournamentID = id }),
        Row(Events.listEventSessions, .with { $0.tournamentID = id }),
        Row(Elimination.listStages, .with { $0.tournamentID = id }),
        Row(Elimination.getBracket, .with { [stage] in $0.stageID = stage }),
        Row(Elimination.getMatch, .with { [match] in $0.matchID = match }),
      ]
    }

    func watches() async throws -> [Watch] {
      [
        try await Watch(Tournament.watchLeaderboard, .with { $0.tournamentID = id }, client),
        try await Watch(
          Tournament.watchLeaderboard,
          .with { ($0.tournamentID, $0.categoryID) = (id, test.category) }, client),
        try await Watch(Tournament.watchTournament, .with { $0.tournamentID = id }, client),
        try await Watch(
          Elimination.watchBracket, .with { ($0.tournamentID, $0.stageID) = (id, stage) }, client),
        try await Watch(
          Elimination.watchMatch, .with { ($0.tournamentID, $0.matchID) = (id, match) }, client),
      ]
    }

    func makePrivate() async throws {
      let event = try await test.event.organiser.call(
        Tournament.getTournament, .with { $0.id = id })
      _ = try await test.event.organiser.call(
        Tournament.updateTournament,
        .with { request in
          request.tournament = event
          request.tournament?.isPublic = false
          request.updateMask = ["is_public"]
        })
    }
  }

  @Test("Once an event is private, an open connection of a spectator reads nothing of it any more")
  func madePrivate() async throws {
    try await TestServer.run(Self.quick) { server in
      let event = try await Spectated(server)
      for row in event.rows {
        let refusal = await row.call(event.client)
        #expect(refusal == nil, "\(row.name)")
      }
      let watches = try await event.watches()
      try await event.makePrivate()
      for row in event.rows {
        #expect(await row.call(event.client)?.code == .notFound, "\(row.name)")
        // A reply that is kept for those who take part is not for spectators.
        #expect(await row.call(event.test.event.organiser) == nil, "\(row.name)")
        #expect(await row.call(event.client)?.code == .notFound, "\(row.name)")
      }
      for watch in watches { #expect(await watch.end() == .notFound, "\(watch.name)") }
      await #expect(throws: RPCError.self) { _ = try await event.watches() }
      _ = try await event.client.call(Tournament.listTiePolicies, .init())
    }
  }

  @Test("A spectator's token may call no method beyond those that are checked for private events")
  func allMethods() async throws {
    try await TestServer.run(.withDiagnostics) { server in
      let event = try await Spectated(server)
      var allowed = Set(event.rows.map(\.name))
      allowed.formUnion(try await event.watches().map(\.name))
      // It reads nothing of an event.
      allowed.insert(Tournament.listTiePolicies.name)
      let open: Set = ["quiver.v1.Health", "quiver.v1.Reflection", "quiver.v1.Diagnostics"]
      for method in ServiceCatalogue.archery.methods
      where !method.isAnonymous && !open.contains(method.serviceName) {
        let refusal = await Self.refusal(method, event.client)
        let isRefused =
          refusal?.code == .permissionDenied
          && refusal?.message.hasPrefix("tournament_id: ") == false
        #expect(isRefused == !allowed.contains(method.name), "\(method.name): \(refusal as Any)")
      }
    }
  }

  /// How an empty request of a spectator is refused.
  private static func refusal(_ method: MethodInfo, _ client: Client) async -> RPCError? {
    let options = CallOptions(timeout: .seconds(20))
    do throws(RPCError) {
      switch method.kind {
      case .unary:
        _ = try await client.call(
          UnaryMethod<EchoMessage, EchoMessage>(info: method), EchoMessage())
      case .serverStreaming:
        let stream = try client.client.stream(
          ServerStreamingMethod<EchoMessage, EchoMessage>(info: method), EchoMessage(),
          options: options)
        var replies = stream.makeAsyncIterator()
        _ = try await replies.next()
      case .clientStreaming, .bidirectional:
        let requests = AsyncStream<EchoMessage> { $0.finish() }
        let stream = try client.client.stream(
          BidirectionalMethod<EchoMessage, EchoMessage>(info: method), sending: requests,
          options: options)
        var replies = stream.makeAsyncIterator()
        _ = try await replies.next()
      }
      return nil
    } catch {
      return error
    }
  }

  @Test("A spectator's connection ends with its token, and those of later tokens do not")
  func expiry() async throws {
    try await TestServer.run(Self.quick) { server in
      let event = try await Spectated(server)
      let watch = try await Watch(
        Tournament.watchTournament, .with { $0.tournamentID = event.id }, event.client)
      let tokens = server.assembly.expiringTokens
      let end = event.token.expiresAtMilliseconds
      #expect(tokens.takeExpired(at: end - 1).isEmpty)
      let expired = tokens.takeExpired(at: end + 999)
      #expect(expired.count == 1)
      server.server.revalidate(EndedPermissions(tokenIDs: expired.map { $0 - 1 }))
      _ = try await event.client.call(Tournament.getResults, .with { $0.tournamentID = event.id })
      server.server.revalidate(EndedPermissions(tokenIDs: expired))
      #expect(await watch.end() == .unauthenticated)
    }
  }

  @Test("Who asks again within a minute gets the same token, which is valid for a day")
  func repeated() async throws {
    let held = HeldClock()
    var bounds = TestServer.StoreBounds()
    // Deadlines of calls are on the monotonic clock, which runs on.
    bounds.clock = StoreClock(
      monotonicNanoseconds: StoreClock.system.monotonicNanoseconds,
      wallMilliseconds: held.clock.wallMilliseconds)
    try await TestServer.run(.withDiagnostics, opening: bounds) { server in
      held.set(wallMilliseconds: 1_790_000_040_000)
      let tournament = try await TestTournament(server)
      let code = tournament.event.joinCode
      func token() async throws -> GetSpectatorTokenResponse {
        try await server.nobody().call(Tournament.getSpectatorToken, .with { $0.joinCode = code })
      }
      let first = try await token()
      #expect(first.expiresAtMilliseconds >= 1_790_000_040_000 + 24 * 3_600_000)
      held.advance(milliseconds: 59_999)
      #expect(try await token() == first)
      held.advance(milliseconds: 1)
      let next = try await token()
      #expect(next.token != first.token)
      #expect(next.expiresAtMilliseconds == first.expiresAtMilliseconds + 60_000)
    }
  }
}
