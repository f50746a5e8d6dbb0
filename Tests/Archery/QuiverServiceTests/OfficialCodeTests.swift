import QuiverAPI
import QuiverClient
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@testable import QuiverService

@Suite("Officials who sign in by a code, over the wire", .timeLimit(.minutes(5)))
struct OfficialCodeTests {
  private static func secret(_ official: UInt8) -> [UInt8] {
    (0..<32).map { $0 &* 7 &+ official }
  }

  private static func make(
    _ role: QuiverAPI.EventRole, _ name: String, of event: TestEvent
  ) async throws -> CreateOfficialCodeResponse {
    try await event.organiser.call(
      Events.createOfficialCode,
      .with { ($0.tournamentID, $0.role, $0.displayName) = (event.id, role, name) })
  }

  /// A client of somebody who has signed in by a code.
  static func official(
    _ role: QuiverAPI.EventRole, _ number: UInt8, of event: TestEvent, _ server: TestServer
  ) async throws -> (client: Client, principal: Int64) {
    let made = try await make(role, "Official \(number)", of: event)
    let signedIn = try await server.nobody().call(
      Events.signInOfficial,
      .with { ($0.code, $0.deviceSecret) = (made.code, secret(number)) })
    let token = "qo_" + Base64URL.encode(secret(number))
    return (try server.client(token: token), signedIn.principalID)
  }

  /// What they may not call of events: it is of phones, or of who has no role yet.
  private static let refusedOfEvents: Set<String> = [
    "Events/SignInOfficial", "Events/WatchTargets", "Events/ReportDevice",
    "Events/DeliverOperations",
  ]
  private static let ofOthers: Set<String> = [
    "Health/Check", "Health/Watch", "Reflection/Describe", "Account/WhoAmI", "Rounds/ListFormats",
    "Rounds/GetFormat", "Tournament/ListTournaments", "Tournament/GetTournament",
    "Tournament/UpdateTournament", "Tournament/StartTournament", "Tournament/PauseTournament",
    "Tournament/FinaliseTournament", "Tournament/ReopenTournament", "Tournament/CancelTournament",
    "Tournament/ListParticipants", "Tournament/WithdrawParticipant",
    "Tournament/DisqualifyParticipant", "Tournament/ReinstateParticipant", "Tournament/ListScorers",
    "Tournament/ListLateOperations", "Tournament/AdmitOperations", "Tournament/RejectOperations",
    "Tournament/GetSpectatorToken", "Tournament/RecordArrow", "Tournament/RecordEnd",
    "Tournament/CorrectArrow", "Tournament/RetractArrow", "Tournament/ApplyOperations",
    "Tournament/GetStandings", "Tournament/RankUnderPolicy", "Tournament/ExplainRank",
    "Tournament/GetResults", "Tournament/ListTiePolicies", "Tournament/WatchLeaderboard",
    "Tournament/WatchTournament",
  ]

