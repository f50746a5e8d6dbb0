import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Watches of private events by who loses a role or a lease", .timeLimit(.minutes(5)))
struct LostPermissionTests {
  private static var quick: ServerAssembly.Options {
    var options = ServerAssembly.Options()
    options.leaderboardIntervalMilliseconds = 1
    return options
  }

  /// A private event with a bracket, and all watches of it by others.
  private struct Private {
    let test: TestBracket
    let stage: Int64
    let match: Int64

    var id: Int64 { test.event.id }
    var organiser: Client { test.event.organiser }

    init(_ server: TestServer) async throws {
      test = try await TestBracket(server, TestBracket.descending(4)) { $0.isPublic = false }
      let bracket = try await test.cut(2)
      stage = try #require(bracket.stage).id
      match = bracket.matches[0].id
    }

    /// Opens every watch of the event, and reads its first message; each element returns how one
    /// ends.
    func watches(_ client: Client) async throws -> [@Sendable () async -> StatusCode?] {
      [
        try await Self.watch(Tournament.watchLeaderboard, .with { $0.tournamentID = id }, client),
        try await Self.watch(Tournament.watchTournament, .with { $0.tournamentID = id }, client),
        try await Self.watch(
          Elimination.watchBracket, .with { ($0.tournamentID, $0.stageID) = (id, stage) }, client),
        try await Self.watch(
          Elimination.watchMatch, .with { ($0.tournamentID, $0.matchID) = (id, match) }, client),
      ]
    }

    private static func watch<Request: Message, Response: WatchMessage>(
      _ method: ServerStreamingMethod<Request, Response>, _ request: Request, _ client: Client
    ) async throws -> @Sendable () async -> StatusCode? {
      let stream = try client.client.stream(
        method, request, options: CallOptions(timeout: .seconds(20)))
      var replies = stream.makeAsyncIterator()
      _ = try #require(try await replies.next())
      return {
        var replies = stream.makeAsyncIterator()
        do throws(RPCError) {
          while try await replies.next() != nil {}
          return nil
        } catch {
          return error.code
        }
      }
    }

    func setRole(_ principal: Int64, _ role: QuiverAPI.EventRole) async throws {
      let code = try test.event.tournament.server.code(of: principal)
      _ = try await organiser.call(
        Events.setEventOfficial,
        .with { ($0.tournamentID, $0.principalCode, $0.role) = (id, code, role) })
    }

    /// The code of the first target of matches, once the event demands leases.
    func code() async throws -> String {
      _ = try await organiser.call(
        Events.setEventLeases, .with { ($0.tournamentID, $0.demanded) = (id, true) })
      let found = try await organiser.call(
        Events.listTargetCodes,
        .with { ($0.tournamentID, $0.firstTarget, $0.lastTarget) = (id, 1, 1) })
      return try #require(found.codes.first).code
    }

    func join(_ code: String, _ client: Client, takesOver: Bool = false) async throws {
      _ = try await client.call(
        Events.joinTarget,
        .with { request in
          (request.code, request.card, request.device) = (code, 1, "phone")
          request.takeOver = takesOver
        })
    }

    func isVisible(to client: Client) async -> Bool {
      await client.refusal(Tournament.getTournament, .with { $0.id = id }) == nil
    }
  }

  private static func ends(_ watches: [@Sendable () async -> StatusCode?]) async -> [StatusCode?] {
    var codes: [StatusCode?] = []
    for end in watches { codes.append(await end()) }
    return codes
  }

  private static let allNotFound: [StatusCode?] = Array(repeating: .notFound, count: 4)

  @Test("Who loses its role in a private event loses all its watches of it, and others do not")
  func role() async throws {
    try await TestServer.run(Self.quick) { server in
      let event = try await Private(server)
      let principals = try ["Judge", "Other"].map { try server.principal(named: $0).id }
      for principal in principals { try await event.setRole(principal, .judge) }
      let lost = try await event.watches(try server.client(of: principals[0], [.read]))
      let other = try server.client(of: principals[1], [.read])
      var kept = try other.client.stream(
        Elimination.watchMatch, .with { ($0.tournamentID, $0.matchID) = (event.id, event.match) }
      ).makeAsyncIterator()
      _ = try await kept.next()
      _ = try await event.organiser.call(
        Events.removeEventOfficial,
        .with { ($0.tournamentID, $0.principalID) = (event.id, principals[0]) })
      #expect(await Self.ends(lost) == Self.allNotFound)
      _ = try await event.test.apply([try event.test.operation(event.match, 1, 0, [9, 9, 9])])
      while try #require(try await kept.next()?.match).sides[0].entries.isEmpty {}
    }
  }

  @Test("A watch that rests on a lease ends when the lease is left, taken over, or not demanded")
  func lease() async throws {
    try await TestServer.run(Self.quick) { server in
      let event = try await Private(server)
      let phone = try server.client(named: "Phone")
      for step in 0..<3 {
        try await event.join(try await event.code(), phone)
        let lost = try await event.watches(phone)
        switch step {
        case 0:
          _ = try await event.organiser.call(
            Events.leaveTarget, .with { ($0.tournamentID, $0.target, $0.card) = (event.id, 1, 1) })
        case 1:
          try await event.join(try await event.code(), event.organiser, takesOver: true)
          _ = try await event.organiser.call(
            Events.leaveTarget, .with { ($0.tournamentID, $0.target, $0.card) = (event.id, 1, 1) })
        default:
          _ = try await event.organiser.call(
            Events.setEventLeases, .with { $0.tournamentID = event.id })
        }
        #expect(await Self.ends(lost) == Self.allNotFound, "step \(step)")
        #expect(await !event.isVisible(to: phone))
      }
    }
  }

  @Test("An expired lease shows nothing of a private event, and its watches end with a change")
  func expired() async throws {
    let held = HeldClock()
    let clock = StoreClock(
      monotonicNanoseconds: StoreClock.system.monotonicNanoseconds,
      wallMilliseconds: held.clock.wallMilliseconds)
    try await TestServer.run(Self.quick, opening: .init(clock: clock)) { server in
      let event = try await Private(server)
      let phone = try server.client(named: "Phone")
      try await event.join(try await event.code(), phone)
      let lost = try await event.watches(phone)
      #expect(await event.isVisible(to: phone))
      held.advance(milliseconds: StoreLimits.leaseMilliseconds)
      #expect(await !event.isVisible(to: phone))
      let first = try await event.test.match(event.match).sides[0].participantID
      _ = try await event.organiser.call(
        Tournament.withdrawParticipant, .with { $0.participantID = first })
      #expect(await Self.ends(lost) == Self.allNotFound)
    }
  }
}
