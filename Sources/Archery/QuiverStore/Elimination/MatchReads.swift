import QuiverRules

/// Reads elimination stages and matches.
extension Snapshot {
  /// The kind of a stage in `event_stage`; the qualification is 1.
  static var eliminationKind: Int64 { 2 }

  private static let stageColumns = """
    s.id, s.event_id, s.category_id, c.code, s.size, s.entrant_count, s.match_system, s.rule_day,
    s.has_bronze, s.face, s.repeats_maximum, s.seed, s.created_at_ms, s.second_category_id,
    s.team_group, s.group_count, s.from_stage_id, s.exempt_seeds,
    (SELECT t.correction_consent FROM tournament t WHERE t.id = s.event_id)
    """
  private static let stageTables = "event_stage s JOIN event_category c ON c.id = s.category_id"
  private static let stage = Query(
    "SELECT \(stageColumns) FROM \(stageTables) WHERE s.id = ?1 AND s.kind = \(eliminationKind)")
  private static let stages = Query(
    """
    SELECT \(stageColumns) FROM \(stageTables)
    WHERE s.event_id = ?1 AND s.kind = \(eliminationKind) ORDER BY s.id
    """)
  private static let entrantColumns = """
    e.seed, coalesce(p.id, 0), coalesce(p.display_name, t.name, ''), coalesce(p.principal_id, 0),
    coalesce(p.scorer_id, 0), coalesce(p.kind, \(ParticipantRecord.Kind.entry.rawValue)),
    coalesce(p.public_name, '')
    """
  private static let entrantTables = """
    event_entrant e LEFT JOIN participant p ON p.id = e.participant_id
    LEFT JOIN event_team t ON t.stage_id = e.stage_id AND t.seed = e.seed
    """
  private static let entrants = Query(
    """
    SELECT \(entrantColumns) FROM \(entrantTables) WHERE e.stage_id = ?1 ORDER BY e.seed
    """)
  private static let seeds = Query(
    """
    SELECT seed, participant_id FROM event_entrant WHERE stage_id = ?1 AND participant_id <> 0
    UNION ALL SELECT seed, participant_id FROM event_team_member WHERE stage_id = ?1
    """)
  private static let stageOfMatch = Query("SELECT stage_id FROM event_match WHERE id = ?1")
  private static let members = Query(
    """
    SELECT m.seed, p.id, p.display_name, p.principal_id, p.scorer_id, p.kind, p.public_name
    FROM event_team_member m JOIN participant p ON p.id = m.participant_id
    WHERE m.stage_id = ?1 ORDER BY m.seed, m.place
    """)
  private static let matchColumns = """
    m.id, m.event_id, m.stage_id, m.round_size, m.place_index, m.revision, m.first_seed,
    m.second_seed, m.is_bye, m.forfeits, m.confirmations, m.first_target, m.second_target,
    m.starts_at_ms
    """
  private static let match = Query("SELECT \(matchColumns) FROM event_match m WHERE m.id = ?1")
  private static let matches = Query(
    "SELECT \(matchColumns) FROM event_match m WHERE m.stage_id = ?1")
  private static let entrantsOfMatch = Query(
    """
    SELECT \(entrantColumns) FROM \(entrantTables)
    WHERE e.stage_id = ?1 AND e.seed IN (?2, ?3) ORDER BY e.seed
    """)
  private static let cardColumns = """
    c.side, c.is_shoot_off, c.place_index, c.arrows, c.distances, c.is_closer, c.operation_id,
    o.client_id, c.match_id, \(CorrectionWitness.columns)
    """
  private static let cards = Query(
    """
    SELECT \(cardColumns)
    FROM match_card c LEFT JOIN match_operation o ON o.id = c.operation_id WHERE c.match_id = ?1
    """)
  private static let cardsOfStage = Query(
    joiningInOrder: """
      SELECT \(cardColumns)
      FROM event_match m CROSS JOIN match_card c ON c.match_id = m.id
      LEFT JOIN match_operation o ON o.id = c.operation_id
      WHERE m.stage_id = ?1
      """)

