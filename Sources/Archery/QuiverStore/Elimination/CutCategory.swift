package import QuiverRules

/// Cuts a category and draws the bracket of its elimination.
package struct CutCategory: Command {
  private let event: Int64
  private let category: Int64
  private let size: Int
  private let system: MatchSystem
  private let hasBronzeMatch: Bool
  private let seed: UInt64

  private static let countStages = Query(
    """
    SELECT count(*) FROM event_stage
    WHERE event_id = ?1 AND category_id = ?2 AND kind = \(Snapshot.eliminationKind)
    """)
  private static let insertStage = Query(
    """
    INSERT INTO event_stage (event_id, category_id, kind, revision, size, entrant_count,
      match_system, rule_day, has_bronze, face, repeats_maximum, seed, created_at_ms)
    VALUES (?1, ?2, \(Snapshot.eliminationKind), 1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    """, key: "id")
  private static let insertEntrant = Query(
    """
    INSERT INTO event_entrant (stage_id, seed, event_id, participant_id) VALUES (?1, ?2, ?3, ?4)
    """)

  /// What is cut.
  package struct Scope: Sendable {
    package var event: Int64 = 0
    package var category: Int64 = 0
    package var size: UInt32 = 0
    package var hasBronzeMatch = true
    /// 0: a new one.
    package var seed: UInt64 = 0

    package init() {}
  }

  package init(_ scope: Scope, _ system: MatchSystem?) throws(StoreError) {
    guard let system, system == .individualSets || system == .individualCumulative else {
      throw .invalid("system", "must be individual_sets or individual_cumulative")
    }
    guard Cut.sizes.contains(Int(scope.size)) else {
      throw .invalid(
        "size", "must be from \(Cut.sizes.lowerBound) to \(Cut.sizes.upperBound)")
    }
    event = scope.event
    category = scope.category
    size = Int(scope.size)
    hasBronzeMatch = scope.hasBronzeMatch
    self.system = system
    seed = scope.seed == 0 ? try DrawPlaces.randomSeed() : scope.seed
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> BracketRecord {
    let head = try transaction.event(event)
    try transaction.checkNotCancelled(head)
    let record = try transaction.snapshot.category(id: category, of: event)
    let count = try transaction.snapshot.first(
      Self.countStages, .integer(event), .integer(category)
    ) { row in row.int64(0) }
    guard count ?? 0 < StoreLimits.stagesPerCategory else {
      throw StoreError(
        .resourceExhausted,
        "one category may have \(StoreLimits.stagesPerCategory) elimination stages",
        notProcessed: true)
    }
    let cut = try cut(head, record, transaction)
    let qualified = cut.qualified
    let day = Int32(clamping: transaction.nowMilliseconds / 86_400_000)
    guard let pass = record.format.format.passes.last else {
      throw StoreError(.dataLoss, "a stored format has no pass")
    }
    let rules = MatchRules(
      system, onDay: day, face: pass.face, outdoors: record.format.format.location == .outdoor,
      isCompound: BowDivision(rawValue: record.content.bow)?.onTarget == .compound)
    let bracketSize = BracketOrder.size(for: qualified.count) ?? 0
    let stage = try transaction.insert(
      Self.insertStage, .integer(event), .integer(category), .integer(Int64(bracketSize)),
      .integer(Int64(qualified.count)), .integer(Int64(system.rawValue)), .integer(Int64(day)),
      .integer(hasBronzeMatch && bracketSize > 2 ? 1 : 0), .integer(Int64(pass.face.rawValue)),
      .integer(Int64(EliminationStageRecord.RepeatedMaximum(rules).rawValue)),
      .integer(Int64(bitPattern: seed)), .integer(transaction.nowMilliseconds))
    for (index, id) in qualified.enumerated() {
      try transaction.run(
        Self.insertEntrant, .integer(stage), .integer(Int64(index + 1)), .integer(event),
        .integer(id))
    }
    try transaction.insertMatches(of: try transaction.snapshot.stage(id: stage))
    try transaction.record(
      .created, of: .eventStage, id: stage, principal: head.organiser, topic: event)
    try transaction.auditEvent(event, "event.cut", after: "\(category) \(size) \(seed)")
    return try transaction.snapshot.bracket(stage: stage)
  }

  /// Throws while somebody of the category shoots, and for a tie across the cut.
  private func cut(
    _ head: TournamentHead, _ category: EventCategoryRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Cut {
    let contenders = try transaction.contenders(of: category, in: head)
    let arrows = category.format.format.arrowCount
    if head.status != .completed {
      let shooting = contenders.filter {
        $0.isShooting && $0.contender.tally.arrowCount < arrows
      }
      guard shooting.isEmpty else {
        throw StoreError(
          .failedPrecondition,
          "\(shooting.count) entries have not shot all arrows; finalise the event, or note that "
            + "they did not finish", field: "category_id")
      }
    }
    let form = try transaction.snapshot.ranking(of: category.id, in: head).form
    let ranked = Ranking(form, inProgress: false).ranked(contenders.map(\.contender))
    let rows = ranked.map { Cut.Row(id: $0.contender.id, rank: $0.rank) }
    let decisions = try transaction.snapshot.tieDecisions(of: category.id)
    let (size, seed) = (self.size, self.seed)
    let cut = try validating { () throws(RuleViolation) in
      try Cut(rows, size: size, decisions: decisions, seed: seed)
    }
    guard cut.tied.isEmpty else {
      let ids = cut.tied.map { "\($0)" }.joined(separator: ", ")
      throw StoreError(
        .failedPrecondition,
        "the participants \(ids) share the last rank of the cut, with \(cut.tiedPlaces) places "
          + "left; decide the tie first", field: "size")
    }
    return cut
  }
}

extension Transaction {
  typealias CategoryContender = (contender: Ranking.Contender, isShooting: Bool)

  /// The entries of a category as its ranking sees them.
  func contenders(
    of category: EventCategoryRecord, in head: TournamentHead
  ) throws(StoreError) -> [CategoryContender] {
    var filter = Snapshot.EntryFilter()
    filter.category = category.id
    var contenders: [CategoryContender] = []
    for entry in try snapshot.eventEntries(event: head.id, filter, limit: .max) {
      let participant = try certain(entry.participant)
      let standing: Ranking.Standing =
        entry.isRanked ? .ranked : max(participant.status.standing, .withdrawn)
      contenders.append(
        (
          Ranking.Contender(
            id: participant.id, standing: standing, tally: participant.tally),
          entry.isRanked && entry.stored != .didNotFinish
        ))
    }
    return contenders
  }

  /// Throws if the event was cancelled.
  func checkNotCancelled(
    _ head: TournamentHead, field: String = "tournament_id"
  ) throws(StoreError) {
    switch head.status {
    case .inProgress, .completed: return
    case .open:
      throw StoreError(.failedPrecondition, "the event has not been started", field: field)
    case .cancelled:
      throw StoreError(.failedPrecondition, "the event was cancelled", field: field)
    }
  }
}

/// Records how participants with equal keys were told apart.
package struct DecideTie: Command {
  private let event: Int64
  private let category: Int64
  private let participants: [Int64]
  private let decision: Decision

  /// The raw values are those of `quiver.v1.TieDecision`, and are stored.
  package enum Decision: Int32, Sendable {
    case shootOff = 1
    case coinToss = 2
  }

  private static let put = Query(
    """
    INSERT INTO event_tie (category_id, participant_id, event_id, place, decision, decided_by,
      decided_at_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    ON CONFLICT (category_id, participant_id) DO UPDATE SET place = ?4, decision = ?5,
      decided_by = ?6, decided_at_ms = ?7
    """)

  package init(
    _ participants: [Int64], of category: Int64, in event: Int64, _ decision: Decision?
  ) throws(StoreError) {
    guard let decision else { throw .invalid("decision", "must be shoot_off or coin_toss") }
    guard (2...Cut.sizes.upperBound).contains(participants.count),
      Set(participants).count == participants.count
    else {
      throw .invalid("participant_ids", "must be 2 to \(Cut.sizes.upperBound) different ones")
    }
    self.participants = participants
    self.category = category
    self.event = event
    self.decision = decision
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let head = try transaction.event(event, for: [.judge])
    try transaction.checkNotCancelled(head)
    let record = try transaction.snapshot.category(id: category, of: event)
    let contenders = try transaction.contenders(of: record, in: head)
    let byID = Dictionary(contenders.map { ($0.contender.id, $0.contender) }) { first, _ in first }
    let form = try transaction.snapshot.ranking(of: category, in: head).form
    let ranking = Ranking(form, inProgress: false)
    for (index, id) in participants.enumerated() {
      let field = "participant_ids[\(index)]"
      guard let contender = byID[id], contender.standing == .ranked else {
        throw StoreError(.notFound, "is not ranked in this category", field: field)
      }
      guard let first = byID[participants[0]],
        ranking.firstDifference(first.tally, contender.tally) == nil
      else {
        throw StoreError(.failedPrecondition, "does not share the rank of the first", field: field)
      }
    }
    for (index, id) in participants.enumerated() {
      try transaction.run(
        Self.put, .integer(category), .integer(id), .integer(event), .integer(Int64(index + 1)),
        .integer(Int64(decision.rawValue)), .integer(transaction.caller.actor),
        .integer(transaction.nowMilliseconds))
    }
    try transaction.record(
      .updated, of: .eventCategory, id: category, principal: head.organiser, topic: event)
    try transaction.auditEvent(
      event, "event.tie",
      after: "\(category) \(decision) "
        + participants.map { "\($0)" }.joined(separator: " "))
  }
}

extension Snapshot {
  private static let decisions = Query(
    "SELECT participant_id, place FROM event_tie WHERE category_id = ?1")

  /// The places by which equal participants of a category were told apart.
  func tieDecisions(of category: Int64) throws(StoreError) -> [Int64: Int] {
    let rows = try all(Self.decisions, .integer(category)) { row in
      (row.int64(0), Int(clamping: row.int64(1)))
    }
    return Dictionary(rows) { first, _ in first }
  }
}
