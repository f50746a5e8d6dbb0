import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

@testable import quiver_load

@Suite("What is read back", .timeLimit(.minutes(5)))
struct VerificationTests {
  private func written(
    _ kind: VerifiedKind, _ server: TestServer, count: UInt64 = 40
  ) async throws -> WriteBook {
    let writes = WriteBook(kind, runName: "load-test")
    var settings = LoadRun.Settings()
    settings.count = count
    settings.concurrency = 4
    let result = await VerifiedRun(settings, writes, over: server.client, request: []).run()
    #expect(result.summary.succeeded == count && result.summary.failed == 0)
    return writes
  }

  @Test("What a temporary principal created is deleted with it, and only for an administrator")
  func temporaryCaller() async throws {
    try await TestServer.run { server in
      let administrator = server.client
      let found = try await TemporaryCaller(of: administrator, kind: .user, name: "load-1")
      let caller = try #require(found)
      var dial = server.dial
      dial.token = caller.token
      let client = dial.client()
      _ = try await client.callEncoded(
        VerifiedKind.accessory.method, VerifiedKind.accessory.stamped([], 0, "load-1"))
      #expect(try await client.call(Equipment.getHub, GetHubRequest()).total == 1)
      #expect(try await TemporaryCaller(of: client, kind: .user, name: "load-2") == nil)
      #expect(await caller.delete(over: client) == nil)
      let error = await #expect(throws: RPCError.self) {
        try await dial.client().call(Equipment.getHub, GetHubRequest())
      }
      #expect(error?.code == .unauthenticated)
    }
  }

  @Test("What is acknowledged is there, once and in order", arguments: VerifiedKind.allCases)
  func clean(kind: VerifiedKind) async throws {
    try await TestServer.run { server in
      // Others' objects are nobody's business.
      _ = try await server.client.callEncoded(kind.method, kind.stamped([], 0, "other-run"))
      let finding = try await written(kind, server).check(server.client)
      #expect(finding.isClean && finding.acknowledged == 40, "\(finding.text)")
      #expect(finding.text.contains("40 acknowledged"))
    }
  }

  @Test("What goes behind the tester's back is lost", arguments: VerifiedKind.allCases)
  func lost(kind: VerifiedKind) async throws {
    try await TestServer.run { server in
      let writes = try await written(kind, server)
      var victim: Int64 = 0
      try await kind.readBack(server.client, "load-test") { number, id in
        if number == 17 { victim = id }
      }
      try await delete(kind, victim, server.client)
      let finding = try await writes.check(server.client)
      #expect(finding.lost.shown == ["17"] && finding.doubled.count == 0, "\(finding.text)")
      #expect(finding.acknowledged == 40 && !finding.isClean)
    }
  }

  @Test("A run that wrote nothing is read back as nothing", arguments: VerifiedKind.allCases)
  func nothing(kind: VerifiedKind) async throws {
    try await TestServer.run { server in
      let finding = try await WriteBook(kind, runName: "load-test").check(server.client)
      #expect(finding.isClean && finding.acknowledged == 0, "\(finding.text)")
    }
  }

  @Test("A write that is lost alone is lost", arguments: VerifiedKind.allCases)
  func allLost(kind: VerifiedKind) async throws {
    try await TestServer.run { server in
      let writes = try await written(kind, server, count: 1)
      var victim: Int64 = 0
      try await kind.readBack(server.client, "load-test") { _, id in victim = id }
      try await delete(kind, victim, server.client)
      let finding = try await writes.check(server.client)
      #expect(finding.lost.shown == ["0"] && !finding.isClean, "\(finding.text)")
    }
  }

  @Test("What is there twice is doubled", arguments: VerifiedKind.allCases)
  func doubled(kind: VerifiedKind) async throws {
    try await TestServer.run { server in
      let writes = try await written(kind, server)
      _ = try await server.client.callEncoded(kind.method, kind.stamped([], 5, "load-test"))
      let finding = try await writes.check(server.client)
      #expect(finding.doubled.shown == ["5"] && finding.lost.count == 0, "\(finding.text)")
    }
  }

  private func delete(
    _ kind: VerifiedKind, _ id: Int64, _ client: RPCClient
  ) async throws(RPCError) {
    switch kind {
    case .accessory:
      var request = DeleteItemRequest<Accessory>()
      request.id = id
      _ = try await client.call(Equipment.accessories.delete, request)
    case .weightEntry:
      var request = DeleteWeightEntryRequest()
      request.id = id
      _ = try await client.call(Logbook.deleteWeightEntry, request)
    case .liftSet:
      var request = DeleteSetRequest()
      request.id = id
      _ = try await client.call(Logbook.deleteSet, request)
    }
  }

  /// A server that answers some writes, and then nothing any more.
  private func silentServer(answers count: Int) throws -> (Server, address: String) {
    let held = Mutex<[Responder<Accessory>]>([])
    let handled = Atomic(0)
    let route = Route.responding(Equipment.accessories.create) { _, _, responder in
      guard handled.wrappingAdd(1, ordering: .relaxed).newValue > count else {
        return responder.succeed(Accessory())
      }
      held.withLock { $0.append(responder) }
    }
    let configuration = Server.Configuration(
      router: Router([route]), authenticator: Everybody(),
      identity: ServerIdentity(software: "quiver-load", instanceID: [1]))
    let server = try Server(configuration)
    let port = try server.listen(on: #require(Endpoint("127.0.0.1:0"))).first?.port
    return (server, "127.0.0.1:\(try #require(port))")
  }

  private struct Everybody: Authenticator {
    func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
      .caller(Caller(principalID: 1, tokenID: 1, kind: .user, displayName: "Robin"))
    }
  }

  @Test(
    "A run ends when the server answers nothing for the timeout of a call",
    arguments: [nil, 100.0])
  func silent(rate: Double?) async throws {
    let (server, address) = try silentServer(answers: 3)
    let client = try RPCClient(.init(server: address, token: "robin"))
    let writes = WriteBook(.accessory, runName: "load-test")
    var settings = LoadRun.Settings()
    // Without an end they would take hours.
    (settings.rate, settings.count, settings.seconds) = (rate, 100_000, 100_000)
    settings.concurrency = 4
    let run = VerifiedRun(
      settings, writes, over: client, request: [], timeout: .milliseconds(200))
    let result = await run.run()
    #expect(run.isSilent && result.summary.succeeded == 3)
    #expect(result.summary.failed > 0 && result.summary.ended < 1_000)
    await client.close(gracePeriod: .zero)
    withExtendedLifetime(server) {}
  }

  @Test("Who began after another had ended, and has a lower number, is out of order")
  func reordered() {
    let events: [(began: UInt64, ended: UInt64, number: Int64)] = [
      (0, 10, 1), (5, 20, 3), (11, 30, 2), (12, 14, 9), (31, 40, 8), (41, 50, 10), (1, 60, 7),
    ]
    // Only (31, 40, 8): 9 had ended by then. 2 began while 3 was under way.
    #expect(Finding.reordered(events) == [4])
    #expect(Finding.reordered([]) == [])
  }

  @Test("Beyond what is remembered, writes are counted and not looked for")
  func limit() async throws {
    try await TestServer.run { server in
      let writes = WriteBook(.accessory, runName: "r")
      writes.acknowledged(WriteBook.maximumCount, sent: 1, answered: 2, reply: [])
      writes.failed(WriteBook.maximumCount, RPCError(.unavailable, ""))
      let finding = try await writes.check(server.client)
      #expect(finding.unseen == 1 && finding.isClean, "\(finding.text)")
      #expect(finding.acknowledged == 0 && finding.unclear == 0)
      #expect(finding.text.contains("1 more were not looked for"))
    }
  }

  // MARK: Scores

  private func scored(
    _ server: TestServer, wholeEnds: Bool = true
  ) async throws -> ScoreBook {
    let event = Scenario.Event(
      name: "Test", entryCount: 3, format: "wa18", arrowLimit: 12, isPublic: true,
      isFinalised: true, finalistCount: 0)
    let scores = try await EventSetup(event: event, client: server.client).make().scores
    let call = wholeEnds ? "RecordEnd" : "RecordArrow"
    let json =
      #"{"version": 1, "name": "t", "stages": [{"shape": "hold", "duration": "1s"}],"#
      + #" "event": {"entries": 3}, "roles": [{"kind": "scorers", "name": "s", "actors": 2,"#
      + #" "call": "\#(call)"}]}"#
    let scenario = try ScenarioReader.scenario(Array(json.utf8))
    let context = RunContext(
      scenario: scenario, counters: TemplateCounters(runName: "r"), variables: [:],
      scores: scores)
    let gate = Tally.Gate()
    gate.open()
    let work = ScorerWork(
      scenario.roles[0], context, scores, [server.client], timeoutSeconds: 10,
      wholeEnds: wholeEnds, hasAccounts: false,
      tally: Tally(role: "s", method: call, counting: gate))
    let lives = [ActorLife(number: 0), ActorLife(number: 1)]
    for life in lives { life.start(work) }
    while scores.participants.indices.contains(where: { scores.openEnd($0) != nil }) {
      try await Task.sleep(for: .milliseconds(5))
    }
    for life in lives { life.stop() }
    while !lives.allSatisfy(\.isOver) { try await Task.sleep(for: .milliseconds(5)) }
    return scores
  }

  private func finding(_ scores: ScoreBook, _ server: TestServer) async throws
    -> quiver_load.Finding
  {
    try await ScoreCheck(scores: scores, client: server.client).finding()
  }

  private func arrow(_ scores: ScoreBook, _ slot: Int) -> ScoringOperation {
    var operation = ScoringOperation()
    operation.participantID = scores.participants[1]
    operation.endIndex = UInt32(slot / 3)
    operation.arrowIndex = UInt32(slot % 3)
    return operation
  }

  @Test("Every arrow that was acknowledged is there once", arguments: [true, false])
  func cleanScores(wholeEnds: Bool) async throws {
    try await TestServer.run { server in
      let scores = try await scored(server, wholeEnds: wholeEnds)
      #expect(scores.ends == [3, 3, 3, 3] && scores.topWithX != nil)
      let finding = try await finding(scores, server)
      #expect(finding.isClean && finding.acknowledged == 36, "\(finding.text)")
    }
  }

  @Test("An arrow that is taken back is lost; shot again, it is doubled")
  func lostScores() async throws {
    try await TestServer.run { server in
      let scores = try await scored(server)
      var take = RetractArrowRequest()
      var operation = arrow(scores, 7)
      operation.reason = "test"
      var card = GetScorecardRequest()
      card.participantID = scores.participants[1]
      let arrows = try await server.client.call(Rounds.getScorecard, card).arrows
      operation.replacesID = try #require(arrows.dropFirst(7).first).operationID
      take.operation = operation
      _ = try await server.client.call(Tournament.retractArrow, take)
      let lost = try await finding(scores, server)
      let name = "arrow 7 of participant \(scores.participants[1])"
      #expect(lost.lost.shown == [name] && lost.doubled.count == 0, "\(lost.text)")

      var again = RecordArrowRequest()
      var same = arrow(scores, 7)
      let mark = scores.card(1).arrows[7]
      same.value = UInt32(mark.value)
      same.isX = mark.isX
      again.operation = same
      _ = try await server.client.call(Tournament.recordArrow, again)
      let doubled = try await finding(scores, server)
      #expect(doubled.lost.count == 0 && doubled.doubled.shown == [name], "\(doubled.text)")
    }
  }

  @Test("What only its last attempt has not stored is unclear, and neither lost nor doubled")
  func withdrawn() {
    let scores = ScoreBook(
      tournament: 1, participants: [7], ends: [3], values: [10], topWithX: nil)
    var mark = ScoreBook.Mark()
    mark.value = 10
    let first = scores.sent(0, from: 0, [mark], at: 1)
    let again = scores.sent(0, from: 0, [mark], at: 2)
    #expect(first.commit == again.commit)
    scores.withdrawn(0, again)
    #expect(scores.card(0).arrows[0].state == .unclear)
    // The first attempt was stored after all.
    var card = Scorecard()
    card.arrows = [ScoredArrow()]
    card.arrows[0].value = 10
    var finding = Finding(subject: "arrows")
    ScoreCheck.check(scores, 0, card, nil, &finding)
    #expect(finding.unclear == 1 && finding.doubled.count == 0 && finding.lost.count == 0)
    scores.withdrawn(0, first)
    #expect(scores.card(0).arrows[0].state == .open)
  }

  @Test("Arrows of somebody whom nobody scored are found")
  func unscored() async throws {
    try await TestServer.run { server in
      let scores = try await scored(server)
      // As if the second participant had never been sent for.
      let others = ScoreBook(
        tournament: scores.tournament, participants: [scores.participants[1]], ends: scores.ends,
        values: scores.values, topWithX: scores.topWithX)
      let found = try await finding(others, server)
      #expect(
        found.doubled.shown
          == ["12 arrows of participant \(scores.participants[1]), whom nobody scored"])
      #expect(found.acknowledged == 0 && !found.isClean)
      let event = Scenario.Event(
        name: "Empty", entryCount: 2, format: "wa18", arrowLimit: 3, isPublic: true,
        isFinalised: true, finalistCount: 0)
      let unshot = try await EventSetup(event: event, client: server.client).make().scores
      #expect(try await finding(unshot, server).isClean)
    }
  }

  @Test("A card whose sums are not those of its arrows has wrong totals")
  func wrongTotals() async throws {
    try await TestServer.run { server in
      let scores = try await scored(server)
      var request = GetScorecardRequest()
      request.participantID = scores.participants[0]
      request.includeHistory = true
      var card = try await server.client.call(Rounds.getScorecard, request)
      var standings = GetStandingsRequest()
      standings.tournamentID = scores.tournament
      let rows = try await server.client.call(Tournament.getStandings, standings).rows
      let row = try #require(rows.first { $0.participantID == scores.participants[0] })
      var finding = Finding(subject: "arrows")
      ScoreCheck.check(scores, 0, card, row, &finding)
      #expect(finding.isClean, "\(finding.text)")
      var wrong = row
      wrong.total += 1
      ScoreCheck.check(scores, 0, card, wrong, &finding)
      ScoreCheck.check(scores, 0, card, nil, &finding)
      card.round?.score?.arrowCount -= 1
      ScoreCheck.check(scores, 0, card, row, &finding)
      #expect(finding.wrongTotals.count == 3 && finding.lost.count == 0)
    }
  }
}