  /// An elimination stage, without an access check; throws `notFound`.
  func stage(id: Int64, field: String = "stage_id") throws(StoreError) -> EliminationStageRecord {
    let found = try first(Self.stage, .integer(id)) {
      (row) throws(StoreError) in try EliminationStageRecord(row)
    }
    guard let found else {
      throw StoreError(.notFound, "there is no such stage", field: field)
    }
    return found
  }

  /// The elimination stages of an event that the principal may see, by id; nil is a spectator.
  package func stages(
    event: Int64, principal: Int64?
  ) throws(StoreError) -> [EliminationStageRecord] {
    _ = try visibleTournament(id: event, principal: principal)
    return try all(Self.stages, .integer(event)) {
      (row) throws(StoreError) in try EliminationStageRecord(row)
    }
  }

  /// A match with its cards, without an access check; throws `notFound`.
  func match(id: Int64, field: String = "match_id") throws(StoreError) -> MatchRecord {
    let found = try first(Self.match, .integer(id)) { row in MatchRecord(row) }
    guard let found else {
      throw StoreError(.notFound, "there is no such match", field: field)
    }
    var match = found
    try session.forEach(Self.cards, [.integer(id)]) { (row) throws(StoreError) in
      try match.add(cardRow: row)
    }
    return match
  }

  /// A stage with everything of it, without an access check.
  func bracket(stage id: Int64) throws(StoreError) -> BracketRecord {
    let stage = try stage(id: id)
    let matches = try matches(of: stage)
    let rows = stage.groupCount > 0 ? tables(of: stage, matches) : [:]
    return BracketRecord(
      stage: stage, entrants: try entrants(of: stage, Self.entrants, []), matches: matches,
      ranks: stage.groupCount > 0
        ? rows.mapValues(\.rank) : try folded(stage, matches).ranks,
      rows: rows)
  }

  /// The entrants that a query finds, with the members of teams.
  private func entrants(
    of stage: EliminationStageRecord, _ query: Query, _ values: [SQLValue]
  ) throws(StoreError) -> [EntrantRecord] {
    var members: [Int: [TeamMemberRecord]] = [:]
    if stage.teamGroup != nil {
      try session.forEach(Self.members, [.integer(stage.id)]) { (row) throws(StoreError) in
        members[Int(row.int64(0)), default: []].append(try TeamMemberRecord(row))
      }
    }
    var found: [EntrantRecord] = []
    try session.forEach(query, [.integer(stage.id)] + values) { (row) throws(StoreError) in
      let entrant = try TeamMemberRecord(row)
      let seed = Int(row.int64(0))
      found.append(
        EntrantRecord(
          seed: seed, participant: entrant.participant, displayName: entrant.displayName,
          principal: entrant.principal, scorer: entrant.scorer, kind: entrant.kind,
          publicName: entrant.publicName, members: members[seed] ?? []))
    }
    return found
  }

