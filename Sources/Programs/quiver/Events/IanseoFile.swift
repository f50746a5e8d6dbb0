import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// Entries in the format of ianseo's page "List load".
enum IanseoFile {
  private static let entriesPerCall = 1_000

  /// Imports a list, and gives the entries their targets; returns the entries.
  static func read(
    _ path: String, into tournament: Int64, _ access: Access
  ) async throws(Failure) -> [EventEntry] {
    let bytes = path == "-" ? try InputText.standardInput() : try InputText.bytes(ofFile: path)
    let list: IanseoEntryList
    do throws(RuleViolation) {
      list = try IanseoEntryList(bytes)
    } catch {
      throw .input("\(path): \(error.field) \(error.message)")
    }
    guard !list.entries.isEmpty else { throw .input("\(path) has no entries") }
    for (kind, count) in list.skipped.sorted(by: { $0.key < $1.key }) {
      Terminal.notice("\(count) lines \(Terminal.oneLine(kind)) are skipped")
    }
    let sessions = try await sessions(of: tournament, access)
    var drafts: [EventEntryDraft] = []
    for entry in list.entries {
      guard entry.session <= sessions.count else {
        throw .input(
          "\(path): line \(entry.line) is in session \(entry.session), and the event has"
            + " \(sessions.count)")
      }
      var draft = EventEntryDraft()
      draft.bib = entry.code
      draft.licence = entry.code
      draft.name = entry.name
      draft.club = entry.countryName
      draft.country = entry.countryCode
      draft.categoryCode = entry.category
      draft.sessionID = entry.session == 0 ? 0 : sessions[entry.session - 1]
      drafts.append(draft)
    }
    var made: [EventEntry] = []
    for first in stride(from: 0, to: drafts.count, by: entriesPerCall) {
      let part = Array(drafts.dropFirst(first).prefix(entriesPerCall))
      made += try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(
          Events.importEventEntries,
          .with { ($0.tournamentID, $0.entries) = (tournament, part) })
      }.entries
    }
    for (index, line) in list.entries.enumerated() where line.target > 0 {
      let entry = made[index]
      guard entry.target != line.target || entry.letter != line.letter else { continue }
      made[index] = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(
          Events.placeEventEntry,
          .with { request in
            request.participantID = entry.participantID
            request.sessionID = entry.sessionID
            request.target = line.target
            request.letter = line.letter
          })
      }
    }
    return made
  }

  /// The entries of an event as such a list.
  static func text(of tournament: Int64, _ access: Access) async throws(Failure) -> String {
    let sessions = try await sessions(of: tournament, access)
    let categories = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(
        Events.listEventCategories, .with { $0.tournamentID = tournament })
    }.categories
    var lines: [String] = []
    for entry in try await EventResultRows.entries(tournament, access) {
      guard let category = categories.first(where: { $0.id == entry.categoryID }) else {
        continue
      }
      lines.append(try line(of: entry, category, sessions))
    }
    return lines.map { $0 + "\r\n" }.joined()
  }

  private static func line(
    of entry: EventEntry, _ category: EventCategory, _ sessions: [Int64]
  ) throws(Failure) -> String {
    let (division, ageClass) = try divided(category)
    return IanseoEntryList.Entry.line(
      code: code(of: entry), session: (sessions.firstIndex(of: entry.sessionID) ?? -1) + 1,
      division: division, ageClass: ageClass, target: entry.target, letter: entry.letter,
      name: entry.displayName, isFemale: category.gender == .female, countryCode: entry.country,
      countryName: entry.club)
  }

  /// What ianseo calls the code of an archer.
  static func code(of entry: EventEntry) -> String {
    entry.licence.isEmpty ? entry.bib : entry.licence
  }

  /// The division and the class of a category.
  static func divided(
    _ category: EventCategory
  ) throws(Failure) -> (division: String, ageClass: String) {
    guard let division = divisions[category.bowstyle], category.code.hasPrefix(division),
      category.code.count > division.count
    else {
      throw .input(
        "category \(category.code) cannot be divided into ianseo's division and class: its code"
          + " must begin with R for recurves, C for compounds, B for barebows, L for longbows or T"
          + " for traditional bows, and its bow be set")
    }
    return (division, String(category.code.dropFirst(division.count)))
  }

  private static let divisions: [QuiverAPI.Bowstyle: String] = [
    .recurve: "R", .compound: "C", .barebow: "B", .longbow: "L", .traditional: "T",
  ]

  /// The ids of the sessions in their order, which are ianseo's sessions 1, 2 and so on.
  static func sessions(
    of tournament: Int64, _ access: Access
  ) async throws(Failure) -> [Int64] {
    try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(
        Events.listEventSessions, .with { $0.tournamentID = tournament })
    }.sessions.map(\.id)
  }
}
