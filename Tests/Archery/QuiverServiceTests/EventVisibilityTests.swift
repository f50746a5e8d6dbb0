import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Who sees an event, and which names", .timeLimit(.minutes(5)))
struct EventVisibilityTests {
  private static var quick: ServerAssembly.Options {
    var options = ServerAssembly.Options()
    options.leaderboardIntervalMilliseconds = 1
    return options
  }

  /// A call that answers the bytes of its reply.
  private struct Row: Sendable {
    let name: String
    let call: @Sendable (Client) async throws -> [UInt8]

    init<Request: Message, Response: Message>(
      _ method: UnaryMethod<Request, Response>, _ request: Request
    ) {
      name = method.name
      call = { try await $0.call(method, request).serializedBytes() }
    }

    /// The first message of a watch.
    init<Request: Message, Response: WatchMessage>(
      _ method: ServerStreamingMethod<Request, Response>, _ request: Request
    ) {
      name = method.name
      call = { client in
        var replies = try client.client.stream(
          method, request, options: CallOptions(timeout: .seconds(20))
        ).makeAsyncIterator()
        return try #require(try await replies.next()).serializedBytes()
      }
    }
  }

  private static let names = ["Annabel Oakwood", "Bertram Yewtree", "Clothilde Ash", "Dieter Elm"]

  /// An event with a match, whose archers have names.
  private static func event(
    _ server: TestServer, _ change: (inout CreateTournamentRequest) -> Void = { _ in }
  ) async throws -> (test: TestBracket, stage: Int64, match: Int64) {
    let test = try await TestBracket(server, TestBracket.descending(4), change)
    for (entry, name) in zip(test.entries, names) {
      try await set(test.event, entry.participantID, ["display_name", "club"]) {
        ($0.displayName, $0.club) = (name, "Forest")
      }
    }
    let bracket = try await test.cut(2)
    return (test, try #require(bracket.stage).id, bracket.matches[0].id)
  }

  @discardableResult
  private static func set(
    _ event: TestEvent, _ participant: Int64, _ mask: [String],
    _ change: (inout EventEntry) -> Void
  ) async throws -> EventEntry {
    var entry = EventEntry()
    entry.participantID = participant
    change(&entry)
    let changed = entry
    return try await event.organiser.call(
      Events.updateEventEntry, .with { ($0.entry, $0.updateMask) = (changed, mask) })
  }

  @discardableResult
  private static func update(
    _ event: TestEvent, _ mask: [String], _ change: (inout TournamentEvent) -> Void
  ) async throws -> TournamentEvent {
    let id = event.id
    var shown = try await event.organiser.call(Tournament.getTournament, .with { $0.id = id })
    change(&shown)
    let changed = shown
    return try await event.organiser.call(
      Tournament.updateTournament,
      .with { ($0.tournament, $0.updateMask) = (changed, mask) })
  }

  private static func spectator(_ event: TestEvent, _ server: TestServer) async throws -> Client {
    let code = event.tournament.event.joinCode
    let token = try await server.nobody().call(
      Tournament.getSpectatorToken, .with { $0.joinCode = code })
    return try server.client(token: token.token)
  }

  /// What a spectator may read.
  private static func rows(
    _ test: TestBracket, _ stage: Int64, _ match: Int64
  ) -> [Row] {
    let (id, category) = (test.event.id, test.category)
    let participants = test.entries.map(\.participantID)
    return [
      Row(Tournament.getStandings, .with { $0.tournamentID = id }),
      Row(
        Tournament.getStandings,
        .with { ($0.tournamentID, $0.asOfMilliseconds) = (id, 4_000_000_000_000) }),
      Row(Tournament.getStandings, .with { ($0.tournamentID, $0.policy) = (id, .scoreOnly) }),
      Row(
        Tournament.explainRank,
        .with { request in
          request.tournamentID = id
          request.participantID = participants[0]
          request.otherParticipantID = participants[1]
        }),
      Row(Events.getCategoryStandings, .with { $0.tournamentID = id }),
      Row(
        Events.getTeamStandings,
        .with { request in
          (request.tournamentID, request.categoryID) = (id, category)
          (request.system, request.group) = (.teamSets, .club)
        }),
      Row(Elimination.getBracket, .with { $0.stageID = stage }),
      Row(Elimination.getMatch, .with { $0.matchID = match }),
      Row(Tournament.watchLeaderboard, .with { $0.tournamentID = id }),
      Row(
        Tournament.watchLeaderboard,
        .with { ($0.tournamentID, $0.aroundParticipantID) = (id, participants[0]) }),
      Row(
        Tournament.watchLeaderboard, .with { ($0.tournamentID, $0.categoryID) = (id, category) }),
      Row(Tournament.watchTournament, .with { $0.tournamentID = id }),
      Row(Elimination.watchBracket, .with { ($0.tournamentID, $0.stageID) = (id, stage) }),
      Row(Elimination.watchMatch, .with { ($0.tournamentID, $0.matchID) = (id, match) }),
    ]
  }

  /// What an account may read besides.
  private static func rowsOfAccounts(_ test: TestBracket, _ match: Int64) throws -> [Row] {
    let id = test.event.id
    let participant = test.entries[0].participantID
    let operation = try test.operation(match, 1, 0, [10, 10, 10])
    let papers: [EventDocumentKind] = [
      .startList, .targetList, .scoreCards, .standings, .brackets, .medals, .resultBook, .diplomas,
      .entriesCSV, .standingsCSV, .matchesCSV,
    ]
    return [
      Row(Tournament.listParticipants, .with { $0.tournamentID = id }),
      Row(Events.listEventEntries, .with { $0.tournamentID = id }),
      Row(Rounds.getScorecard, .with { $0.participantID = participant }),
      Row(Events.getComparedCard, .with { $0.participantID = participant }),
      Row(Elimination.applyMatchOperations, .with { $0.operations = [operation] }),
    ]
      + papers.map { kind in
        Row(
          Events.getEventDocument,
          .with { request in
            (request.tournamentID, request.kind) = (id, kind)
            (request.timeZone, request.diplomaRanks) = ("UTC", 3)
          })
      }
  }

  private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    bytes.firstRange(of: Array(text.utf8)) != nil
  }

