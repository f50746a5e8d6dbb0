import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// `quiver event import`: the entries of a file.
enum EventImportCommand {
  private static let format = Flag(
    "--format", .word("csv|ianseo"), "csv by default; ianseo: as its page List load takes them")

  static let command = Command(
    "event import", operands: "ID FILE", summary: "import entries from a CSV file",
    details: """
      FILE has a line of column names: bib and name, and any of club, country, licence, category
      (the code of one) and session (the id of one). Other columns are reported and skipped. If
      the event has an equal entry with the same bib, nothing is added for it, so the same file can
      be imported again. A file with an invalid line adds nothing. A file with more than 1,000
      entries is sent 1,000 entries at a time; those before the 1,000 with the invalid line are
      added. FILE - is standard input.

      A list for ianseo has a line for each entry, with tabs or semicolons between code, session,
      division, class, target, five marks, family name, given name, sex, and the code and the name
      of the country or club. The code is the bib and the licence, division and class together are
      the code of a category, and session 1 is the event's first one. Entries get their targets.
      """,
    flags: [format, .json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(2...2, "ID FILE")
    let tournament = try TournamentText.id(words[0], "ID", arguments)
    switch arguments.value(of: format) ?? "csv" {
    case "csv": break
    case "ianseo":
      let entries = try await IanseoFile.read(words[1], into: tournament, try Access(arguments))
      return try show(.with { $0.entries = entries }, arguments)
    case let word: throw arguments.usage("--format is csv or ianseo, not \(word)")
    }
    let bytes =
      words[1] == "-" ? try InputText.standardInput() : try InputText.bytes(ofFile: words[1])
    let list: EntryCSV
    do throws(RuleViolation) {
      list = try EntryCSV(bytes)
    } catch {
      throw .input("\(words[1]): \(error.field) \(error.message)")
    }
    guard !list.entries.isEmpty else { throw .input("\(words[1]) has no entries") }
    Terminal.notice(unknownColumns: list.unknownColumns)
    let access = try Access(arguments)
    var made = ImportEventEntriesResponse()
    for first in stride(from: 0, to: list.entries.count, by: entriesPerCall) {
      var request = ImportEventEntriesRequest()
      request.tournamentID = tournament
      request.entries = list.entries.dropFirst(first).prefix(entriesPerCall).map(draft)
      let wanted = request
      let answer = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Events.importEventEntries, wanted)
      }
      made.entries += answer.entries
    }
    try show(made, arguments)
  }

  private static func show(
    _ made: ImportEventEntriesResponse, _ arguments: Arguments
  ) throws(Failure) {
    if arguments.has(.json) {
      try Terminal.print(TournamentText.json(made))
      return
    }
    try Terminal.print("\(made.entries.count) entries")
  }

  private static let entriesPerCall = 1_000

  private static func draft(_ entry: EntryCSV.Entry) -> EventEntryDraft {
    var draft = EventEntryDraft()
    draft.bib = entry[.bib]
    draft.name = entry[.name]
    draft.club = entry[.club]
    draft.country = entry[.country]
    draft.licence = entry[.licence]
    draft.categoryCode = entry[.category]
    draft.sessionID = Int64(entry[.session]) ?? 0
    return draft
  }
}
