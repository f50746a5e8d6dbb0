import QuiverRules

/// Gives matches their targets and their start.
package struct PlaceMatches: Command {
  private let scope: Scope
  private let places: Places

  /// Which matches get places.
  package enum Scope: Sendable {
    /// Those of a round of a stage that are no byes, in their order.
    case round(stage: Int64, size: UInt32)
    /// Those of a round of all groups of a stage, from 1.
    case groupRound(stage: Int64, UInt32)
    /// One match.
    case match(Int64)
  }

  /// The targets of the first match and the start of all.
  package struct Places: Sendable {
    /// Of the first side; 0: no targets.
    package var firstTarget: UInt32 = 0
    /// 1: both sides shoot on one target, 2: each on its own.
    package var targetsPerMatch: UInt32 = 1
    /// 0: not known.
    package var startsAtMilliseconds: Int64 = 0
    /// The revision of the bracket that was read; 0: any.
    package var expectedRevision: UInt64 = 0

    package init() {}
  }

  private static let setPlace = Query(
    """
    UPDATE event_match SET revision = revision + 1, first_target = ?2, second_target = ?3,
      starts_at_ms = ?4
    WHERE id = ?1
    """)
  private static let atStart = Query(
    """
    SELECT id, first_target, second_target FROM event_match
    WHERE event_id = ?1 AND starts_at_ms = ?2 AND starts_at_ms > 0
    """)

  package init(_ scope: Scope, _ places: Places) throws(StoreError) {
    guard places.firstTarget <= StoreLimits.targetNumber else {
      throw .invalid("first_target", "must be at most \(StoreLimits.targetNumber), or 0 for none")
    }
    guard (1...2).contains(places.targetsPerMatch) else {
      throw .invalid("targets_per_match", "must be 1 or 2")
    }
    guard places.startsAtMilliseconds >= 0 else {
      throw .invalid("starts_at_ms", "must not be negative")
    }
    if case .round(_, let size) = scope {
      guard BracketOrder.sizes.contains(Int(size)) else {
        throw .invalid("round_size", "must be a power of two from 2 to 128")
      }
    }
    self.scope = scope
    self.places = places
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> BracketRecord {
    let (record, matches, head) = try matches(transaction)
    let places = try targets(of: matches)
    if !zip(matches, places).allSatisfy({ isPlaced($0, $1) }) {
      try record.check(hasRevision: self.places.expectedRevision)
    }
    try checkFree(places, of: matches, head, transaction)
    for (match, targets) in zip(matches, places) where !isPlaced(match, targets) {
      try transaction.keepPastScorers(ofMatch: match)
      try transaction.run(
        Self.setPlace, .integer(match.id), .integer(Int64(targets[0])),
        .integer(Int64(targets[1])), .integer(self.places.startsAtMilliseconds))
      try transaction.recordMatch(match.id, head)
      try transaction.auditMatch(
        match, "match.place", before: Self.text(match.targets, match.startsAtMilliseconds),
        after: Self.text(targets, self.places.startsAtMilliseconds))
    }
    return try transaction.snapshot.bracket(stage: record.stage.id)
  }

  private typealias Found = (bracket: BracketRecord, matches: [MatchRecord], head: TournamentHead)

  private func matches(_ transaction: borrowing Transaction) throws(StoreError) -> Found {
    switch scope {
    case .match(let id):
      let (match, bracket, head) = try transaction.openMatch(id)
      try transaction.checkRules(head)
      guard !match.isBye else {
        throw StoreError(.failedPrecondition, "it is a bye", field: "match_id")
      }
      return (bracket, [match], head)
    case .round(let id, let size):
      return try matches(of: id, "round_size", transaction) { match, stage in
        stage.groupCount == 0 && match.place.roundSize == Int(size) && !match.isBye
      }
    case .groupRound(let id, let round):
      return try matches(of: id, "group_round", transaction) { match, stage in
        stage.groupCount > 0 && stage.groupRound(of: match) == Int(round)
      }
    }
  }

  private func matches(
    of stage: Int64, _ field: String, _ transaction: borrowing Transaction,
    _ isWanted: (MatchRecord, EliminationStageRecord) -> Bool
  ) throws(StoreError) -> Found {
    let bracket = try transaction.snapshot.bracket(
      stage: stage, principal: transaction.caller.principal)
    let head = try transaction.head(bracket.stage.event)
    try transaction.checkRules(head, field: "stage_id")
    try transaction.checkNotCancelled(head, field: "stage_id")
    let matches = bracket.matches.filter { isWanted($0, bracket.stage) }
    guard !matches.isEmpty else {
      throw StoreError(.failedPrecondition, "the stage has no match in this round", field: field)
    }
    return (bracket, matches, head)
  }

  /// The targets of each match: of the first and of the second side.
  private func targets(of matches: [MatchRecord]) throws(StoreError) -> [[UInt32]] {
    guard places.firstTarget > 0 else { return matches.map { _ in [0, 0] } }
    let last = places.firstTarget + UInt32(matches.count) * places.targetsPerMatch - 1
    guard last <= StoreLimits.targetNumber else {
      throw .invalid(
        "first_target",
        "\(matches.count) matches need the targets to \(last); the last one may be "
          + "\(StoreLimits.targetNumber)")
    }
    return matches.indices.map { index in
      let first = places.firstTarget + UInt32(index) * places.targetsPerMatch
      return [first, first + places.targetsPerMatch - 1]
    }
  }

  private func isPlaced(_ match: MatchRecord, _ targets: [UInt32]) -> Bool {
    match.targets == targets && match.startsAtMilliseconds == places.startsAtMilliseconds
  }

  /// Throws if another match of the event has one of the targets at that start.
  private func checkFree(
    _ places: [[UInt32]], of matches: [MatchRecord], _ head: TournamentHead,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let own = Set(matches.map(\.id))
    let wanted = Set(places.joined()).subtracting([0])
    let others = try transaction.snapshot.all(
      Self.atStart, .integer(head.id), .integer(self.places.startsAtMilliseconds)
    ) { row in
      (id: row.int64(0), targets: [UInt32(clamping: row.int64(1)), UInt32(clamping: row.int64(2))])
    }
    for other in others where !own.contains(other.id) {
      guard let target = other.targets.first(where: wanted.contains) else { continue }
      throw StoreError(
        .failedPrecondition, "match \(other.id) is on target \(target) at this time",
        field: "first_target")
    }
  }

  private static func text(_ targets: [UInt32], _ start: Int64) -> String {
    "\(targets[0]) \(targets[1]) \(start)"
  }
}
