import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Notices and pauses over the wire", .timeLimit(.minutes(5)))
struct EventNoticeServiceTests {
  private typealias Messages = ReplyStream<WatchTournamentResponse>.Iterator

  private static func watch(_ event: Int64, by client: Client) throws -> Messages {
    try client.client.stream(Tournament.watchTournament, .with { $0.tournamentID = event })
      .makeAsyncIterator()
  }

  private static func send(
    _ text: String, to event: TestEvent, by client: Client? = nil, isPublic: Bool = false
  ) async throws -> EventNotice {
    try await (client ?? event.organiser).call(
      Events.sendEventNotice,
      .with { ($0.tournamentID, $0.text, $0.isPublic) = (event.id, text, isPublic) })
  }

  private static func list(_ event: TestEvent, by client: Client) async throws -> [String] {
    try await client.call(Events.listEventNotices, .with { $0.tournamentID = event.id }).notices
      .map(\.text)
  }

  private static func spectator(_ event: TestEvent, _ server: TestServer) async throws -> Client {
    let code = event.tournament.event.joinCode
    let token = try await server.nobody().call(
      Tournament.getSpectatorToken, .with { $0.joinCode = code })
    return try server.client(token: token.token)
  }

  @Test("The watch of an event has its notices and each new one, for spectators the public ones")
  func watched() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let robin = try server.client(named: "Robin")
      _ = try await event.tournament.join(robin)
      _ = try await Self.send("Lunch at noon", to: event)
      let open = try await Self.send("Parking is full", to: event, isPublic: true)
      #expect(open.authorRole == .organiser && open.sentAtMilliseconds > 0)
      let spectator = try await Self.spectator(event, server)
      #expect(try await Self.list(event, by: robin) == ["Parking is full", "Lunch at noon"])
      #expect(try await Self.list(event, by: spectator) == ["Parking is full"])
      var own = try Self.watch(event.id, by: robin)
      var seen = try Self.watch(event.id, by: spectator)
      let first = try #require(try await own.next())
      #expect(first.notices.map(\.text) == ["Parking is full", "Lunch at noon"])
      #expect(first.tournament?.id == event.id && first.span?.isSnapshot == true)
      #expect(try await seen.next()?.notices.map(\.text) == ["Parking is full"])
      _ = try await Self.send("Shoot on A2", to: event)
      _ = try await Self.send("Cafe is open", to: event, isPublic: true)
      var got: [String] = []
      while got.count < 2 {
        let message = try #require(try await own.next())
        #expect(message.tournament == nil && message.participants.isEmpty)
        got += message.notices.map(\.text).reversed()
      }
      #expect(got == ["Shoot on A2", "Cafe is open"])
      // The private one is no message for a spectator.
      let shown = try #require(try await seen.next())
      #expect(shown.notices.map(\.text) == ["Cafe is open"] && shown.tournament == nil)
    }
  }

  @Test("A device that only holds a lease sees notices, and whoever lost its part sees none")
  func devices() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.isPublic = false }
      let line = try await event.session("line", targets: 1...2, archers: 2)
      _ = try await event.organiser.call(
        Events.setEventLeases, .with { ($0.tournamentID, $0.demanded) = (event.id, true) })
      let codes = try await event.organiser.call(
        Events.listTargetCodes, .with { ($0.tournamentID, $0.sessionID) = (event.id, line.id) })
      let phone = try server.client(named: "Phone")
      let outside = await phone.refusal(
        Events.listEventNotices, .with { $0.tournamentID = event.id })
      #expect(outside?.code == .notFound)
      _ = try await phone.call(
        Events.joinTarget,
        .with { ($0.code, $0.device, $0.card) = (codes.codes[0].code, "phone", 1) })
      let notice = try await event.organiser.call(
        Events.sendEventNotice,
        .with { request in
          (request.tournamentID, request.text) = (event.id, "Target 1: new face")
          (request.sessionID, request.firstTarget) = (line.id, 1)
        })
      #expect(notice.lastTarget == 1)
      #expect(try await Self.list(event, by: phone) == ["Target 1: new face"])
      _ = try await event.organiser.call(
        Events.leaveTarget,
        .with { request in
          (request.tournamentID, request.sessionID) = (event.id, line.id)
          (request.target, request.card) = (1, 1)
        })
      let left = await phone.refusal(
        Events.listEventNotices, .with { $0.tournamentID = event.id })
      #expect(left?.code == .notFound)
    }
  }

  @Test("A pause is pushed to watches, and arrows are entered meanwhile; its end is pushed too")
  func paused() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let entry = try await event.entries([TestEvent.draft("1", "Ann")])[0]
      try await event.tournament.start()
      let spectator = try await Self.spectator(event, server)
      var seen = try Self.watch(event.id, by: spectator)
      let first = try #require(try await seen.next())
      #expect(first.tournament?.shootingPause == nil)
      let pause = try await event.organiser.call(
        Events.pauseShooting,
        .with { ($0.tournamentID, $0.reason) = (event.id, "lightning") })
      let told = try #require(try await seen.next()?.tournament)
      #expect(told.shootingPause == pause && !told.paused)
      #expect(told.revision == first.tournament?.revision)
      try await event.tournament.record(entry.participantID, 0, 0, 9)
      #expect(try await event.standings() == ["1 Ann 9"])
      let progress = try await event.organiser.call(
        Events.getEventProgress, .with { $0.tournamentID = event.id })
      #expect(progress.pauses == [pause])
      let step = try #require(progress.steps.first { $0.kind == .qualification })
      #expect(step.missing.hasSuffix("the shooting is paused: lightning"))
      let again = await event.organiser.refusal(
        Events.pauseShooting, .with { ($0.tournamentID, $0.reason) = (event.id, "fog") })
      #expect(again?.code == .failedPrecondition)
      let ended = try await event.organiser.call(
        Events.resumeShooting, .with { $0.tournamentID = event.id })
      #expect(ended.id == pause.id && ended.endedBy == "Sheriff")
      let after = try #require(try await seen.next()?.tournament)
      #expect(after.shootingPause == nil)
      let book = try await event.organiser.call(
        Events.getEventDocument,
        .with { ($0.tournamentID, $0.kind) = (event.id, .resultBook) })
      let text = String(decoding: book.content, as: UTF8.self)
      #expect(text.contains("Pauses of the shooting") && text.contains(">lightning<"))
      let list = try await event.organiser.call(
        Events.getEventDocument,
        .with { ($0.tournamentID, $0.kind) = (event.id, .standings) })
      #expect(!String(decoding: list.content, as: UTF8.self).contains("lightning"))
    }
  }

  @Test("A pause that is repeated under its key is begun once, and is no refusal")
  func repeated() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      try await event.tournament.start()
      let key = IdempotencyKey.random()
      let request = PauseShootingRequest.with {
        ($0.tournamentID, $0.reason) = (event.id, "lightning")
      }
      let first = try await event.organiser.call(Events.pauseShooting, request, key: key)
      let second = try await event.organiser.call(Events.pauseShooting, request, key: key)
      #expect(first == second)
      let progress = try await event.organiser.call(
        Events.getEventProgress, .with { $0.tournamentID = event.id })
      #expect(progress.pauses.count == 1)
    }
  }
}
