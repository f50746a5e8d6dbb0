import QuiverAPI
import QuiverPapers
import QuiverRules
import QuiverStore

/// Sections of results: standings and brackets.
extension EventDocument {
  func standings(_ category: Int64, _ frame: Frame) throws(StoreError) -> PaperSection {
    let found = try ranked(category, frame)
    guard kind != .standingsCSV else { return StandingsLines.section(found.rows) }
    guard !found.rows.isEmpty else { return PaperSection() }
    let keys = Self.keys(found.form)
    return StandingsPaper.section(
      title: title(ofCategory: category, frame),
      note: language("Ranked by") + " " + words(keys)
        + (found.isProvisional ? " · " + language("provisional") : "") + note(found.rows),
      keys: keys.map { language(Self.title($0)) }, language: language, found.rows)
  }

  func bracket(_ stage: Int64, _ frame: Frame) throws(StoreError) -> PaperSection {
    let record = try store.read { (snapshot) throws(StoreError) in
      try snapshot.bracket(stage: stage, principal: scope.principal)
    }
    let entries = try paperEntries(category: record.stage.category, frame)
    var bracket = PaperBracket(
      record, Dictionary(entries.map { ($0.id, $0) }) { first, _ in first },
      kind == .matchesCSV ? .english : language)
    bracket.title = title(of: record.stage, frame)
    return kind == .matchesCSV
      ? MatchLines.section(bracket) : BracketPaper.section(bracket, language: language)
  }

  /// A pause of the shooting, with its times in the zone of the document.
  func paper(_ pause: ShootingPauseRecord) -> PaperPause {
    var shown = PaperPause()
    shown.start = time(pause.startedAtMilliseconds)
    if let end = pause.endedAtMilliseconds {
      shown.end = time(end)
      shown.minutes = Int(clamping: (end - pause.startedAtMilliseconds) / 60_000)
    }
    shown.reason = pause.reason
    shown.official = pause.startedByName
    return shown
  }

  struct Ranked {
    var rows: [PaperStanding] = []
    let form: TiePolicyForm
    let isProvisional: Bool
  }

  /// All rows of a category, ranked.
  func ranked(_ category: Int64, _ frame: Frame) throws(StoreError) -> Ranked {
    let entries = try frame.entries.all().filter { $0.content.category == category }
    let found = try store.categoryStandings(
      scope.event, category: category, entries: entries, principal: scope.principal)
    let keys = Self.keys(found.form)
    let papers = Dictionary(self.papers(entries, frame).map { ($0.id, $0) }) { first, _ in first }
    let rows = found.rows.map { row in
      let tally = row.leaderboard.contender.tally
      var standing = PaperStanding()
      standing.entry = papers[row.entry.participant] ?? PaperEntry()
      standing.entry.licence = ""
      standing.rank = row.rank
      standing.total = tally.total
      standing.xCount = tally.xCount
      standing.counts = tally.countsByValue
      standing.endCount = tally.endsCompleted
      standing.keys = keys.map { $0.value(in: tally) }
      standing.rounds = row.rounds.map(\.total)
      standing.isTyped = row.leaderboard.isTyped
      standing.unknown = Self.unknown(tally.missing)
      standing.unknownKeys = Set(keys.indices.filter { keys[$0].isMissing(in: tally) })
      return standing
    }
    return Ranked(rows: rows, form: found.form, isProvisional: found.isProvisional)
  }

  /// What the marks of typed cards mean; empty without one.
  private func note(_ rows: [PaperStanding]) -> String {
    guard rows.contains(where: \.isTyped) else { return "" }
    var notes = ["", language("* a part is typed from a paper")]
    if rows.contains(where: { !$0.unknownKeys.isEmpty }) {
      notes.append(language("? the paper does not have this count"))
    }
    return notes.joined(separator: " · ")
  }

  /// The criteria in their order, as in `score, then X`.
  private func words(_ keys: [RankCriterion]) -> String {
    keys.map { language == .english ? $0.label : language(Self.title($0)) }
      .joined(separator: ", \(language("then")) ")
  }

