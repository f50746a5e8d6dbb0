import QuiverRules

/// Records how the tie of all participants who share a rank was decided.
///
/// The latest decision that names somebody replaces the ones before. It is stored with the keys
/// that were equal, and applies only to these.
package struct DecideTie: Command {
  private let event: Int64
  private let category: Int64
  private let participants: [Int64]
  private let decision: Decision
  private let shots: [TieShots]
  private let expected: Int64?

  /// The raw values are those of `quiver.v1.TieDecision`, and are stored.
  package enum Decision: Int32, Sendable {
    case shootOff = 1
    case coinToss = 2
  }

  private static let put = Query(
    """
    INSERT INTO event_tie (category_id, participant_id, event_id, place, decision, decided_by,
      decided_at_ms, decision_id, keys, arrows, distances)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    ON CONFLICT (category_id, participant_id) DO UPDATE SET place = ?4, decision = ?5,
      decided_by = ?6, decided_at_ms = ?7, decision_id = ?8, keys = ?9, arrows = ?10,
      distances = ?11
    """)
  private static let lastID = Query(
    "SELECT coalesce(max(decision_id), 0) FROM event_tie WHERE event_id = ?1")

  /// `shots` are those of a shoot-off, of each participant; empty: only the order is known.
  /// `decidedAt` is when the tie was decided, as it was read, 0 if it was not; nil: any.
  package init(
    _ participants: [Int64], of category: Int64, in event: Int64, _ decision: Decision?,
    shots: [TieShots] = [], decidedAt expected: Int64? = nil
  ) throws(StoreError) {
    self.expected = expected
    guard let decision else { throw .invalid("decision", "must be shoot_off or coin_toss") }
    guard shots.isEmpty || decision == .shootOff else {
      throw .invalid("shots", "must be empty without a shoot-off")
    }
    guard shots.isEmpty || shots.count == participants.count else {
      throw .invalid("shots", "must be those of all participants, or none")
    }
    guard (2...Cut.sizes.upperBound).contains(participants.count),
      Set(participants).count == participants.count
    else {
      throw .invalid("participant_ids", "must be 2 to \(Cut.sizes.upperBound) different ones")
    }
    self.participants = participants
    self.category = category
    self.event = event
    self.decision = decision
    self.shots = shots
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let head = try transaction.event(event, for: [.judge])
    try transaction.checkNotCancelled(head)
    let record = try transaction.snapshot.category(id: category, of: event)
    if let face = record.format.format.passes.last?.face {
      try TieShots.check(shots, on: face, field: "shots")
    }
    let keys = try check(record, head, transaction)
    let last = try transaction.snapshot.first(Self.lastID, .integer(event)) { row in row.int64(0) }
    for (index, id) in participants.enumerated() {
      try transaction.run(
        Self.put, .integer(category), .integer(id), .integer(event), .integer(Int64(index + 1)),
        .integer(Int64(decision.rawValue)), .integer(transaction.caller.actor),
        .integer(transaction.nowMilliseconds), .integer((last ?? 0) + 1), .blob(keys[index]),
        shots.isEmpty ? .null : .blob(CardBytes.arrows(shots[index].arrows)),
        shots.isEmpty ? .null : .blob(CardBytes.distances(shots[index].distances)))
    }
    try transaction.record(
      .updated, of: .eventCategory, id: category, principal: head.organiser, topic: event)
    try transaction.auditEvent(
      event, "event.tie",
      after: "\(category) \(decision) "
        + participants.map { "\($0)" }.joined(separator: " "))
  }

  /// The keys of each participant, which are equal but for those behind a count that is missing;
  /// throws unless they are all who share a rank, and have shot all arrows.
  private func check(
    _ record: EventCategoryRecord, _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) -> [[UInt8]] {
    let contenders = try transaction.contenders(of: record, in: head)
    let byID = Dictionary(contenders.map { ($0.contender.id, $0) }) { first, _ in first }
    let form = try transaction.snapshot.ranking(of: category, in: head).form
    let ranking = Ranking(form, inProgress: false)
    let ranks = Dictionary(
      ranking.ranked(contenders.map(\.contender)).map { ($0.contender.id, $0.rank) },
      uniquingKeysWith: { first, _ in first })
    let arrows = record.format.format.arrowCount
    for (index, id) in participants.enumerated() {
      let field = "participant_ids[\(index)]"
      guard let entry = byID[id], entry.contender.standing == .ranked else {
        throw StoreError(.notFound, "is not ranked in this category", field: field)
      }
      guard ranks[id] == ranks[participants[0]] else {
        throw StoreError(.failedPrecondition, "does not share the rank of the first", field: field)
      }
      guard
        head.status == .completed || !entry.isShooting
          || entry.contender.tally.arrowCount >= arrows
      else {
        throw StoreError(
          .failedPrecondition, "has not shot all arrows; a tie is decided afterwards", field: field)
      }
    }
    let sharing = ranks.values.count { $0 == ranks[participants[0]] }
    guard sharing == participants.count else {
      throw StoreError(
        .failedPrecondition,
        "\(sharing) share this rank, and \(participants.count) are named; name all of them",
        field: "participant_ids")
    }
    if let expected {
      let decisions = try transaction.snapshot.tieDecisions(in: head, category: category) {
        byID[$0]?.contender.tally
      }
      for id in participants {
        let found = decisions.byParticipant[id]
        guard found?.decidedAtMilliseconds ?? 0 != expected else { continue }
        throw .changed(
          since: "expected_decided_at_ms",
          found.map { "the tie, which \($0.decidedByName) decided," } ?? "the decision of the tie")
      }
    }
    return participants.map { id in
      byID[id].map { ranking.storedKeys(of: $0.contender.tally) } ?? []
    }
  }
}

