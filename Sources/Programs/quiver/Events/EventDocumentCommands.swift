import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver event paper` and `quiver event export`: what an organiser prints, and files for others.
enum EventDocumentCommands {
  private static let category = Flag("--category", .word("CATEGORY"), "only this category")
  private static let session = Flag("--session", .word("SESSION"), "only this session")
  private static let zone = Flag(
    "--zone", .word("ZONE"), "the zone of times, as Europe/Berlin; UTC by default")
  private static let link = Flag(
    "--link", .word("URL"), "the beginning of the links in the QR codes of score cards")
  private static let address = Flag(
    "--address", .word("URL"),
    "the address of the pages, as https://scores.club.example: the QR codes of score cards lead to"
      + " the score page")
  private static let text = Flag(
    "--text", .word("FILE"), "the text of diplomas, with {name} and the like; - is standard input")
  private static let ranks = Flag(
    "--ranks", .word("COUNT"), "the last rank that gets a diploma; 3 by default")

  private static let bothScorers = Flag(
    "--both-scorers", .none, "score cards for the second scorer too: two for each archer")

  private static let cards = Flag(
    "--cards", .word("COUNT"), "of score cards: how many are on a page, 1, 2 or 4; 1 by default")
  private static let language = Flag(
    "--language", .word("LANGUAGE"), "the words on the paper: en, de, fr or it; en by default")

  private static let distances = Flag(
    "--distances", .word("COUNT"),
    "of ianseo-results and ianseo-arrows: into how many distances a card is divided, 1 to 8; by"
      + " default its passes")

  private static let papers: [(word: String, kind: EventDocumentKind)] = [
    ("start-list", .startList), ("target-list", .targetList), ("score-cards", .scoreCards),
    ("standings", .standings), ("brackets", .brackets), ("medals", .medals),
    ("results", .resultBook), ("diplomas", .diplomas),
  ]
  private static let files: [(word: String, kind: EventDocumentKind)] = [
    ("entries", .entriesCSV), ("standings", .standingsCSV), ("matches", .matchesCSV),
    ("sessions", .sessionsCalendar),
  ]

  static let paper = Command(
    "event paper", operands: "EVENT PAPER FILE", summary: "write a paper of an event as HTML",
    details: """
      PAPER is start-list, target-list, score-cards, standings, brackets, medals, results or
      diplomas. A browser prints it. FILE must not exist; - is standard output. In the text of
      diplomas, whose first line is the heading, {event}, {name}, {members} (of a team), {club},
      {country}, {category}, {rank}, {place} (as in 1st) and {date} stand for values; lines without
      a value for them are left out.
      """,
    flags: [
      category, session, zone, link, address, text, ranks, bothScorers, cards, language, .timeout,
    ],
    names: [.event],
    examples: [
      "event paper Indoor target-list targets.html",
      "event paper Indoor score-cards - --session morning",
    ], run: runPaper)

  static let export = Command(
    "event export", operands: "EVENT LIST FILE", summary: "write a list of an event to a file",
    details: """
      LIST is entries, standings or matches, as comma-separated values, sessions, as a calendar
      (iCalendar), or one of ianseo: ianseo has the entries as its page List load takes them,
      ianseo-results the qualification as ianseo writes it by Export Text File, and ianseo-arrows
      the arrows of all archers in lines that List load takes. These replace the arrows of the
      archers with the same codes, and ianseo computes the results. A card is divided into the
      distances of the competition in ianseo: give --distances 2 where ianseo has a 70 m round as
      two of 36 arrows. FILE must not be there; - is standard output. Entries with a bib can be
      imported again, and standings and ianseo-results as totals on paper (event import-results).
      """,
    flags: [category, session, distances, .timeout], names: [.event],
    examples: ["event export Indoor standings results.csv"], run: runExport)

  private static let runPaper: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in try await write(arguments, papers, "PAPER")
  }

  private static let runExport: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    guard arguments.operands.count == 3, arguments.operands[1].hasPrefix("ianseo") else {
      guard arguments.value(of: distances) == nil else {
        throw arguments.usage("\(distances.name) is of ianseo-results and ianseo-arrows")
      }
      return try await write(arguments, files, "LIST")
    }
    for flag in [category, session] where arguments.value(of: flag) != nil {
      throw arguments.usage("\(flag.name) is not of lists for ianseo, which have all archers")
    }
    let count = try distanceCount(arguments)
    let access = try Access(arguments)
    let tournament = try await Names(access, arguments).id(
      of: arguments.operands[0], .event, "EVENT")
    let text: String
    switch arguments.operands[1] {
    case "ianseo": text = try await IanseoFile.text(of: tournament, access)
    case "ianseo-results":
      text = try await IanseoResultFile.results(
        of: tournament, distances: count, access)
    case "ianseo-arrows":
      text = try await IanseoResultFile.arrows(
        of: tournament, distances: count, access)
    case let word: throw arguments.usage("there is no list \(word)")
    }
    let file = try OutputFile.make(path: arguments.operands[2])
    try file.write(text: Array(text.utf8))
    try file.keep()
  }

  /// A paper is HTML, whatever its file is called: nobody gets it in a file that no program opens.
  static func checkPaperFile(_ path: String, _ arguments: Arguments) throws(Failure) {
    guard path.lowercased().hasSuffix(".pdf") else { return }
    let page = path.dropLast(4) + ".html"
    throw arguments.usage(
      "a paper is HTML, and \(path) would be no PDF: write \(page) and print it in a browser, as"
        + " chromium --headless --no-pdf-header-footer --print-to-pdf=\(path) \(page)")
  }

  private static func distanceCount(_ arguments: Arguments) throws(Failure) -> Int? {
    guard let text = arguments.value(of: distances) else { return nil }
    guard arguments.operands[1] != "ianseo", let count = Int(text), (1...8).contains(count) else {
      throw arguments.usage(
        "\(distances.name) is of ianseo-results and ianseo-arrows, and needs a number from 1 to 8,"
          + " not \(text)")
    }
    return count
  }

  private static func linkBase(_ arguments: Arguments) throws(Failure) -> String {
    guard let text = arguments.value(of: address) else { return arguments.value(of: link) ?? "" }
    guard arguments.value(of: link) == nil else {
      throw arguments.usage("\(link.name) and \(address.name) do not go together")
    }
    return try ScorePage.link(text, arguments)
  }

  private static func write(
    _ arguments: Arguments, _ kinds: [(word: String, kind: EventDocumentKind)], _ name: String
  ) async throws(Failure) {
    let words = try arguments.operands(3...3, "EVENT \(name) FILE")
    var request = GetEventDocumentRequest()
    guard let kind = kinds.first(where: { $0.word == words[1] })?.kind else {
      throw arguments.usage(
        "expected one of \(kinds.map(\.word).joined(separator: ", ")) for \(name)")
    }
    request.kind = kind
    request.timeZone = arguments.value(of: zone) ?? ""
    request.linkBase = try linkBase(arguments)
    request.bothScorers = arguments.has(bothScorers)
    request.cardsPerPage = UInt32(try arguments.number(of: cards, 1...4) ?? 0)
    request.language = arguments.value(of: language) ?? ""
    if name == "PAPER" { try checkPaperFile(words[2], arguments) }
    if let path = arguments.value(of: text) {
      request.diplomaText = String(
        decoding: path == "-"
          ? try InputText.standardInput() : try InputText.bytes(ofFile: path), as: UTF8.self)
    }
    if let count = arguments.value(of: ranks) {
      guard let number = UInt32(count), number > 0 else {
        throw arguments.usage("\(ranks.name) needs a number above 0, not \(count)")
      }
      request.diplomaRanks = number
    }
    let access = try Access(arguments)
    try await setNames(&request, words[0], access, arguments)
    let file = try OutputFile.make(path: words[2])
    repeat {
      let wanted = request
      let part = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Events.getEventDocument, wanted)
      }
      try file.write(text: part.content)
      request.pageToken = part.nextPageToken
    } while !request.pageToken.isEmpty
    try file.keep()
  }

  /// Sets the event, and the category and the session that the flags name.
  private static func setNames(
    _ request: inout GetEventDocumentRequest, _ event: String, _ access: Access,
    _ arguments: Arguments
  ) async throws(Failure) {
    let names = Names(access, arguments)
    request.tournamentID = try await names.id(of: event, .event, "EVENT")
    if let text = arguments.value(of: category) {
      request.categoryID = try await names.id(of: text, .category, category.name)
    }
    if let text = arguments.value(of: session) {
      request.sessionID = try await names.id(of: text, .session, session.name)
    }
  }
}