  /// The matches of a stage with their cards, in the order in which they are shot.
  private func matches(of stage: EliminationStageRecord) throws(StoreError) -> [MatchRecord] {
    var matches = try all(Self.matches, .integer(stage.id)) { row in MatchRecord(row) }
    matches.sort { left, right in
      stage.groupCount == 0
        ? left.place < right.place
        : (left.place.roundSize, left.place.index) < (right.place.roundSize, right.place.index)
    }
    let indices = Dictionary(
      matches.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    try session.forEach(Self.cardsOfStage, [.integer(stage.id)]) { (row) throws(StoreError) in
      guard let index = indices[row.int64(8)] else { return }
      try matches[index].add(cardRow: row)
    }
    return matches
  }

  /// The rows of the groups of a stage, by seed.
  private func tables(
    of stage: EliminationStageRecord, _ matches: [MatchRecord]
  ) -> [Int: RoundRobin.Row] {
    let rules = stage.rules
    var rows: [Int: RoundRobin.Row] = [:]
    for (group, seeds) in stage.groups.enumerated() {
      let decided = matches.compactMap { match -> RoundRobin.Match? in
        guard match.place.roundSize == group + 1, let result = match.result(rules),
          let first = match.seeds[0].flatMap(seeds.firstIndex(of:)),
          let second = match.seeds[1].flatMap(seeds.firstIndex(of:))
        else { return nil }
        return RoundRobin.Match(first, second, result)
      }
      for row in RoundRobin.table(of: seeds.count, decided) { rows[seeds[row.member]] = row }
    }
    return rows
  }

  /// A stage of an event that the principal may see; nil is a spectator of the event `spectated`.
  package func bracket(
    stage id: Int64, principal: Int64?, spectated: Int64? = nil
  ) throws(StoreError) -> BracketRecord {
    let record = try bracket(stage: id)
    let head = try visible(record.stage.event, principal, spectated, field: "stage_id", "stage")
    return record.shown(to: try nameReader(of: head, principal: principal))
  }

  /// A match that the principal may see, with its stage and the entrants of its sides.
  package func match(
    id: Int64, principal: Int64?, spectated: Int64? = nil, withExpiredLeases: Bool = false
  ) throws(StoreError) -> MatchInBracket {
    let match = try match(id: id)
    let head = try visible(
      match.event, principal, spectated, withExpiredLeases: withExpiredLeases, field: "match_id",
      "match")
    let reader = try nameReader(of: head, principal: principal)
    return MatchInBracket(
      match: match.shown(to: reader), bracket: try entrants(of: match).shown(to: reader))
  }

  /// The stage of a match with the entrants of its sides.
  func entrants(of match: MatchRecord) throws(StoreError) -> StageEntrants {
    let stage = try stage(id: match.stage)
    let seeds = match.seeds.map { SQLValue.integer(Int64($0 ?? 0)) }
    return StageEntrants(
      stage: stage, entrants: try entrants(of: stage, Self.entrantsOfMatch, seeds))
  }

  /// The id of the stage of a match that must exist; throws `notFound`.
  package func stage(ofMatch id: Int64) throws(StoreError) -> Int64 {
    let stage = try first(Self.stageOfMatch, .integer(id)) { row in row.int64(0) }
    guard let stage else {
      throw StoreError(.notFound, "there is no such match", field: "match_id")
    }
    return stage
  }

  /// The seeds of those participants that are entrants of a stage, or members of its teams.
  package func seeds(
    of participants: Set<Int64>, inStage stage: Int64
  ) throws(StoreError) -> Set<Int> {
    guard !participants.isEmpty else { return [] }
    let entrants = try all(Self.seeds, .integer(stage)) { row in
      (seed: Int(row.int64(0)), participant: row.int64(1))
    }
    return Set(entrants.filter { participants.contains($0.participant) }.map(\.seed))
  }

  /// An event that is not visible has no stages.
  private func visible(
    _ event: Int64, _ principal: Int64?, _ spectated: Int64?, withExpiredLeases: Bool = false,
    field: String, _ name: String
  ) throws(StoreError) -> TournamentHead {
    do throws(StoreError) {
      guard spectated == nil || spectated == event else {
        throw StoreError(.notFound, "there is no such \(name)", field: field)
      }
      return try visibleTournament(
        id: event, principal: principal, withExpiredLeases: withExpiredLeases, field: field)
    } catch {
      guard error.code == .notFound else { throw error }
      throw StoreError(.notFound, "there is no such \(name)", field: field)
    }
  }

  /// The bracket of the confirmed results of some matches.
  func folded(
    _ stage: EliminationStageRecord, _ matches: [MatchRecord]
  ) throws(StoreError) -> EliminationBracket {
    let rules = stage.rules
    var results: [BracketPlace: BracketResult] = [:]
    for match in matches { results[match.place] = match.result(rules) }
    let confirmed = results
    return try validating { () throws(RuleViolation) in
      try EliminationBracket(
        entrantCount: stage.entrantCount, hasBronzeMatch: stage.hasBronzeMatch,
        exempt: stage.exempt, results: confirmed)
    }
  }
}

extension MatchRecord {
  /// Adds an entry of a card from the columns of `cardColumns`.
  fileprivate mutating func add(cardRow row: Row) throws(StoreError) {
    guard let side = MatchSide(rawValue: Int(row.int64(0))) else {
      throw StoreError(.dataLoss, "a stored card is none")
    }
    let place = CardPlace(
      side: side, isShootOff: row.bool(1), index: Int(clamping: row.int64(2)))
    let arrows = CardBytes.arrows(of: row.bytes(3))
    if place.isShootOff {
      let shot = ShootOffShot(
        arrows, distances: CardBytes.distances(of: row.bytes(4)), isMarkedCloser: row.bool(5))
      cards[side.rawValue].set(shot, shootOff: place.index)
    } else {
      cards[side.rawValue].set(arrows, end: place.index)
    }
    operations[place] = (row.int64(6), row.bytes(7))
    witnesses[place] = CorrectionWitness(row, from: 9)
  }
}

extension TeamMemberRecord {
  /// Reads the columns from the second one on.
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let kind = ParticipantRecord.Kind(rawValue: row.int32(5)) else {
      throw StoreError(.dataLoss, "a stored participant is none")
    }
    participant = row.int64(1)
    displayName = row.text(2)
    principal = row.int64(3)
    scorer = row.int64(4)
    self.kind = kind
    publicName = row.text(6)
  }
}

