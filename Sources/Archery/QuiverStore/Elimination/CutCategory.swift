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
    let tallies = Dictionary(
      contenders.map { ($0.contender.id, $0.contender.tally) }, uniquingKeysWith: { $1 })
    let decided = try transaction.snapshot.tieDecisions(
      in: head, category: category.id, tally: { tallies[$0] }
    ).ties
    let rows = decided.split(ranked).map { row in
      Cut.Row(id: row.ranked.contender.id, rank: row.ranked.rank)
    }
    let (size, seed) = (self.size, self.seed)
    let cut = try validating { () throws(RuleViolation) in
      try Cut(rows, size: size, seed: seed)
    }
    guard cut.tied.isEmpty else {
      throw StoreError(
        .failedPrecondition,
        "\(cut.tied.count) participants, \(Self.list(cut.tied)), share the last rank of the cut, "
          + "and \(cut.tiedPlaces) \(cut.tiedPlaces == 1 ? "place is" : "places are") left; "
          + "decide the tie first", field: "size")
    }
    return cut
  }

  /// The first ids: a tie may have as many as the event.
  private static func list(_ ids: [Int64]) -> String {
    let shown = ids.prefix(8).map { "\($0)" }.joined(separator: ", ")
    return ids.count > 8 ? shown + " and others" : shown
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
