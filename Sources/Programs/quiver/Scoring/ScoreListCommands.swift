import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// `quiver round import-scores` and `export-scores`: rounds of lists, without arrows.
enum ScoreListCommands {
  private static let dryRun = Flag("--dry-run", .none, "check the file, and store nothing")
  private static let dayMilliseconds: Int64 = 86_400_000

  static let importing = Command(
    "round import-scores", operands: "FILE", summary: "import rounds of a list, without arrows",
    details: """
      FILE has a line of column names: date, round and score, and of hits, golds, x, place, status
      (practice, club, open or record), bow and notes those that there are. Dates are as in
      2014-06-01, or with the day first as in 01/06/2014. A round is a codename or the name of a
      round of `quiver format list`. Each line becomes a completed round with sums and no arrows: it
      counts for personal bests, handicaps and the training log, and for no statistics of arrows. A
      round that was imported before is not added again. A file with a line that cannot be read adds
      nothing. FILE - is standard input.
      """,
    flags: [dryRun, .timeout], run: run)

  static let exporting = Command(
    "round export-scores", operands: "", summary: "print your completed rounds as such a list",
    details: "The file is one that round import-scores reads.", flags: [.timeout], run: export)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let path = try arguments.operands(1...1, "one FILE")[0]
    let bytes = path == "-" ? try InputText.standardInput() : try InputText.bytes(ofFile: path)
    let list: ScoreListCSV
    do throws(RuleViolation) {
      list = try ScoreListCSV(bytes)
    } catch {
      throw .input("\(path): \(error.field) \(error.message)")
    }
    Terminal.notice(unknownColumns: list.unknownColumns)
    let access = try Access(arguments)
    let formats = try await formats(access)
    var requests: [CreateSessionRequest] = []
    var earlier: [String: Int] = [:]
    var (bad, count) = (list.badLines, list.badLineCount)
    for row in list.rows {
      do throws(RuleViolation) {
        let line = row.csvLine
        requests.append(try request(row, formats, earlier: earlier[line, default: 0]))
        earlier[line, default: 0] += 1
      } catch {
        count += 1
        if bad.count < ScoreListCSV.shownCount {
          bad.append("line \(row.line): \(error.field) \(error.message)")
        }
      }
    }
    guard count == 0 else {
      for line in bad { Terminal.printError(Terminal.oneLine(line)) }
      if count > bad.count { Terminal.printError("and \(count - bad.count) more") }
      throw .input("\(count) bad lines; nothing was stored")
    }
    if arguments.has(dryRun) {
      return try Terminal.print("\(requests.count) rounds; nothing was stored")
    }
    for (index, request) in requests.enumerated() {
      do throws(Failure) {
        _ = try await access.attemptPlainly { () async throws(RPCError) in
          try await access.client.call(Rounds.createSession, request)
        }
      } catch {
        Terminal.printError(
          "line \(list.rows[index].line) was not stored, and the \(index) rounds before it were:"
            + " the file can be imported again")
        throw error
      }
    }
    try Terminal.confirm("\(requests.count) rounds")
  }

  /// The formats of the library and the account, by their codenames and names in lower case.
  private static func formats(
    _ access: Access
  ) async throws(Failure) -> [String: QuiverAPI.RoundFormat] {
    let all = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Rounds.listFormats, ListFormatsRequest())
    }.formats
    var found: [String: QuiverAPI.RoundFormat] = [:]
    for format in all {
      for name in [format.name, format.codename] where !name.isEmpty {
        found[name.lowercased()] = found[name.lowercased()] ?? format
      }
    }
    return found
  }

  /// The request of a line. Its ids follow from what the line says, and from the number of equal
  /// lines before it, so that it is stored once.
  private static func request(
    _ row: ScoreListCSV.Row, _ formats: [String: QuiverAPI.RoundFormat], earlier: Int
  ) throws(RuleViolation) -> CreateSessionRequest {
    guard let format = formats[row.round.lowercased()] else {
      throw RuleViolation(field: "round", message: "is none of quiver format list")
    }
    let score = try row.score.validated(for: format.passes.map(PassDefinition.init))
    let today = DayText.today()
    guard row.day <= today else {
      throw RuleViolation(field: "date", message: "must not be in the future")
    }
    // Noon of today may be in the future.
    let shotAt = Int64(row.day) * dayMilliseconds + (row.day < today ? dayMilliseconds / 2 : 0)
    guard shotAt > 0 else {
      throw RuleViolation(field: "date", message: "must be after 1970-01-01")
    }
    var request = CreateSessionRequest()
    let ids = DerivedIDs("score list \(earlier) \(row.csvLine)", milliseconds: shotAt)
    request.clientID = ids.id("session")
    request.participantClientID = ids.id("participant")
    var reference = FormatReference()
    if format.codename.isEmpty {
      reference.id = format.id
    } else {
      reference.codename = format.codename
    }
    request.format = reference
    request.notes = row.notes
    if !row.bow.isEmpty {
      guard let bow = EnumWord.number(of: row.bow, Bowstyle.schema) else {
        throw RuleViolation(field: "bow", message: "is none that is known")
      }
      request.bowstyle = Bowstyle(rawValue: bow)
    }
    if !row.place.isEmpty { request.conditions = .with { $0.place = row.place } }
    var past = PastRound()
    past.shotAtMilliseconds = shotAt
    if let status = ScoreListCSV.statuses.firstIndex(of: row.status) {
      past.status = ShootStatus(rawValue: Int32(status + 1))
    }
    past.sums = .with { sums in
      sums.total = UInt32(clamping: score.total)
      sums.hits = score.hits.map { UInt32(clamping: $0) }
      sums.golds = score.golds.map { UInt32(clamping: $0) }
      sums.xCount = score.xCount.map { UInt32(clamping: $0) }
    }
    request.past = past
    return request
  }

  private static let export: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    let access = try Access(arguments)
    try Terminal.print(ScoreListCSV.header)
    var request = ListSessionsRequest()
    (request.pageSize, request.includeTournaments) = (500, true)
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Rounds.listSessions, wanted)
      }
      for session in page.sessions {
        for round in session.rounds where !round.guest && round.status == .completed {
          try Terminal.write(row(session, round).csvLine)
        }
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
  }

  private static func row(_ session: ShootingSession, _ round: Round) -> ScoreListCSV.Row {
    var row = ScoreListCSV.Row()
    row.day = Int32(clamping: round.startedAtMilliseconds / dayMilliseconds)
    row.round = session.format?.codename ?? ""
    if row.round.isEmpty { row.round = session.format?.name ?? "" }
    let score = round.score ?? Score()
    let missing = MissingCounts(rawValue: score.missingCounts)
    row.score = TypedScore(total: Int(score.total))
    if !missing.contains(.of(value: 0)) {
      row.score.hits = Int(score.arrowCount) - Int(score.counts.first ?? 0)
    }
    if !missing.contains(.golds) { row.score.golds = Int(score.goldCount) }
    if !missing.contains(.x) { row.score.xCount = Int(score.xCount) }
    row.place = session.conditions?.place ?? ""
    if round.shootStatus != .unspecified,
      ScoreListCSV.statuses.indices.contains(Int(round.shootStatus.rawValue) - 1)
    {
      row.status = ScoreListCSV.statuses[Int(round.shootStatus.rawValue) - 1]
    }
    if round.bowstyle != .unspecified {
      row.bow = EnumWord.text(of: round.bowstyle.rawValue, Bowstyle.schema)
    }
    row.notes = session.notes
    return row
  }
}

extension PassDefinition {
  /// The pass of a message; a face that is not known is one of ten rings.
  fileprivate init(_ pass: QuiverAPI.RoundPass) {
    self.init(
      arrowCount: Int(pass.arrows), arrowsPerEnd: max(1, Int(pass.arrowsPerEnd)),
      distance: pass.distance, unit: LengthUnit(rawValue: pass.unit.rawValue) ?? .metre,
      face: TargetFace(rawValue: pass.face.rawValue) ?? .tenZone,
      diameterCentimetres: pass.diameterCentimetres)
  }
}