extension EliminationStageRecord {
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let system = MatchSystem(rawValue: row.int32(6)), let face = Face(rawValue: row.int32(9)),
      let maximum = RepeatedMaximum(rawValue: row.int32(10))
    else { throw StoreError(.dataLoss, "a stored stage is none") }
    id = row.int64(0)
    event = row.int64(1)
    category = row.int64(2)
    categoryCode = row.text(3)
    size = Int(clamping: row.int64(4))
    entrantCount = Int(clamping: row.int64(5))
    self.system = system
    ruleDay = row.int32(7)
    hasBronzeMatch = row.bool(8)
    self.face = face
    repeatedMaximum = maximum
    seed = UInt64(bitPattern: row.int64(11))
    createdAtMilliseconds = row.int64(12)
    secondCategory = row.int64(13)
    teamGroup = TeamGroup(rawValue: row.int32(14))
    groupCount = Int(clamping: row.int64(15))
    fromStage = row.int64(16)
    let exemptSeeds = Int(clamping: row.int64(17))
    exempt = ExemptSeeds.of(exemptSeeds, onDay: ruleDay)
    consent = CorrectionConsent(rawValue: row.int32(18))
    guard exemptSeeds == 0 || exempt != nil else {
      throw StoreError(.dataLoss, "a stored stage has exempt seeds of no rule")
    }
  }
}

extension MatchRecord {
  fileprivate init(_ row: Row) {
    id = row.int64(0)
    event = row.int64(1)
    stage = row.int64(2)
    place = BracketPlace(roundSize: Int(row.int64(3)), index: Int(row.int64(4)))
    revision = row.uint64(5)
    seeds = [row.int64(6), row.int64(7)].map { $0 == 0 ? nil : Int($0) }
    isBye = row.bool(8)
    forfeits = MatchSide.sides(of: row.int64(9))
    confirmations = MatchSide.sides(of: row.int64(10))
    targets = [UInt32(clamping: row.int64(11)), UInt32(clamping: row.int64(12))]
    startsAtMilliseconds = row.int64(13)
  }
}

extension MatchSide {
  /// The sides of a stored set: 1 the first, 2 the second.
  static func sides(of bits: Int64) -> Set<MatchSide> {
    Set(allCases.filter { bits & (1 << $0.rawValue) != 0 })
  }

  static func bits(of sides: Set<MatchSide>) -> Int64 {
    sides.reduce(0) { $0 | (1 << Int64($1.rawValue)) }
  }
}
