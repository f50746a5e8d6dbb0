import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire
import Testing

@Suite("Papers and files of events", .timeLimit(.minutes(5)))
struct EventDocumentTests {
  private static let hostile = "=1+1,\"</td><script>x()</script>\u{202E}"

  /// The whole document with the number of its parts.
  private static func document(
    _ event: TestEvent, _ kind: EventDocumentKind, by client: Client? = nil,
    _ change: (inout GetEventDocumentRequest) -> Void = { _ in }
  ) async throws -> (text: String, parts: Int, last: GetEventDocumentResponse) {
    var request = GetEventDocumentRequest()
    (request.tournamentID, request.kind) = (event.id, kind)
    change(&request)
    var bytes: [UInt8] = []
    var parts = 0
    while true {
      let part = try await (client ?? event.organiser).call(Events.getEventDocument, request)
      #expect(part.content.count < StoreLimits.documentPartByteCount * 2)
      bytes += part.content
      parts += 1
      request.pageToken = part.nextPageToken
      if part.nextPageToken.isEmpty {
        return (try #require(String(validating: bytes, as: UTF8.self)), parts, part)
      }
    }
  }

  /// The numbers of the archers who are named in a document.
  private static func archers(_ text: String) -> Set<String> {
    let start = Array(">Archer ".utf8)
    var found: Set<String> = []
    for part in Array(text.utf8).split(separator: UInt8(ascii: "<")) {
      guard let end = part.firstIndex(of: UInt8(ascii: ">")), part[end...].starts(with: start)
      else { continue }
      found.insert(String(decoding: part[end...].dropFirst(start.count), as: UTF8.self))
    }
    return found
  }

  private static func refusal(
    _ event: TestEvent, _ change: (inout GetEventDocumentRequest) -> Void
  ) async -> RPCError? {
    var request = GetEventDocumentRequest()
    (request.tournamentID, request.kind) = (event.id, .startList)
    change(&request)
    return await event.organiser.refusal(Events.getEventDocument, request)
  }

  @Test("Lists, score cards and files have every entry, escaped, and licences for officials only")
  func entries() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let line = try await event.session("Line <1>", targets: 3...4, archers: 2)
      var drafts = [
        TestEvent.draft("7", Self.hostile, club: "Ψαρά & Co", session: line.id),
        TestEvent.draft("8", "李娜", club: "Ж", session: line.id),
        TestEvent.draft("9", "ليلى", session: line.id),
      ]
      drafts[1].licence = "L-8"
      try await event.entries(drafts)
      _ = try await event.draw(line.id, seed: 1)
      for kind in [EventDocumentKind.startList, .targetList, .scoreCards, .standings] {
        let paper = try await Self.document(event, kind)
        for text in ["李娜", "ليلى", "Ψαρά &amp; Co", "=1+1,&quot;&lt;/td&gt;&lt;script&gt;"] {
          #expect(paper.text.contains(text), "\(kind.rawValue) \(text)")
        }
        #expect(!paper.text.contains("<script") && !paper.text.contains("\u{202E}"))
        #expect(!paper.text.contains("L-8") && paper.text.hasSuffix("</html>\n"))
        #expect(paper.last.mediaType == "text/html; charset=utf-8" && paper.parts == 1)
      }
      let cards = try await Self.document(event, .scoreCards) {
        $0.linkBase = "https://club.example/score"
      }
      #expect(cards.text.split(separator: "<section class=\"card\" ").count == 4)
      #expect(cards.text.split(separator: "<svg").count == 4)
      let csv = try await Self.document(event, .entriesCSV)
      let lines = csv.text.split(separator: "\r\n")
      #expect(lines.count == 4)
      #expect(
        lines[1].hasPrefix("7,\"'=1+1,\"\"</td><script>x()</script>\u{202E}\",Ψαρά & Co,,,ALL"))
      #expect(lines[2].hasPrefix("8,李娜,Ж,,L-8,ALL,\(line.id),"))
      #expect(csv.last.fileName == "event-\(event.id)-entries.csv")
      // What was exported is read as the list that was imported.
      let read = try EntryCSV(Array(csv.text.utf8))
      #expect(read.entries.map { $0[.name] } == [Self.hostile, "李娜", "ليلى"])
      #expect(read.unknownColumns == ["state"])
      let outsider = try server.client(named: "Will")
      let seen = try await Self.document(event, .entriesCSV, by: outsider)
      #expect(seen.text.contains("8,李娜,Ж,,,ALL"))
    }
  }

  @Test("Results have the ranks of standings and brackets, and the medals")
  func results() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(7))
      let early = try await Self.document(test.event, .medals)
      #expect(early.text.contains("From the standings · provisional"))
      let stage = try #require(try await test.cut(6).stage).id
      let open = try await Self.document(test.event, .brackets)
      #expect(open.text.contains("Quarterfinals") && open.text.contains("bye"))
      let ended = try await test.playAll(stage)
      let standings = try await Self.document(test.event, .standingsCSV)
      let rows = standings.text.split(separator: "\r\n").dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false)
      }
      #expect(rows.map { "\($0[1]) \($0[3]) \($0[6])" }.first == "1 E1 30")
      #expect(rows.count == 7 && rows.allSatisfy { $0.count == 25 })
      let matches = try await Self.document(test.event, .matchesCSV)
      let lines = matches.text.split(separator: "\r\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false)
      }
      #expect(lines.count == 1 + ended.matches.count && lines.allSatisfy { $0.count == 25 })
      let final = try #require(lines.first { $0[3] == "final" })
      #expect(final[4] == "confirmed" && final[5] == "arrows" && final[6] == "1")
      #expect(final[9] == "E1" && final[11] == "6" && final[14] == "10 10 10 | 10 10 10 | 10 10 10")
      let medals = try await Self.document(test.event, .medals)
      let order = ["Gold", "E1", "Silver", "E2", "Bronze", "E3"].map {
        medals.text.firstRange(of: ">\($0)<")?.lowerBound
      }
      #expect(order.allSatisfy { $0 != nil } && order == order.sorted { $0! < $1! })
      let diplomas = try await Self.document(test.event, .diplomas) { $0.diplomaRanks = 4 }
      let pages = diplomas.text.split(separator: "<section class=\"card diploma\">").dropFirst()
      #expect(
        pages.map { page in ["E1", "E2", "E3", "E4"].first { page.contains(">\($0)<") } }
          == ["E1", "E2", "E3", "E4"])
      #expect(pages.first?.contains("<p><bdi>1st</bdi> place</p>") == true)
      let book = try await Self.document(test.event, .resultBook)
      #expect(book.text.contains("Quarterfinals") && book.text.contains(">Gold<"))
    }
  }

  @Test("A long document comes in parts that make one whole, and a token is of one document")
  func parts() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.maxParticipants = 2_000 }
      let line = try await event.session("line", targets: 1...200, archers: 4)
      let club = String(repeating: "&", count: 100)
      for start in [0, 750] {
        try await event.entries(
          (start..<start + 750).map {
            TestEvent.draft("\($0)", "Archer \($0)", club: club, session: $0 < 800 ? line.id : 0)
          })
      }
      _ = try await event.draw(line.id, seed: 1)
      let list = try await Self.document(event, .startList)
      #expect(list.parts > 1)
      #expect(list.text.split(separator: "<tr>").count == 1_502)
      #expect(list.text.split(separator: "<h2>").count == 2)
      #expect(Self.archers(list.text) == Set((0..<1_500).map(String.init)))
      // 700 entries of no session have no row; all of the session have one.
      let targets = try await Self.document(event, .targetList)
      #expect(targets.text.split(separator: "<tr").count == 802)
      #expect(Self.archers(targets.text) == Set((0..<800).map(String.init)))
      let standings = try await Self.document(event, .standings)
      #expect(Self.archers(standings.text) == Set((0..<1_500).map(String.init)))
      let cards = try await Self.document(event, .scoreCards)
      #expect(cards.parts > 1)
      #expect(cards.text.split(separator: "<section class=\"card\" ").count == 801)
      #expect(!cards.text.contains("of 2</b>"))
      let both = try await Self.document(event, .scoreCards) { $0.bothScorers = true }
      #expect(both.text.split(separator: "<section class=\"card\" ").count == 1_601)
      for number in [1, 2] {
        #expect(both.text.split(separator: ">Card \(number) of 2</b>").count == 801)
      }
      var request = GetEventDocumentRequest()
      (request.tournamentID, request.kind) = (event.id, .startList)
      let token = try await event.organiser.call(Events.getEventDocument, request).nextPageToken
      #expect(!token.isEmpty)
      for change in [
        { $0.kind = .targetList }, { $0.sessionID = line.id }, { $0.pageToken += "A" },
        { $0.bothScorers = true },
      ] as [(inout GetEventDocumentRequest) -> Void] {
        let refused = await Self.refusal(event) {
          $0.pageToken = token
          change(&$0)
        }
        #expect(refused?.code == .invalidArgument)
        #expect(refused?.message.hasPrefix("page_token: ") == true)
      }
    }
  }

  @Test("What is not valid is refused by its field")
  func refusals() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let rows: [(field: String, code: StatusCode, (inout GetEventDocumentRequest) -> Void)] = [
        ("kind", .invalidArgument, { $0.kind = .unspecified }),
        ("kind", .invalidArgument, { $0.kind = EventDocumentKind(rawValue: 99) }),
        ("category_id", .notFound, { $0.categoryID = 999_999 }),
        ("session_id", .notFound, { $0.sessionID = 999_999 }),
        ("tournament_id", .notFound, { $0.tournamentID = 999_999 }),
        ("time_zone", .invalidArgument, { $0.timeZone = "Mars/Olympus" }),
        ("kind", .failedPrecondition, { $0.kind = .sessionsCalendar }),
        ("session_id", .invalidArgument, { ($0.kind, $0.sessionID) = (.medals, 1) }),
        ("diploma_text", .invalidArgument, { $0.diplomaText = "Well done, {nmae}" }),
        (
          "diploma_text", .invalidArgument,
          { $0.diplomaText = String(repeating: "a", count: 2_001) }
        ),
        ("diploma_ranks", .invalidArgument, { $0.diplomaRanks = 1_001 }),
        ("link_base", .invalidArgument, { $0.linkBase = "javascript:alert(1)" }),
        ("link_base", .invalidArgument, { $0.linkBase = "https://a b" }),
        (
          "link_base", .invalidArgument,
          { $0.linkBase = "https://" + String(repeating: "a", count: 200) }
        ),
      ]
      for (field, code, change) in rows {
        let refused = await Self.refusal(event, change)
        #expect(
          refused?.code == code && refused?.message.hasPrefix(field + ": ") == true, "\(field)")
      }
    }
  }

  @Test("The calendar has the sessions with a time, in UTC")
  func calendar() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      _ = try await event.session("no time", targets: 1...2, archers: 1)
      _ = try await event.organiser.call(
        Events.createEventSession,
        .with { request in
          request.session = .with { session in
            (session.tournamentID, session.name) = (event.id, "Morning; early")
            (session.firstTarget, session.lastTarget, session.archersPerTarget) = (1, 9, 4)
            session.startsAtMilliseconds = 1_779_524_100_000
          }
        })
      let text = try await Self.document(event, .sessionsCalendar).text
      #expect(text.split(separator: "BEGIN:VEVENT").count == 2)
      #expect(text.contains("DTSTART:20260523T081500Z\r\n") && text.contains("Morning\\; early"))
      #expect(text.hasSuffix("END:VCALENDAR\r\n"))
      let list = try await Self.document(event, .targetList) { $0.timeZone = "Europe/Berlin" }
      #expect(list.text.contains("2026-05-23 10:15"))
    }
  }
}