extension Ranking {
  /// The keys of a tally in their stored form.
  fileprivate func storedKeys(of tally: ScoreTally) -> [UInt8] {
    Array(
      keys.map { $0.isMissing(in: tally) ? "?" : "\($0.value(in: tally))" }.joined(separator: ".")
        .utf8)
  }
}

/// The decisions of ties, by participant.
struct TieDecisions: Sendable {
  let byParticipant: [Int64: TieDecisionRecord]

  /// What they mean for a ranking.
  var ties: DecidedTies {
    DecidedTies(byParticipant.mapValues { DecidedTies.Place(decision: $0.id, place: $0.place) })
  }
}

/// How a tie of participants with equal keys was decided.
package struct TieDecisionRecord: Sendable, Equatable {
  /// The same for all whom one decision names.
  let id: Int64
  let category: Int64
  /// From 1.
  let place: Int
  package let decision: DecideTie.Decision
  package let decidedBy: Int64
  package let decidedByName: String
  package let decidedAtMilliseconds: Int64
  /// Nil: not known.
  package let shots: TieShots?
}

extension Snapshot {
  private static let decisions = Query(
    """
    SELECT e.participant_id, e.decision_id, e.category_id, e.place, e.decision, e.decided_by,
      e.decided_at_ms, coalesce(p.display_name, ''), e.keys, e.arrows, e.distances
    FROM event_tie e LEFT JOIN principal p ON p.id = e.decided_by
    WHERE e.event_id = ?1 AND (?2 = 0 OR e.category_id = ?2)
    """)

  /// The decided ties of a category, or of all categories of an event for 0, as far as the present
  /// tallies have the keys that were compared.
  ///
  /// `categories` has the present category of participants: a decision of another one does not
  /// concern them. Nil stands for the one category.
  func tieDecisions(
    in head: TournamentHead, category: Int64, categories: [Int64: Int64]? = nil,
    tally: (Int64) -> ScoreTally?
  ) throws(StoreError) -> TieDecisions {
    var rankings: [Int64: Ranking] = [:]
    var found: [Int64: TieDecisionRecord] = [:]
    try session.forEach(Self.decisions, [.integer(head.id), .integer(category)]) {
      (row) throws(StoreError) in
      guard let decision = DecideTie.Decision(rawValue: row.int32(4)) else {
        throw StoreError(.dataLoss, "a stored decision is none")
      }
      let (participant, own) = (row.int64(0), row.int64(2))
      guard categories == nil || categories?[participant] == own else { return }
      // Decisions from before there was this column hold for any keys.
      if !row.isNull(8) {
        if rankings[own] == nil {
          rankings[own] = Ranking(try ranking(of: own, in: head).form, inProgress: false)
        }
        guard let tally = tally(participant),
          rankings[own]?.storedKeys(of: tally) == row.bytes(8)
        else { return }
      }
      let (principal, name) = (row.int64(5), row.text(7))
      found[participant] = TieDecisionRecord(
        id: row.int64(1), category: own, place: Int(clamping: row.int64(3)), decision: decision,
        decidedBy: principal, decidedByName: name.isEmpty ? "Archer \(principal)" : name,
        decidedAtMilliseconds: row.int64(6),
        shots: row.isNull(9)
          ? nil : TieShots(arrows: row.bytes(9), distances: row.bytes(10)))
    }
    return TieDecisions(byParticipant: found)
  }
}