  @Test("Every method of accounts, and of others than events, is PERMISSION_DENIED")
  func methods() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let (organiser, _) = try await Self.official(.organiser, 1, of: event, server)
      var refused = 0
      for method in ServiceCatalogue.archery.methods {
        let name = String(method.name.dropFirst("quiver.v1.".count))
        let isOfEvents = name.hasPrefix("Events/") || name.hasPrefix("Elimination/")
        if isOfEvents && !Self.refusedOfEvents.contains(name) || Self.ofOthers.contains(name) {
          #expect(RestrictedMethods.ofOfficials.ids.contains(method.id), "\(name)")
          continue
        }
        refused += 1
        let call = UnaryMethod<ListTiePoliciesRequest, ListTiePoliciesRequest>(
          method.name, id: method.id, mutating: method.isMutating)
        let refusal = await organiser.refusal(call, ListTiePoliciesRequest())
        #expect(refusal?.code == .permissionDenied, "\(name)")
      }
      #expect(refused > 100)
    }
  }

  @Test("A code works once, and the same secret gets the same answer again")
  func once() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.isPublic = false }
      let made = try await Self.make(.judge, "Judge Judy", of: event)
      let official = try #require(made.official)
      #expect(made.code.hasPrefix("U-") && official.isBound && official.displayName == "Judge Judy")
      #expect(official.role == .judge && official.signedInAtMilliseconds == 0)
      let signIn = { (code: String, secret: [UInt8]) in
        SignInOfficialRequest.with { ($0.code, $0.deviceSecret) = (code, secret) }
      }
      let nobody = try server.nobody()
      // Not a code of an invite, and no code of an invite is one.
      let invite = await nobody.refusal(
        Account.redeemInvite, .with { ($0.code, $0.displayName) = (made.code, "Eve") })
      #expect(invite?.code == .notFound)
      let wrong = await nobody.refusal(
        Events.signInOfficial, signIn("U-0000-0000-0000-0000", Self.secret(2)))
      #expect(wrong?.code == .notFound)
      let short = await nobody.refusal(Events.signInOfficial, signIn(made.code, [1, 2, 3]))
      #expect(short?.code == .invalidArgument)
      let spelled = made.code.lowercased().filter { $0 != "-" }
      for _ in 0..<2 {
        let signedIn = try await nobody.call(
          Events.signInOfficial, signIn(spelled, Self.secret(2)))
        #expect(signedIn.principalID == official.principalID && signedIn.tournamentID == event.id)
        #expect(signedIn.signedInAtMilliseconds > 0)
      }
      let second = await nobody.refusal(
        Events.signInOfficial, signIn(made.code, Self.secret(3)))
      #expect(second?.code == .notFound)
      let withToken = await event.organiser.refusal(
        Events.signInOfficial, signIn(made.code, Self.secret(3)))
      #expect(withToken?.code == .failedPrecondition)
      for (role, name) in [(QuiverAPI.EventRole.unspecified, "Eve"), (.judge, "")] {
        let bad = await event.organiser.refusal(
          Events.createOfficialCode,
          .with { ($0.tournamentID, $0.role, $0.displayName) = (event.id, role, name) })
        #expect(bad?.code == .invalidArgument)
      }
    }
  }

  @Test("The token does what its role permits in its event, and nothing in another one")
  func bound() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.isPublic = false }
      let (judge, principal) = try await Self.official(.judge, 1, of: event, server)
      let notice = { (event: Int64) in
        SendEventNoticeRequest.with { ($0.tournamentID, $0.text) = (event, "Lunch") }
      }
      _ = try await judge.call(Events.sendEventNotice, notice(event.id))
      let own = try await judge.call(Tournament.listTournaments, ListTournamentsRequest())
      #expect(own.tournaments.map(\.id) == [event.id])
      let who = try await judge.call(Account.whoAmI, WhoAmIRequest())
      #expect(who.principal?.id == principal)
      // What is the organiser's is not the judge's.
      let category = CreateEventCategoryRequest.with {
        $0.category = .with { ($0.tournamentID, $0.code) = (event.id, "RM") }
      }
      #expect(
        await judge.refusal(Events.createEventCategory, category)?.code == .permissionDenied)
      let code = CreateOfficialCodeRequest.with {
        ($0.tournamentID, $0.role, $0.displayName) = (event.id, .organiser, "Eve")
      }
      #expect(await judge.refusal(Events.createOfficialCode, code)?.code == .permissionDenied)

      // Other events, public ones too, and also of an organiser.
      let (helper, _) = try await Self.official(.organiser, 2, of: event, server)
      _ = try await helper.call(Events.createEventCategory, category)
      for isPublic in [false, true] {
        let other = try await TestEvent(server) { $0.isPublic = isPublic }
        for client in [judge, helper] {
          let refusal = await client.refusal(Events.sendEventNotice, notice(other.id))
          #expect(refusal?.code == (isPublic ? .permissionDenied : .notFound))
        }
      }
      // Nor does the code of a target help there.
      let line = try await DeviceEvent(server)
      let join = JoinTargetRequest.with { request in
        (request.code, request.device, request.card) = (line.plates[0], "phone", 1)
      }
      #expect(await judge.refusal(Events.joinTarget, join)?.code == .permissionDenied)
    }
  }

  @Test("Nobody gives an official who is bound to an event a part in another one")
  func elsewhere() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let (_, principal) = try await Self.official(.judge, 1, of: event, server)
      // The same organiser has another event, so that the id is known.
      let second = try await event.organiser.call(
        Tournament.createTournament,
        .with {
          ($0.name, $0.maxParticipants, $0.format) = ("Second", 10, .library("wa18", arrows: 6))
        })
      let role = await event.organiser.refusal(
        Events.setEventOfficial,
        .with { ($0.tournamentID, $0.principalID, $0.role) = (second.id, principal, .judge) })
      #expect(role?.code == .notFound)
      let scorer = await event.organiser.refusal(
        Tournament.appointScorer,
        .with { ($0.tournamentID, $0.principalID) = (second.id, principal) })
      #expect(scorer?.code == .notFound)
      // In its own event it gets another role.
      let changed = try await event.organiser.call(
        Events.setEventOfficial,
        .with { ($0.tournamentID, $0.principalID, $0.role) = (event.id, principal, .checkIn) })
      #expect(changed.role == .checkIn && changed.isBound)
    }
  }

  @Test("An official is listed, not among the devices, and its token ends with its role")
  func removed() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let (judge, principal) = try await Self.official(.judge, 1, of: event, server)
      let id = event.id
      let list = { () async throws in
        try await event.organiser.call(
          Events.listEventOfficials, .with { $0.tournamentID = id }
        ).officials
      }
      let before = try await list()
      #expect(before.map(\.principalID) == [principal] && before[0].isBound)
      #expect(before[0].endsAtMilliseconds > before[0].signedInAtMilliseconds)
      let devices = try await event.organiser.call(
        Events.listEventDevices, .with { $0.tournamentID = id })
      #expect(devices.devices.isEmpty)
      let ended = await event.organiser.refusal(
        Events.endDevice, .with { ($0.tournamentID, $0.principalID) = (id, principal) })
      #expect(ended?.code == .notFound)
      // New codes of targets end phones, and no official.
      _ = try await event.organiser.call(
        Events.setEventLeases,
        .with { ($0.tournamentID, $0.demanded, $0.newCodes) = (id, true, true) })
      _ = try await judge.call(Events.listEventOfficials, .with { $0.tournamentID = id })

      _ = try await event.organiser.call(
        Events.removeEventOfficial, .with { ($0.tournamentID, $0.principalID) = (id, principal) })
      // Its connection is closed after the reply, and the next one finds no such token.
      var refusal: RPCError?
      for _ in 0..<200 where refusal?.code != .unauthenticated {
        refusal = await judge.refusal(Events.listEventOfficials, .with { $0.tournamentID = id })
      }
      #expect(refusal?.code == .unauthenticated)
      #expect(try await list().isEmpty)
      let again = try await server.nobody().refusal(
        Events.signInOfficial, .with { ($0.code, $0.deviceSecret) = ("U-", Self.secret(1)) })
      #expect(again?.code == .notFound)
    }
  }

  @Test("A code ends after 7 days, and a token after 30 days without a call, not with the event")
  func ends() async throws {
    let clock = HeldClock()
    var bounds = TestServer.StoreBounds()
    // Deadlines of calls are on the monotonic clock, which runs on.
    bounds.clock = StoreClock(
      monotonicNanoseconds: StoreClock.system.monotonicNanoseconds,
      wallMilliseconds: clock.clock.wallMilliseconds)
    let day: Int64 = 24 * 3_600_000
    try await TestServer.run(opening: bounds) { server in
      let event = try await TestEvent(server)
      let late = try await Self.make(.judge, "Late", of: event)
      let (helper, principal) = try await Self.official(.organiser, 1, of: event, server)
      let signIn = SignInOfficialRequest.with {
        ($0.code, $0.deviceSecret) = (late.code, Self.secret(2))
      }
      clock.advance(milliseconds: 7 * day)
      let expired = try await server.nobody().refusal(Events.signInOfficial, signIn)
      #expect(expired?.code == .failedPrecondition)
      #expect(expired?.message.contains("expired") == true)

      // A change that it makes is a call, after more days than the life of a scoring device.
      let notice = SendEventNoticeRequest.with {
        ($0.tournamentID, $0.text) = (event.id, "Lunch")
      }
      _ = try await helper.call(Events.sendEventNotice, notice)
      _ = try await event.organiser.call(
        Tournament.cancelTournament, .with { ($0.id, $0.reason) = (event.id, "storm") })
      let token = "qo_" + Base64URL.encode(Self.secret(1))
      let list = ListEventOfficialsRequest.with { $0.tournamentID = event.id }
      // A read is a call, too. The command that notes it goes before the next one of the official.
      for _ in 0..<2 {
        clock.advance(milliseconds: 29 * day)
        let now = clock.clock.wallMilliseconds()
        let again = try server.client(token: token)
        _ = try await again.call(Events.listEventOfficials, list)
        _ = try await again.call(Events.sendEventNotice, notice)
        let own = try await event.organiser.call(Events.listEventOfficials, list).officials
          .first { $0.principalID == principal }
        #expect(own?.lastCallAtMilliseconds == now)
        #expect(own?.endsAtMilliseconds == now + 30 * day)
      }
      clock.advance(milliseconds: 31 * day)
      let ended = try await server.client(token: token).refusal(Events.listEventOfficials, list)
      #expect(ended?.code == .unauthenticated)
    }
  }
}