  @Test("No reply, no paper and no watch shows a hidden name to who has no part in the event")
  func leaks() async throws {
    try await TestServer.run(Self.quick) { server in
      let (test, stage, match) = try await Self.event(server)
      let outsider = try server.client(named: "Will")
      let spectator = try await Self.spectator(test.event, server)
      let rows = Self.rows(test, stage, match)
      let ofAccounts = try Self.rowsOfAccounts(test, match)
      for (form, first) in [
        (QuiverAPI.PublicName.full, Self.names[0]), (.initials, "A. O."), (.bib, "1"),
        (.full, Self.names[0]),
      ] {
        try await Self.update(test.event, ["public_names"]) { $0.publicNames = form }
        for row in rows + ofAccounts {
          let own = try await row.call(test.event.organiser)
          var replies = [try await row.call(outsider)]
          if rows.contains(where: { $0.name == row.name }) {
            replies.append(try await row.call(spectator))
            // A reply that is kept.
            replies.append(try await row.call(outsider))
          }
          let isNamed = Self.names.contains { Self.contains(own, $0) }
          for reply in replies {
            for name in Self.names where form != .full {
              let family = name.split(separator: " ")[1]
              #expect(!Self.contains(reply, "\(family)"), "\(row.name) as \(form)")
            }
            if isNamed, form != .bib { #expect(Self.contains(reply, first), "\(row.name)") }
          }
        }
      }
    }
  }

  @Test("Archers under 18 have initials unless the event, or their entry, says otherwise")
  func juniors() async throws {
    try await TestServer.run(Self.quick) { server in
      let event = try await TestEvent(server)
      _ = try await event.organiser.call(
        Events.createEventCategory,
        .with { request in
          request.category = .with { category in
            (category.tournamentID, category.code) = (event.id, "U16")
            category.ageGroup = .under16
          }
        })
      let entries = try await event.entries([
        TestEvent.draft("1", "Ann Oak", category: "U16"), TestEvent.draft("2", "Bea Yew"),
        .with { ($0.bib, $0.name, $0.ageGroup) = ("3", "Cy Elm", .under14) },
        .with { ($0.bib, $0.name, $0.ageGroup, $0.publicName) = ("4", "Di Fir", .under18, .full) },
        .with { ($0.bib, $0.name, $0.publicName) = ("5", "Ed Ash", .bib) },
      ])
      #expect(entries.map(\.publicDisplayName) == ["A. O.", "", "C. E.", "", "5"])
      let spectator = try await Self.spectator(event, server)
      func names() async throws -> [String] {
        let id = event.id
        let page = try await spectator.call(
          Tournament.getStandings, .with { $0.tournamentID = id })
        return page.rows.sorted { $0.participantID < $1.participantID }.map(\.displayName)
      }
      #expect(try await names() == ["A. O.", "Bea Yew", "C. E.", "Di Fir", "5"])
      try await Self.update(event, ["junior_names"]) { $0.juniorNames = .full }
      #expect(try await names() == ["Ann Oak", "Bea Yew", "Cy Elm", "Di Fir", "5"])
      try await Self.update(event, ["junior_names", "public_names"]) {
        ($0.juniorNames, $0.publicNames) = (.bib, .initials)
      }
      #expect(try await names() == ["1", "B. Y.", "3", "Di Fir", "5"])
      // Another bib, age, category or name changes what is shown.
      try await Self.set(event, entries[0].participantID, ["bib"]) { $0.bib = "11" }
      try await Self.set(event, entries[2].participantID, ["age_group"]) { $0.ageGroup = .adult }
      try await Self.set(event, entries[1].participantID, ["display_name"]) {
        $0.displayName = "Zoe Yew"
      }
      #expect(try await names() == ["11", "Z. Y.", "C. E.", "Di Fir", "5"])
      var categories = try await event.organiser.call(
        Events.listEventCategories, .with { $0.tournamentID = event.id }
      ).categories
      categories[1].ageGroup = .adult
      let adults = categories[1]
      _ = try await event.organiser.call(
        Events.updateEventCategory, .with { $0.category = adults })
      #expect(try await names()[0] == "A. O.")
    }
  }

  @Test("An event is listed, watchable and joinable apart from each other")
  func apart() async throws {
    try await TestServer.run { server in
      for bits in 0..<8 {
        let (listed, watchable, joinable) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
        let event = try await TestEvent(server) { request in
          request.isPublic = bits % 3 == 0
          (request.listed, request.watchable, request.joinable) = (listed, watchable, joinable)
        }
        let id = event.id
        let name = "\(listed) \(watchable) \(joinable)"
        let made = event.tournament.event
        #expect(made.listed == listed && made.watchable == watchable, "\(name)")
        #expect(made.joinable == joinable && made.isPublic == (bits == 7), "\(name)")
        let outsider = try server.client(named: "outsider \(bits)")
        let list = try await outsider.call(
          Tournament.listTournaments, .with { $0.publicOnly = true })
        #expect(list.tournaments.contains { $0.id == id } == listed, "\(name)")
        let shown = await outsider.refusal(Tournament.getTournament, .with { $0.id = id })
        #expect((shown == nil) == (listed || watchable), "\(name)")
        let read = await outsider.refusal(
          Tournament.getStandings, .with { $0.tournamentID = id })
        #expect((read == nil) == watchable, "\(name)")
        let token = try await server.nobody().refusal(
          Tournament.getSpectatorToken, .with { $0.joinCode = made.joinCode })
        #expect((token == nil) == watchable, "\(name)")
        let byCode = await outsider.refusal(
          Tournament.joinTournament, .with { $0.joinCode = made.joinCode })
        // Whoever watches has the code.
        #expect((byCode == nil) == (joinable || !watchable), "\(name)")
        let other = try server.client(named: "other \(bits)")
        let byID = await other.refusal(
          Tournament.joinTournament, .with { $0.tournamentID = id })
        #expect((byID == nil) == joinable, "\(name)")
      }
    }
  }

  @Test("For older clients is_public sets all three, and is what all three are")
  func olderClients() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.isPublic = false }
      var shown = event.tournament.event
      #expect(!shown.isPublic && !shown.listed && !shown.watchable && !shown.joinable)
      shown = try await Self.update(event, ["is_public"]) { $0.isPublic = true }
      #expect(shown.isPublic && shown.listed && shown.watchable && shown.joinable)
      shown = try await Self.update(event, ["listed"]) { $0.listed = false }
      #expect(!shown.isPublic && shown.watchable && shown.joinable)
      // What is named itself comes after it.
      shown = try await Self.update(event, ["is_public", "joinable"]) {
        ($0.isPublic, $0.joinable) = (true, false)
      }
      #expect(shown.listed && shown.watchable && !shown.joinable)
    }
  }

  @Test("After the last day of its boards only who has a part in the event reads it")
  func lastDay() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let id = event.id
      try await event.entries([TestEvent.draft("1", "Ann Oak")])
      let today = Int32(server.store.nowMilliseconds / 86_400_000)
      let spectator = try await Self.spectator(event, server)
      let outsider = try server.client(named: "Will")
      let member = try server.client(named: "Mary")
      _ = try await event.tournament.join(member)
      func refusal(_ client: Client) async -> StatusCode? {
        await client.refusal(Tournament.getStandings, .with { $0.tournamentID = id })?.code
      }
      try await Self.update(event, ["last_board_day"]) { $0.lastBoardDay = today }
      for client in [spectator, outsider, member] { #expect(await refusal(client) == nil) }
      try await Self.update(event, ["last_board_day"]) { $0.lastBoardDay = today - 2 }
      #expect([.unauthenticated, .notFound].contains(await refusal(spectator)))
      #expect(await refusal(outsider) == .notFound)
      #expect(await refusal(member) == nil)
      #expect(await refusal(event.organiser) == nil)
      let code = event.tournament.event.joinCode
      let token = try await server.nobody().refusal(
        Tournament.getSpectatorToken, .with { $0.joinCode = code })
      #expect(token?.code == .failedPrecondition)
      #expect(token?.message.contains("have ended") == true)
      try await Self.update(event, ["last_board_day"]) { $0.lastBoardDay = 0 }
      #expect(await refusal(outsider) == nil)
    }
  }

  @Test("A watch of an outsider ends where names are hidden, and begins again with what is shown")
  func openWatches() async throws {
    try await TestServer.run(Self.quick) { server in
      let event = try await TestEvent(server)
      let id = event.id
      let entry = try await event.entries([TestEvent.draft("1", "Ann Oak")])[0]
      let clients = [
        try server.client(named: "Will"), try await Self.spectator(event, server),
      ]
      func watch(_ client: Client) throws -> ReplyStream<WatchLeaderboardResponse>.Iterator {
        try client.client.stream(
          Tournament.watchLeaderboard, .with { $0.tournamentID = id },
          options: CallOptions(timeout: .seconds(20))
        ).makeAsyncIterator()
      }
      var own = try watch(event.organiser)
      #expect(try await own.next()?.rows.map(\.displayName) == ["Ann Oak"])
      var watches = try clients.map(watch)
      for index in watches.indices {
        #expect(try await watches[index].next()?.rows.map(\.displayName) == ["Ann Oak"])
      }
      try await Self.set(event, entry.participantID, ["public_name"]) { $0.publicName = .initials }
      for index in watches.indices {
        do throws(RPCError) {
          while try await watches[index].next() != nil {}
          Issue.record("the watch ended without an error")
        } catch {
          #expect(error.code == .outOfRange)
        }
        var again = try watch(clients[index])
        #expect(try await again.next()?.rows.map(\.displayName) == ["A. O."])
      }
      // Who has a part in the event watches on.
      try await event.tournament.start()
      try await event.tournament.record(entry.participantID, 0, 0, 9)
      var shown: [String] = []
      while let message = try await own.next(), message.rows.first?.total != 9 {
        shown += message.rows.map(\.displayName)
      }
      #expect(Set(shown).isSubset(of: ["Ann Oak"]))
      // An arrow reaches the other window with the name of the others.
      var last = try watch(clients[0])
      #expect(try await last.next()?.rows.first?.total == 9)
    }
  }

  @Test("Values that are not known, and names that are too long, are refused and change nothing")
  func badValues() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let entry = try await event.entries([TestEvent.draft("1", "Ann Oak")])[0]
      func check(
        _ mask: String, _ change: (inout TournamentEvent) -> Void
      ) async throws {
        let before = try server.lastSequence()
        await #expect(throws: RPCError.self, "\(mask)") {
          try await Self.update(event, [mask], change)
        }
        #expect(try server.lastSequence() == before)
      }
      try await check("public_names") { $0.publicNames = QuiverAPI.PublicName(rawValue: 4) }
      try await check("correction_consent") {
        $0.correctionConsent = QuiverAPI.CorrectionConsent(rawValue: 4)
      }
      try await check("junior_names") { $0.juniorNames = QuiverAPI.PublicName(rawValue: -1) }
      for day in [Int32.min, -1, 2_932_897, Int32.max] {
        try await check("last_board_day") { $0.lastBoardDay = day }
      }
      let changes: [(String, (inout EventEntry) -> Void)] = [
        ("display_name", { $0.displayName = String(repeating: "x", count: 200) }),
        ("display_name", { $0.displayName = " " }),
        ("public_name", { $0.publicName = QuiverAPI.PublicName(rawValue: 9) }),
        ("face_layout", { $0.faceLayout = QuiverAPI.FaceLayout(rawValue: 3) }),
        ("bowstyle", { $0.bowstyle = Bowstyle(rawValue: 99) }),
        ("gender", { $0.gender = ArcherGender(rawValue: 99) }),
        ("age_group", { $0.ageGroup = AgeGroup(rawValue: 99) }),
      ]
      for (mask, change) in changes {
        let before = try server.lastSequence()
        await #expect(throws: RPCError.self, "\(mask)") {
          try await Self.set(event, entry.participantID, [mask], change)
        }
        #expect(try server.lastSequence() == before)
      }
    }
  }

  @Test("A list of entries gives places, and says of its archers what their category does not")
  func imports() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let line = try await event.session("line", targets: 1...2, archers: 2)
      func draft(_ bib: String, _ target: UInt32, _ letter: String) -> EventEntryDraft {
        var draft = TestEvent.draft(bib, "Archer \(bib)", session: line.id)
        (draft.target, draft.letter) = (target, letter)
        (draft.bowstyle, draft.gender, draft.ageGroup) = (.barebow, .female, .over50)
        draft.faceLayout = .triple
        return draft
      }
      let made = try await event.entries([draft("1", 1, "a"), draft("2", 2, "B")])
      #expect(made.map(\.target) == [1, 2] && made.map(\.letter) == ["A", "B"])
      #expect(made[0].bowstyle == .barebow && made[0].gender == .female)
      #expect(made[0].ageGroup == .over50 && made[0].faceLayout == .triple)
      // The same list again, also as a client sends it that does not know of these fields.
      let again = try await event.entries([
        draft("1", 1, "A"), TestEvent.draft("2", "Archer 2", session: line.id),
      ])
      #expect(again == made)
      let refused: [([EventEntryDraft], StatusCode)] = [
        ([draft("3", 1, "A")], .failedPrecondition), ([draft("3", 3, "A")], .invalidArgument),
        ([draft("3", 1, "C")], .invalidArgument), ([draft("3", 1, "E")], .invalidArgument),
        ([draft("3", 0, "A")], .invalidArgument), ([draft("1", 1, "B")], .alreadyExists),
        ([draft("3", 1, "B"), draft("4", 1, "B")], .invalidArgument),
        ([draft("3", UInt32.max, "B")], .invalidArgument),
      ]
      for (drafts, code) in refused {
        let before = try server.lastSequence()
        let refusal = await event.organiser.refusal(
          Events.importEventEntries,
          .with { ($0.tournamentID, $0.entries) = (event.id, drafts) })
        #expect(refusal?.code == code, "\(drafts.map(\.target)) \(drafts.map(\.letter))")
        #expect(try server.lastSequence() == before)
      }
    }
  }
}
