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
    "event import", operands: "EVENT FILE", summary: "import entries from a CSV file",
    details: """
      FILE has a line of column names: bib and name, and any of club, country, licence, category
      (the code of one), session (the name of one or the beginning of it, or its id), target and
      letter (a place of the session), bow, gender and age (as in quiver event entry, if not those
      of the category), face (single or triple) and shown (the name in public: full, initials or
      bib). Other columns are reported and
      skipped. If the event has an equal entry with the same bib, nothing is added for it, so the
      same file can be imported again. A file with an invalid line adds nothing. A file with more
      than 1,000 entries is sent 1,000 entries at a time; those before the 1,000 with the invalid
      line are added. FILE - is standard input.

      A list for ianseo has a line for each entry, with tabs or semicolons between code, session,
      division, class, target, five marks, family name, given name, sex, and the code and the name
      of the country or club. The code is the bib and the licence, division and class together are
      the code of a category, and session 1 is the event's first one. Entries get their targets.
      """,
    flags: [format, .json, .timeout], names: [.event],
    examples: ["event import Indoor entries.csv"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(2...2, "EVENT FILE")
    switch arguments.value(of: format) ?? "csv" {
    case "csv": break
    case "ianseo":
      let access = try Access(arguments)
      let tournament = try await Names(access, arguments).id(of: words[0], .event, "EVENT")
      let entries = try await IanseoFile.read(words[1], into: tournament, access)
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
    let names = Names(access, arguments)
    let tournament = try await names.id(of: words[0], .event, "EVENT")
    let sessions = try await sessions(of: list.entries, words[1], names)
    var made = ImportEventEntriesResponse()
    for first in stride(from: 0, to: list.entries.count, by: entriesPerCall) {
      var request = ImportEventEntriesRequest()
      request.tournamentID = tournament
      let part = Array(list.entries.dropFirst(first).prefix(entriesPerCall))
      for entry in part { request.entries.append(try draft(entry, sessions, words[1])) }
      do throws(RPCError) {
        made.entries += try await access.client.call(Events.importEventEntries, request).entries
      } catch {
        throw access.plainFailure(inLines(error, part, words[1]))
      }
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

  /// The ids of the sessions that the entries name.
  private static func sessions(
    of entries: [EntryCSV.Entry], _ path: String, _ names: Names
  ) async throws(Failure) -> [String: Int64] {
    var found: [String: Int64] = [:]
    for entry in entries where !entry[.session].isEmpty && found[entry[.session]] == nil {
      do throws(Failure) {
        found[entry[.session]] = try await names.id(of: entry[.session], .session, "session")
      } catch {
        throw error.at("\(path): line \(entry.line):")
      }
    }
    return found
  }

  /// The error with the line of the file in place of the index of an entry: `line 4: bib` for
  /// `entries[2].bib`.
  static func inLines(_ error: RPCError, _ entries: [EntryCSV.Entry], _ path: String) -> RPCError {
    guard let match = error.message.firstMatch(of: /entries\[([0-9]+)\]\.?/),
      let index = Int(match.1), entries.indices.contains(index)
    else { return error }
    var error = error
    error.message.replaceSubrange(match.range, with: "\(path): line \(entries[index].line): ")
    return error
  }

  /// The value of a word in a column; an empty one is unspecified.
  private static func word<Value>(
    _ column: EntryCSV.Column, _ schema: EnumSchema, _ entry: EntryCSV.Entry, _ path: String,
    _ value: (Int32) -> Value
  ) throws(Failure) -> Value {
    guard !entry[column].isEmpty else { return value(0) }
    guard let number = EnumWord.number(of: entry[column], schema) else {
      throw .input(
        "\(path): line \(entry.line): \(column) must be one of "
          + EnumWord.all(schema).joined(separator: ", "))
    }
    return value(number)
  }

  private static func draft(
    _ entry: EntryCSV.Entry, _ sessions: [String: Int64], _ path: String
  ) throws(Failure) -> EventEntryDraft {
    var draft = EventEntryDraft()
    draft.bib = entry[.bib]
    draft.name = entry[.name]
    draft.club = entry[.club]
    draft.country = entry[.country]
    draft.licence = entry[.licence]
    draft.categoryCode = entry[.category]
    draft.sessionID = sessions[entry[.session]] ?? 0
    draft.target = UInt32(entry[.target]) ?? 0
    draft.letter = entry[.letter]
    draft.bowstyle = try word(.bow, Bowstyle.schema, entry, path) { Bowstyle(rawValue: $0) }
    draft.gender = try word(.gender, ArcherGender.schema, entry, path) {
      ArcherGender(rawValue: $0)
    }
    draft.ageGroup = try word(.age, AgeGroup.schema, entry, path) { AgeGroup(rawValue: $0) }
    draft.faceLayout = try word(.face, FaceLayout.schema, entry, path) {
      FaceLayout(rawValue: $0)
    }
    draft.publicName = try word(.shown, QuiverAPI.PublicName.schema, entry, path) {
      QuiverAPI.PublicName(rawValue: $0)
    }
    draft.fixedPlace = entry[.fixed].lowercased() == "yes"
    draft.wheelchair = entry[.wheelchair].lowercased() == "yes"
    return draft
  }
}
