import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver event paper` and `quiver event export`: what an organiser prints, and files for others.
enum EventDocumentCommands {
  private static let category = Flag("--category", .word("CATEGORY"), "only this category")
  private static let session = Flag("--session", .word("SESSION"), "only this session")
  private static let zone = Flag("--zone", .word("ZONE"), "of times, as in Europe/Berlin (UTC)")
  private static let link = Flag(
    "--link", .word("URL"), "what the QR codes of score cards begin with")

  private static let papers: [(word: String, kind: EventDocumentKind)] = [
    ("start-list", .startList), ("target-list", .targetList), ("score-cards", .scoreCards),
    ("standings", .standings), ("brackets", .brackets), ("medals", .medals),
    ("results", .resultBook),
  ]
  private static let files: [(word: String, kind: EventDocumentKind)] = [
    ("entries", .entriesCSV), ("standings", .standingsCSV), ("matches", .matchesCSV),
    ("sessions", .sessionsCalendar),
  ]

  static let paper = Command(
    "event paper", operands: "ID PAPER FILE", summary: "write a paper of an event as HTML",
    details: """
      PAPER is start-list, target-list, score-cards, standings, brackets, medals or results. A
      browser prints it. FILE must not be there; - is standard output.
      """,
    flags: [category, session, zone, link, .timeout], run: runPaper)

  static let export = Command(
    "event export", operands: "ID LIST FILE", summary: "write a list of an event to a file",
    details: """
      LIST is entries, standings or matches, as comma-separated values, or sessions, as a calendar
      (iCalendar). FILE must not be there; - is standard output. The entries can be imported again.
      """,
    flags: [category, session, .timeout], run: runExport)

  private static let runPaper: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in try await write(arguments, papers, "PAPER")
  }

  private static let runExport: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in try await write(arguments, files, "LIST")
  }

  private static func write(
    _ arguments: Arguments, _ kinds: [(word: String, kind: EventDocumentKind)], _ name: String
  ) async throws(Failure) {
    let words = try arguments.operands(3...3, "ID \(name) FILE")
    var request = GetEventDocumentRequest()
    request.tournamentID = try TournamentText.id(words[0], "ID", arguments)
    guard let kind = kinds.first(where: { $0.word == words[1] })?.kind else {
      throw arguments.usage(
        "expected one of \(kinds.map(\.word).joined(separator: ", ")) for \(name)")
    }
    request.kind = kind
    if let id = arguments.value(of: category) {
      request.categoryID = try TournamentText.id(id, "CATEGORY", arguments)
    }
    if let id = arguments.value(of: session) {
      request.sessionID = try TournamentText.id(id, "SESSION", arguments)
    }
    request.timeZone = arguments.value(of: zone) ?? ""
    request.linkBase = arguments.value(of: link) ?? ""
    let access = try Access(arguments)
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
}
