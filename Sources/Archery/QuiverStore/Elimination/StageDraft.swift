import QuiverRules

/// What the archers of a team have in common; the raw values are those of `quiver.v1.TeamGroup`,
/// and are stored.
package enum TeamGroup: Int32, Sendable {
  case club = 1
  case country = 2

  /// The club or country of an entry; empty: none.
  func name(of entry: EventEntryRecord) -> String {
    switch self {
    case .club: entry.content.club
    case .country: entry.content.country
    }
  }
}

/// A stage to draw, with its entrants by their seeds.
struct StageDraft {
  let category: EventCategoryRecord
  /// Of a mixed team; 0: none.
  var secondCategory: Int64 = 0
  /// Nil: single archers.
  var teamGroup: TeamGroup?
  /// 0: a bracket.
  var groupCount = 0
  /// The groups from which it was cut; 0: the qualification.
  var fromStage: Int64 = 0
  let system: MatchSystem
  var hasBronzeMatch = false
  /// The first seeds of a bracket that start some rounds later; nil: none.
  var exempt: ExemptSeeds?
  let seed: UInt64
  var entrants: [Entrant] = []

  /// An archer, or a team with its members.
  struct Entrant {
    /// 0: a team.
    var participant: Int64 = 0
    var name = ""
    var members: [Int64] = []
  }
}

extension Transaction {
  private static let countStages = Query(
    """
    SELECT count(*) FROM event_stage
    WHERE event_id = ?1 AND category_id = ?2 AND kind = \(Snapshot.eliminationKind)
    """)
  private static let insertStage = Query(
    """
    INSERT INTO event_stage (event_id, category_id, kind, revision, size, entrant_count,
      match_system, rule_day, has_bronze, face, repeats_maximum, seed, created_at_ms,
      second_category_id, team_group, group_count, from_stage_id, exempt_seeds)
    VALUES (?1, ?2, \(Snapshot.eliminationKind), 1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
      ?14, ?15, ?16)
    """, key: "id")
  private static let insertEntrant = Query(
    """
    INSERT INTO event_entrant (stage_id, seed, event_id, participant_id) VALUES (?1, ?2, ?3, ?4)
    """)
  private static let insertTeam = Query(
    "INSERT INTO event_team (event_id, stage_id, seed, name) VALUES (?1, ?2, ?3, ?4)")
  private static let insertMember = Query(
    """
    INSERT INTO event_team_member (stage_id, seed, place, event_id, participant_id)
    VALUES (?1, ?2, ?3, ?4, ?5)
    """)

  /// Throws if a category has all stages that it may have.
  func checkStageCount(of category: Int64, in event: Int64) throws(StoreError) {
    let count = try snapshot.first(Self.countStages, .integer(event), .integer(category)) { row in
      row.int64(0)
    }
    guard count ?? 0 < StoreLimits.stagesPerCategory else {
      throw StoreError.reached(
        .stagesPerCategory,
        "one category may have \(StoreLimits.stagesPerCategory) elimination stages")
    }
  }

  /// Stores a stage with its entrants and matches, under the rules of this day.
  func draw(_ draft: StageDraft, in head: TournamentHead) throws(StoreError) -> BracketRecord {
    let format = draft.category.format.format
    let day = Int32(clamping: nowMilliseconds / 86_400_000)
    guard let pass = format.passes.last else {
      throw StoreError(.dataLoss, "a stored format has no pass")
    }
    let rules = MatchRules(
      draft.system, onDay: day, face: pass.face, outdoors: format.location == .outdoor,
      isCompound: BowDivision(rawValue: draft.category.content.bow)?.onTarget == .compound)
    let isBracket = draft.groupCount == 0
    let plainSize = BracketOrder.size(for: draft.entrants.count) ?? 0
    let size = isBracket ? draft.exempt?.size ?? plainSize : 0
    let stage = try insert(
      Self.insertStage, .integer(head.id), .integer(draft.category.id), .integer(Int64(size)),
      .integer(Int64(draft.entrants.count)), .integer(Int64(draft.system.rawValue)),
      .integer(Int64(day)), .integer(draft.hasBronzeMatch && size > 2 ? 1 : 0),
      .integer(Int64(pass.face.rawValue)),
      .integer(Int64(EliminationStageRecord.RepeatedMaximum(rules).rawValue)),
      .integer(Int64(bitPattern: draft.seed)), .integer(nowMilliseconds),
      .integer(draft.secondCategory), .integer(Int64(draft.teamGroup?.rawValue ?? 0)),
      .integer(Int64(draft.groupCount)), .integer(draft.fromStage),
      .integer(Int64(draft.exempt?.count ?? 0)))
    for (index, entrant) in draft.entrants.enumerated() {
      try insert(entrant, seed: Int64(index + 1), of: stage, in: head)
    }
    try insertMatches(of: try snapshot.stage(id: stage))
    try record(.created, of: .eventStage, id: stage, principal: head.organiser, topic: head.id)
    let exempt = draft.exempt.map { " exempt \($0.count)" } ?? ""
    try auditEvent(
      head.id, "event.cut",
      after: "\(draft.category.id) \(draft.entrants.count) \(draft.system.name) \(draft.seed)"
        + exempt)
    return try snapshot.bracket(stage: stage)
  }

  private func insert(
    _ entrant: StageDraft.Entrant, seed: Int64, of stage: Int64, in head: TournamentHead
  ) throws(StoreError) {
    try run(
      Self.insertEntrant, .integer(stage), .integer(seed), .integer(head.id),
      .integer(entrant.participant))
    guard entrant.participant == 0 else { return }
    try run(
      Self.insertTeam, .integer(head.id), .integer(stage), .integer(seed), .text(entrant.name))
    for (place, member) in entrant.members.enumerated() {
      try run(
        Self.insertMember, .integer(stage), .integer(seed), .integer(Int64(place)),
        .integer(head.id), .integer(member))
    }
  }
}
