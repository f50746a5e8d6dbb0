import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// `quiver event import-results`: the totals of a file, as totals on paper.
enum EventResultsCommand {
  private static let format = Flag(
    "--format", .word("csv|ianseo"),
    "csv by default; ianseo: as it writes them by Export Text File of the qualification")
  private static let arrows = Flag(
    "--arrows", .none, "of ianseo: record the arrows of the file, and store no totals")
  private static let typed = Flag(
    "--typed", .none, "rank the totals: type them as those of distances, or of the round")
  private static let dryRun = Flag("--dry-run", .none, "compare the totals, and store nothing")

  static let command = Command(
    "event import-results", operands: "EVENT FILE",
    summary: "import the totals of archers as totals on paper",
    details: """
      FILE has a line of column names: bib and total. The columns of the export of standings are
      known too, and others are reported and skipped. Each total becomes that of the archer's paper
      card, as by event total, and is compared with its arrows. A total that the archer has already
      changes nothing, so the same file can be imported again.

      A file of ianseo has the columns WaID, Score and Hits among others. WaID or Local Bib is the
      bib of an entry, or WaID its licence; where two entries have one licence, Division and Class
      are the code of the category. Lines without arrows and points are counted and skipped.

      With --arrows, each arrow of a file of ianseo is recorded on the first card, where its slot is
      empty: an event that was shot with ianseo is then ranked here. The card is divided into the
      passes of its round if the file has as many distances, or no more than these with results of
      its category; else into as many equal distances as the file has. The event must be in
      progress. An arrow that is there already changes nothing.

      With --typed, each total counts and ranks, as by event type: each distance of ianseo's file
      where it has as many as the round has passes, otherwise the whole round. The columns hits,
      golds and x, and those of ianseo for 10 and X, are typed too; a count that a file does not
      have tells nobody apart. A part that is typed already is corrected.

      A file with a line that is not valid, with an archer who is not in the event, or with a total
      above that of the round changes nothing. What the server refuses, as the totals of confirmed
      cards, is listed, and the rest is stored. FILE - is standard input.
      """,
    flags: [format, arrows, typed, dryRun, .timeout], names: [.event],
    examples: ["event import-results Indoor totals.csv --dry-run"], run: run)

  /// A total with the archer whom it is of.
  struct Match {
    let row: ResultList.Row
    let standing: CategoryStandingsRow

