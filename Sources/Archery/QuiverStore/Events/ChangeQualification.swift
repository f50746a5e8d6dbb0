import QuiverRules

/// Adds a round to the qualification of a category, or removes one.
///
/// The card of an archer has all rounds one after another, so that totals, ranks and cuts are those
/// of the sum. What was shot stays where it is: no round before an arrow changes.
package struct ChangeQualification: Command {
  private let category: Int64
  private let event: Int64
  private let revision: UInt64
  private let change: Change

  /// What changes.
  package enum Change: Sendable {
    /// Adds a round before the one with a number; 0: after all of them.
    case add(FormatChoice, arrowLimit: UInt32, before: UInt32)
    /// Removes the round with a number.
    case remove(UInt32)
  }

  private static let ofCategory = Query(
    "SELECT id FROM event_entry WHERE event_id = ?1 AND category_id = ?2 ORDER BY id")
  private static let ofEvent = Query(
    """
    SELECT p.id FROM participant p LEFT JOIN event_entry e ON e.id = p.id
    LEFT JOIN event_category c ON c.id = e.category_id
    WHERE p.session_id = ?1 AND coalesce(c.format_id, 0) = 0 ORDER BY p.id
    """)
  private static let operated = Query(
    """
    SELECT 1 FROM scoring_operation
    WHERE participant_id = ?1 AND end_index >= ?2 AND end_index < ?3 LIMIT 1
    """)
  private static let card = Query("SELECT 1 FROM event_card WHERE participant_id = ?1")
  private static let stage = Query(
    """
    SELECT 1 FROM event_stage s LEFT JOIN event_category c ON c.id = s.category_id
    LEFT JOIN event_category d ON d.id = s.second_category_id
    WHERE s.event_id = ?1 AND s.kind <> 1 AND (?2 IN (s.category_id, s.second_category_id)
      OR (?3 = 1 AND (c.format_id = 0 OR d.format_id = 0))) LIMIT 1
    """)
  private static let setCategory = Query(
    "UPDATE event_category SET revision = revision + 1, format_id = ?2 WHERE id = ?1")
  private static let setEvent = Query("UPDATE shooting_session SET format_id = ?2 WHERE id = ?1")
  private static let reopen = Query(
    """
    UPDATE round SET status = \(RoundStatus.inProgress.rawValue), completed_at_ms = NULL
    WHERE participant_id = ?1 AND status = \(RoundStatus.completed.rawValue) AND (
      SELECT arrow_count FROM participant WHERE id = ?1) = ?2
    """)
  private static let complete = Query(
    """
    UPDATE round SET status = \(RoundStatus.completed.rawValue), completed_at_ms = ?3
    WHERE participant_id = ?1 AND status = \(RoundStatus.inProgress.rawValue) AND (
      SELECT arrow_count FROM participant WHERE id = ?1) = ?2
    """)

  /// At the revision of the category that was read.
  package init(
    _ change: Change, of category: Int64, in event: Int64, revision: UInt64
  ) throws(StoreError) {
    guard revision > 0 else {
      throw .invalid("revision", "must be the revision of the category that was read, from 1")
    }
    self.change = change
    self.category = category
    self.event = event
    self.revision = revision
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EventCategoryRecord {
    let head = try transaction.event(event)
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    let before = try transaction.snapshot.category(id: category, of: event)
    guard before.revision == revision else {
      throw StoreError(
        .aborted, "it was changed since revision \(revision); it is at \(before.revision)",
        field: "revision")
    }
    if !before.hasOwnFormat { try Self.checkOpen(head) }
    let changed = try changed(before, transaction)
    let archers = try archers(of: before, transaction)
    try check(before, archers, changed, transaction)
    let id = try transaction.keep(
      changed.rounds, as: before.format.format, field: changed.field)
    try store(id, before, archers, changed, head, transaction)
    guard let record = try transaction.snapshot.category(id: category) else {
      throw StoreError(.internalError, "a category went while it was changed")
    }
    return record
  }

  /// The rounds afterwards, and which of the rounds before are not the same any more.
  private struct Changed {
    var rounds: [[RoundPass]]
    /// The index of the round that is added or removed.
    let index: Int
    let field: String
  }

  /// The participants who have the card of the category.
  private func archers(
    of before: EventCategoryRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) -> [Int64] {
    guard before.hasOwnFormat else {
      return try transaction.snapshot.all(Self.ofEvent, .integer(event)) { row in row.int64(0) }
    }
    return try transaction.snapshot.all(Self.ofCategory, .integer(event), .integer(category)) {
      row in row.int64(0)
    }
  }

  private static func checkOpen(_ head: TournamentHead) throws(StoreError) {
    guard head.status == .open else {
      throw StoreError(
        .failedPrecondition,
        "the category has the round of the event, which stays after the start", field: "category_id"
      )
    }
  }

  private func changed(
    _ before: EventCategoryRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Changed {
    var rounds = before.rounds.map(\.passes)
    switch change {
    case .add(let choice, let limit, let number):
      guard rounds.count < StoreLimits.roundsPerCategory else {
        throw StoreError(
          .resourceExhausted, "one category may have \(StoreLimits.roundsPerCategory) rounds",
          notProcessed: true)
      }
      guard number <= UInt32(rounds.count) else {
        throw .invalid("before", "must be at most \(rounds.count), the rounds there are")
      }
      let added = try transaction.snapshot.format(
        choice, principal: transaction.caller.principal
      ).format
      guard added.location == before.format.format.location else {
        throw StoreError(
          .invalidArgument,
          "is not shot where the other rounds are: indoors, outdoors or in the "
            + "field", field: "format")
      }
      let cut = limit > 0 ? added.cut(toArrows: Int(limit)) : added
      let index = number == 0 ? rounds.count : Int(number) - 1
      rounds.insert(cut.passes, at: index)
      return Changed(rounds: rounds, index: index, field: "format")
    case .remove(let number):
      guard (1...UInt32(rounds.count)).contains(number) else {
        throw StoreError(.notFound, "the category has no such round", field: "number")
      }
      guard rounds.count > 1 else {
        throw StoreError(.failedPrecondition, "is the only round of the category", field: "number")
      }
      rounds.remove(at: Int(number) - 1)
      return Changed(rounds: rounds, index: Int(number) - 1, field: "number")
    }
  }

  /// Throws if there is something that the change would move.
  private func check(
    _ before: EventCategoryRecord, _ archers: [Int64], _ changed: Changed,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let isStaged = try transaction.snapshot.first(
      Self.stage, .integer(event), .integer(category), .integer(before.hasOwnFormat ? 0 : 1)
    ) { _ in true }
    guard isStaged == nil else {
      throw StoreError(
        .failedPrecondition, "it has an elimination; delete that first", field: "category_id")
    }
    for id in archers {
      let hasCard = try transaction.snapshot.first(Self.card, .integer(id)) { _ in true }
      guard hasCard != nil else { continue }
      throw StoreError(
        .failedPrecondition,
        "participant \(id) has a second card or a confirmation, which is of all rounds",
        field: "category_id")
    }
    for round in before.rounds[min(changed.index, before.rounds.count)...] {
      for id in archers {
        let found = try transaction.snapshot.first(
          Self.operated, .integer(id), .integer(Int64(round.firstEnd)),
          .integer(Int64(round.firstEnd + round.endCount))
        ) { _ in true }
        guard found == nil else {
          throw StoreError(
            .failedPrecondition,
            "participant \(id) has arrows in round \(round.number), which would move",
            field: changed.field)
        }
      }
    }
  }

  private func store(
    _ format: Int64, _ before: EventCategoryRecord, _ archers: [Int64], _ changed: Changed,
    _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    try transaction.run(
      Self.setCategory, .integer(category), .integer(before.hasOwnFormat ? format : 0))
    if !before.hasOwnFormat {
      try transaction.run(Self.setEvent, .integer(event), .integer(format))
      try transaction.recordEvent(event, organiser: head.organiser, .updated)
    }
    let (old, new) = (
      Int64(before.format.format.arrowCount),
      Int64(changed.rounds.joined().reduce(0) { $0 + $1.arrowCount })
    )
    for id in archers {
      try transaction.setFormat(format, ofParticipant: id)
      var count = try transaction.runCounting(Self.reopen, .integer(id), .integer(old))
      count += try transaction.runCounting(
        Self.complete, .integer(id), .integer(new), .integer(transaction.nowMilliseconds))
      try transaction.deletePlaces(ofParticipant: id, afterRound: changed.rounds.count)
      if count > 0 {
        try transaction.recordScore(of: try transaction.certain(id), isTournament: true)
      }
    }
    try transaction.record(
      .updated, of: .eventCategory, id: category, principal: head.organiser, topic: event)
    try transaction.auditEvent(
      event, "event.rounds", before: "\(category) \(before.rounds.count)",
      after: "\(category) \(changed.rounds.count)")
  }
}
