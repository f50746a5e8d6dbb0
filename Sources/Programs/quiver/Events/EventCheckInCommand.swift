import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC

/// `quiver event check-in`: the archers who are there, many at once.
enum EventCheckInCommand {
  private static let file = Flag(
    "--from", .word("FILE"), "also the archers of a file, one on a line; - is standard input")
  private static let state = Flag(
    "--state", .word("STATE"),
    "note this instead: checked-in, entered, did-not-start or did-not-finish")
  private static let reason = Flag(
    "--reason", .word("TEXT"), "why, at most 200 characters")

  static let command = Command(
    "event check-in", operands: "[ARCHER…]", summary: "check archers in, many at once",
    details: """
      ARCHER is a bib, a place as 12B, a name or the beginning of one, or a range of bibs as 20-34,
      which are the archers whose bibs are numbers in it. A number is a bib here, and #N an id. In
      a file the archer is the first column of a line; a heading and what follows a # are skipped.
      All archers are found before the first is checked in: if one is not, nothing changes. Who has
      the state already stays as is, so that the command can be repeated.
      """,
    flags: [file, state, reason, Names.event, .json, .timeout],
    examples: [
      "event check-in 12 15 20-34", "event check-in --from bibs.txt --event Indoor",
      "event check-in 13 --state did-not-start --reason ill",
    ], run: run)

  /// A word that names archers, with where it stands.
  private struct Word {
    let text: String
    /// As in `ARCHER` or `bibs.txt: line 3:`.
    let place: String
    var isInFile = false
  }

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var words = arguments.operands.map { Word(text: $0, place: "ARCHER") }
    if let path = arguments.value(of: file) {
      let bytes = path == "-" ? try InputText.standardInput() : try InputText.bytes(ofFile: path)
      words += try Self.words(of: bytes, path)
    }
    guard !words.isEmpty else {
      throw arguments.usage("expected at least one ARCHER, or \(file.usage)")
    }
    let wanted = try entryState(arguments)
    let access = try Access(arguments)
    let entries = try await find(words, access, arguments)
    var answers: [EventEntry] = []
    for entry in entries {
      guard entry.state != wanted else {
        answers.append(entry)
        continue
      }
      let request = SetEventEntryStateRequest.with { request in
        (request.participantID, request.state) = (entry.participantID, wanted)
        request.reason = arguments.value(of: reason) ?? ""
      }
      do throws(RPCError) {
        answers.append(try await access.client.call(Events.setEventEntryState, request))
      } catch {
        let name = Terminal.oneLine(entry.displayName)
        throw access.plainFailure(error).adding(
          "\(name) was not changed, and \(entries.count - answers.count - 1) behind; before it"
            + " \(answers.count) have the state")
      }
    }
    try show(answers, wanted, arguments)
  }

  private static func entryState(_ arguments: Arguments) throws(Failure) -> EventEntryState {
    guard let text = arguments.value(of: state) else { return .checkedIn }
    let settable: [EventEntryState] = [.checkedIn, .entered, .didNotStart, .didNotFinish]
    let words = settable.map { EnumWord.text(of: $0.rawValue, EventEntryState.schema) }
    guard let number = EnumWord.number(of: text, EventEntryState.schema),
      settable.contains(where: { $0.rawValue == number })
    else {
      throw arguments.usage(
        "\(state.name) expects one of \(words.joined(separator: ", ")), not \(text)"
          + Spelling.question(text, among: words))
    }
    return EventEntryState(rawValue: number)
  }

  /// The first column of each line, without comments and a heading.
  private static func words(of bytes: [UInt8], _ path: String) throws(Failure) -> [Word] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .input("\(path) is not UTF-8")
    }
    var words: [Word] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let isID = line.hasPrefix("#") && NameChoice.markedID(String(line)) != nil
      let plain = isID ? line : line.prefix { $0 != "#" }
      let cell = plain.split(omittingEmptySubsequences: false) { ",;\t".contains($0) }.first ?? ""
      var name = cell.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if name.hasPrefix("\u{FEFF}") { name.removeFirst() }
      if name.count >= 2, name.hasPrefix("\""), name.hasSuffix("\"") {
        name = String(name.dropFirst().dropLast())
      }
      guard !name.isEmpty,
        !(words.isEmpty && ["bib", "name", "archer"].contains(name.lowercased()))
      else { continue }
      words.append(Word(text: name, place: "\(path): line \(index + 1):", isInFile: true))
    }
    guard !words.isEmpty else { throw .input("\(path) names nobody") }
    return words
  }

  /// The numbers of a range as `20-34`; nil for another text.
  static func range(_ text: String) -> ClosedRange<Int64>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2, let first = NameChoice.number(ends[0]),
      let last = NameChoice.number(ends[1]), first <= last
    else { return nil }
    return first...last
  }

  /// The entries of all words, each once. Throws for the first word that names nobody.
  private static func find(
    _ words: [Word], _ access: Access, _ arguments: Arguments
  ) async throws(Failure) -> [EventEntry] {
    let names = Names(access, arguments)
    let scope = try await names.eventScope()
    var entries: [EventEntry] = []
    for event in scope.events { entries += try await EventResultRows.entries(event.id, access) }
    let byID = Dictionary(entries.map { ($0.participantID, $0) }) { first, _ in first }
    var found: [EventEntry] = []
    for word in words {
      if let range = range(word.text), !entries.contains(where: { $0.bib == word.text }) {
        let within = entries.filter { NameChoice.number($0.bib).map(range.contains) ?? false }
        guard !within.isEmpty else {
          throw arguments.usage("\(word.place) no archer has a bib from \(word.text)")
        }
        guard Set(within.map(\.bib)).count == within.count else {
          throw arguments.usage(
            "\(word.place) \(word.text) has bibs of several events; --event names one")
        }
        found += within
        continue
      }
      let id: Int64
      do throws(Failure) {
        id = try await names.id(of: word.text, .archer, "ARCHER", isNew: true)
      } catch {
        throw word.isInFile ? error.at(word.place) : error
      }
      guard let entry = byID[id] else {
        throw arguments.usage("\(word.place) #\(id) is no archer of the event")
      }
      found.append(entry)
    }
    var seen: Set<Int64> = []
    return found.filter { seen.insert($0.participantID).inserted }
  }

  private static func show(
    _ entries: [EventEntry], _ state: EventEntryState, _ arguments: Arguments
  ) throws(Failure) {
    guard !arguments.has(.json) else {
      return try Terminal.print(
        TournamentText.json(ListEventEntriesResponse.with { $0.entries = entries }))
    }
    let word = EnumWord.text(of: state.rawValue, EventEntryState.schema)
    if entries.count == 1 {
      return try Terminal.confirm("\(Terminal.oneLine(entries[0].displayName)) is \(word)")
    }
    try Terminal.confirm("\(entries.count) archers are \(word)")
  }
}