    var participant: Int64 { standing.entry?.participantID ?? 0 }
    var stored: UInt32? { standing.card?.paperTotal }
    /// Of the arrows, before a deduction.
    var scored: UInt32 { (standing.row?.total ?? 0) + (standing.card?.deducted ?? 0) }
    var isScored: Bool { standing.row?.arrowCount ?? 0 > 0 }
  }

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(2...2, "EVENT FILE")
    let word = arguments.value(of: format) ?? "csv"
    guard let format = ResultList.Format(rawValue: word) else {
      throw arguments.usage("--format is csv or ianseo, not \(word)")
    }
    guard !arguments.has(typed) || !arguments.has(arrows) else {
      throw arguments.usage("\(arrows.name) and \(typed.name) exclude each other")
    }
    guard format == .ianseo || !arguments.has(arrows) else {
      throw arguments.usage("\(arrows.name) needs \(Self.format.name) ianseo")
    }
    let path = words[1]
    let bytes = path == "-" ? try InputText.standardInput() : try InputText.bytes(ofFile: path)
    let list: ResultList
    do throws(RuleViolation) {
      list = try ResultList(bytes, format)
    } catch {
      throw .input("\(path): \(error.field) \(error.message)")
    }
    Terminal.notice(unknownColumns: list.unknownColumns)
    guard !list.rows.isEmpty else { throw .input("\(path) has no results") }
    let access = try Access(arguments)
    let tournament = try await Names(access, arguments).id(of: words[0], .event, "EVENT")
    if arguments.has(arrows) { try await EventArrowImport.check(tournament, access) }
    let event = try await EventResultRows.read(tournament, access)
    let matches = try match(list, format, event, path)
    if arguments.has(arrows) {
      return try await EventArrowImport(matches, event, path)
        .run(arguments.has(dryRun), emptyCount: list.emptyCount, access)
    }
    if arguments.has(typed) {
      return try await EventTypedImport(matches, format, event, path)
        .run(arguments.has(dryRun), emptyCount: list.emptyCount, tournament, access)
    }
    for match in matches where match.isScored && match.scored != UInt32(match.row.total) {
      Terminal.notice(
        "line \(match.row.line): \(Terminal.oneLine(match.row.code)) has \(match.row.total), and"
          + " \(match.scored) by the arrows")
    }
    let changes = matches.filter { $0.stored != UInt32($0.row.total) }
    var refused: [String] = []
    if !arguments.has(dryRun) { refused = try await store(changes, access) }
    let changed = changes.count { $0.stored != nil }
    let report =
      "\(matches.count) totals: \(changes.count - changed) new, \(changed) changed,"
      + " \(matches.count - changes.count) as before; \(list.emptyCount) lines without a result"
    if arguments.has(dryRun) { return try Terminal.print("\(report); nothing was stored") }
    guard !refused.isEmpty else { return try Terminal.confirm(report) }
    throw failure(refused, "of \(changes.count) new totals")
  }

  /// Lists why some of what was sent was refused; returns the failure of the command.
  static func failure(_ refused: [String], _ what: String) -> Failure {
    list(refused)
    return .input(
      "\(refused.count) \(what) were refused"
        + (refused.count > mostShown ? ", of which \(mostShown) are listed" : ""))
  }

  /// Lists the first refusals on standard error.
  static func list(_ refused: [String]) {
    for line in refused.prefix(mostShown) { Terminal.printError(Terminal.oneLine(line)) }
  }

  /// The most refusals that are listed.
  private static let mostShown = 20

  /// What became of totals that are stored one by one.
  struct Progress {
    private(set) var stored = 0
    /// Why some were refused.
    private(set) var refused: [String] = []
    /// The error that ended it; nil if all were sent.
    private(set) var error: RPCError?

    init(_ changes: [Match], _ store: (Match) async throws(RPCError) -> Void) async {
      for change in changes {
        do throws(RPCError) {
          try await store(change)
          stored += 1
        } catch {
          switch error.code {
          // Of one card; other errors hold for all of them.
          case .failedPrecondition, .notFound, .invalidArgument:
            refused.append("line \(change.row.line): \(change.row.code): \(error.message)")
          default:
            self.error = error
            return
          }
        }
      }
    }
  }

  /// Stores totals one by one; returns why some were refused.
  private static func store(
    _ changes: [Match], _ access: Access
  ) async throws(Failure) -> [String] {
    let progress = await Progress(changes) { (change) async throws(RPCError) in
      _ = try await access.client.call(
        Events.setPaperTotal,
        .with { request in
          request.participantID = change.participant
          request.total = UInt32(change.row.total)
        })
    }
    guard let error = progress.error else { return progress.refused }
    list(progress.refused)
    Terminal.printError("\(progress.stored) of \(changes.count) totals were stored")
    throw access.plainFailure(error)
  }
}

extension EventResultsCommand {
  /// The archers of all rows. Throws for the first row without exactly one.
  private static func match(
    _ list: ResultList, _ format: ResultList.Format, _ event: EventResultRows, _ path: String
  ) throws(Failure) -> [Match] {
    var byBib: [String: [Int]] = [:]
    var byLicence: [String: [Int]] = [:]
    for (index, row) in event.rows.enumerated() {
      guard let entry = row.entry else { continue }
      if !entry.bib.isEmpty { byBib[entry.bib, default: []].append(index) }
      if !entry.licence.isEmpty { byLicence[entry.licence, default: []].append(index) }
    }
    var lines: [Int: Int] = [:]
    var matches: [Match] = []
    for row in list.rows {
      let place = "\(path): line \(row.line)"
      var found = Set(byBib[row.code] ?? [])
      if format == .ianseo {
        found.formUnion(byBib[row.localBib] ?? [])
        var licensed = byLicence[row.code] ?? []
        if licensed.count > 1 {
          licensed = licensed.filter { event.rows[$0].entry?.categoryCode == row.category }
        }
        found.formUnion(licensed)
      }
      guard let index = found.first else {
        throw .input(
          "\(place) is of \(row.code), and no entry has this bib"
            + (format == .ianseo ? " or licence" : ""))
      }
      guard found.count == 1 else {
        throw .input("\(place) is of \(row.code), which is the bib or the licence of two entries")
      }
      if let other = lines.updateValue(row.line, forKey: index) {
        throw .input("\(place) is of the archer of line \(other)")
      }
      let standing = event.rows[index]
      if let entry = standing.entry, let category = event.category(of: entry),
        let most = category.format?.maximumScore, row.total > Int(most)
      {
        throw .input(
          "\(place) has \(row.total), and category \(category.code) at most \(most) points")
      }
      matches.append(Match(row: row, standing: standing))
    }
    return matches
  }
}