  /// Counts that are missing, as the columns of the export name them.
  private static func unknown(_ missing: MissingCounts) -> [String] {
    let values = (0...ArrowScore.maximumValue).reversed().filter {
      missing.contains(.of(value: $0))
    }
    return (missing.contains(.x) ? ["x"] : []) + values.map { $0 == 0 ? "miss" : "\($0)" }
  }

  /// The criteria that papers show.
  private static func keys(_ form: TiePolicyForm) -> [RankCriterion] {
    form.keys.filter { $0 != .endsCompleted }
  }

  static func title(_ key: RankCriterion) -> String {
    switch key {
    case .score: "Total"
    case .x: "X"
    case .count(let value): "\(value)"
    case .hits: "Hits"
    case .golds: "Golds"
    case .endsCompleted: "Ends"
    }
  }
}

extension PaperEntry {
  /// An entrant with the fields of its entry.
  init(_ entrant: EntrantRecord, _ entries: [Int64: PaperEntry]) {
    self.init()
    if let entry = entries[entrant.participant] { self = entry }
    id = entrant.participant
    name = entrant.displayName
    members = entrant.members.map(\.displayName)
  }
}

extension PaperBracket {
  init(
    _ record: BracketRecord, _ entries: [Int64: PaperEntry], _ language: PaperLanguage = .english
  ) {
    self.init()
    stage = record.stage.id
    category = record.stage.categoryCode
    let isSets = record.stage.rules.form.winningSetPoints != nil
    note = language(isSets ? "Set points" : "Total scores")
    let shown = Dictionary(
      record.entrants.map { ($0.seed, PaperEntry($0, entries)) }
    ) { first, _ in first }
    matches = record.matches.map { match in
      var paper = Match(
        EliminationMatch(match, in: record, showsCards: true), shown, isSets: isSets, language)
      paper.roundName = record.stage.exempt?.roundName(size: match.place.roundSize) ?? ""
      return paper
    }
  }
}

extension PaperBracket.Match {
  fileprivate init(
    _ match: EliminationMatch, _ entries: [Int: PaperEntry], isSets: Bool,
    _ language: PaperLanguage
  ) {
    self.init()
    id = match.id
    roundSize = Int(match.roundSize)
    group = Int(match.group)
    index = Int(match.index)
    state = Self.word(match.state)
    decision = Self.word(match.decision)
    winner = match.winner > 0 ? Int(match.winner) - 1 : nil
    let isBegun = ![.waiting, .bye, .scheduled].contains(match.state)
    sides = match.sides.map { card in
      var side = PaperBracket.Side()
      side.seed = Int(card.seed)
      side.entry = entries[Int(card.seed)]
      side.setPoints = Int(card.setPoints)
      side.total = Int(card.total)
      if card.forfeited {
        side.score = language("forfeit")
      } else if isBegun {
        side.score = isSets ? "\(card.setPoints)" : "\(card.total)"
      }
      side.ends = Self.arrows(card.entries.filter { !$0.shootOff })
      side.shootOffs = Self.arrows(card.entries.filter(\.shootOff))
      return side
    }
  }

  /// As in `X 10 9 | 9 9 8`.
  private static func arrows(_ entries: [MatchCardEntry]) -> String {
    entries.map { entry in
      entry.arrows.map { "\($0.score)" }.joined(separator: " ") + (entry.isCloser ? "+" : "")
    }.joined(separator: " | ")
  }

  private static func word(_ state: QuiverAPI.MatchState) -> String {
    switch state {
    case .waiting: "waiting"
    case .bye: "bye"
    case .scheduled: "scheduled"
    case .shooting: "shooting"
    case .shootOff: "shoot-off"
    case .measuring: "measuring"
    case .finished: "finished"
    case .confirmed: "confirmed"
    default: ""
    }
  }

  private static func word(_ decision: QuiverAPI.MatchDecision) -> String {
    switch decision {
    case .arrows: "arrows"
    case .shootOff: "shoot-off"
    case .distance: "distance"
    case .judgesMark: "judge's mark"
    case .forfeit: "forfeit"
    case .bye: "bye"
    default: ""
    }
  }
}
