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

  /// The statements about the participants who have the card of the category. Of these, ?1 is the
  /// event and ?2 the category: there is one statement for all of them, however many they are.
  private struct Statements {
    let operated: Query
    let card: Query
    let typed: Query
    let setFormat: Query
    let changed: Query
    let reopen: Query
    let complete: Query
    let deletePlaces: Query
    let setTurns: Query

    init(_ archers: String) {
      operated = Query(
        """
        SELECT o.participant_id, o.end_index FROM scoring_operation o
        WHERE o.participant_id IN (\(archers)) AND o.end_index >= ?3
        ORDER BY o.participant_id, o.end_index LIMIT 1
        """)
      card = Query(
        """
        SELECT min(k.participant_id) FROM event_card k
        WHERE k.event_id = ?1 AND k.participant_id IN (\(archers))
        """)
      typed = Query(
        """
        SELECT min(y.participant_id) FROM typed_total y
        WHERE y.event_id = ?1 AND y.ended_at_ms = 0 AND y.participant_id IN (\(archers))
        """)
      setFormat = Query(
        "UPDATE round SET format_id = ?3 WHERE participant_id IN (\(archers))")
      func shot(_ count: String) -> String {
        "(SELECT arrow_count FROM participant x WHERE x.id = round.participant_id) = \(count)"
      }
      let (inProgress, completed) = (
        RoundStatus.inProgress.rawValue, RoundStatus.completed.rawValue
      )
      changed = Query(
        """
        SELECT participant_id FROM round WHERE participant_id IN (\(archers)) AND (
          status = \(completed) AND \(shot("?3")) OR status = \(inProgress) AND \(shot("?4")))
        ORDER BY participant_id
        """)
      reopen = Query(
        """
        UPDATE round SET status = \(inProgress), completed_at_ms = NULL
        WHERE participant_id IN (\(archers)) AND status = \(completed) AND \(shot("?3"))
        """)
      complete = Query(
        """
        UPDATE round SET status = \(completed), completed_at_ms = ?4
        WHERE participant_id IN (\(archers)) AND status = \(inProgress) AND \(shot("?3"))
        """)
      deletePlaces = Query(
        "DELETE FROM event_round_place WHERE participant_id IN (\(archers)) AND round > ?3")
      setTurns = Query(
        "UPDATE participant SET \(Transaction.turn(of: "participant.id")) WHERE id IN (\(archers))")
    }
  }

  private static let ofCategory = Statements(
    "SELECT e.id FROM event_entry e WHERE e.event_id = ?1 AND e.category_id = ?2")
  private static let ofEvent = Statements(
    """
    SELECT p.id FROM participant p LEFT JOIN event_entry e ON e.id = p.id
    LEFT JOIN event_category c ON c.id = e.category_id
    WHERE p.session_id = ?1 AND coalesce(c.format_id, 0) = 0 AND ?2 > CAST(0 AS bigint)
    """)
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
  /// The categories that have the round of the event: their revisions change with it, so that
  /// nobody changes it who has read an earlier one, whichever of them that was.
  private static let sharing = Query(
    "SELECT id FROM event_category WHERE event_id = ?1 AND format_id = 0 ORDER BY id")
  private static let reviseSharing = Query(
    "UPDATE event_category SET revision = revision + 1 WHERE event_id = ?1 AND format_id = 0")
  private static let reviseEvent = Query(
    "UPDATE tournament SET revision = revision + 1 WHERE id = ?1")

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
    let statements = before.hasOwnFormat ? Self.ofCategory : Self.ofEvent
    try check(before, statements, changed, transaction)
    let id = try transaction.keep(
      changed.rounds, as: before.format.format, field: changed.field)
    try store(id, before, statements, changed, head, transaction)
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
        throw StoreError.reached(
          .roundsPerCategory, "one category may have \(StoreLimits.roundsPerCategory) rounds")
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
    _ before: EventCategoryRecord, _ statements: Statements, _ changed: Changed,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let isStaged = try transaction.snapshot.first(
      Self.stage, .integer(event), .integer(category), .integer(before.hasOwnFormat ? 0 : 1)
    ) { _ in true }
    guard isStaged == nil else {
      throw StoreError(
        .failedPrecondition, "it has an elimination; delete that first", field: "category_id")
    }
    let card = try transaction.snapshot.first(
      statements.card, .integer(event), .integer(category)
    ) { row in row.optionalInt64(0) }
    if let id = card ?? nil {
      throw StoreError(
        .failedPrecondition,
        "participant \(id) has a second card or a confirmation, which is of all rounds",
        field: "category_id")
    }
    let typed = try transaction.snapshot.first(
      statements.typed, .integer(event), .integer(category)
    ) { row in row.optionalInt64(0) }
    if let id = typed ?? nil {
      throw StoreError(
        .failedPrecondition,
        "participant \(id) has a typed total, which is of a part of these rounds",
        field: "category_id")
    }
    guard changed.index < before.rounds.count else { return }
    let operated = try transaction.snapshot.first(
      statements.operated, .integer(event), .integer(category),
      .integer(Int64(before.rounds[changed.index].firstEnd))
    ) { row in (id: row.int64(0), end: Int(clamping: row.int64(1))) }
    guard let operated else { return }
    let round = before.rounds.last { $0.firstEnd <= operated.end }
    throw StoreError(
      .failedPrecondition,
      "participant \(operated.id) has arrows in round \(round?.number ?? 1), which would move",
      field: changed.field)
  }

  private func store(
    _ format: Int64, _ before: EventCategoryRecord, _ statements: Statements, _ changed: Changed,
    _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    var categories = [category]
    if before.hasOwnFormat {
      try transaction.run(Self.setCategory, .integer(category), .integer(format))
    } else {
      categories = try transaction.snapshot.all(Self.sharing, .integer(event)) { row in
        row.int64(0)
      }
      try transaction.run(Self.reviseSharing, .integer(event))
      try transaction.run(Self.setEvent, .integer(event), .integer(format))
      try transaction.run(Self.reviseEvent, .integer(event))
      try transaction.recordEvent(event, organiser: head.organiser, .updated)
    }
    try storeRounds(format, before, statements, changed, transaction)
    for id in categories {
      try transaction.record(
        .updated, of: .eventCategory, id: id, principal: head.organiser, topic: event)
    }
    try transaction.auditEvent(
      event, "event.rounds", before: "\(category) \(before.rounds.count)",
      after: "\(category) \(changed.rounds.count)")
  }

  /// Gives the archers the format. Only those whose round is completed by it, or no longer is, have
  /// statements of their own: for the journal.
  private func storeRounds(
    _ format: Int64, _ before: EventCategoryRecord, _ statements: Statements, _ changed: Changed,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let archers: [SQLValue] = [.integer(event), .integer(category)]
    let (old, new) = (
      SQLValue.integer(Int64(before.format.format.arrowCount)),
      SQLValue.integer(Int64(changed.rounds.joined().reduce(0) { $0 + $1.arrowCount }))
    )
    var affected: [Int64] = []
    try transaction.snapshot.session.forEach(statements.changed, archers + [old, new]) { row in
      affected.append(row.int64(0))
    }
    try transaction.run(statements.setFormat, values: archers + [.integer(format)])
    try transaction.run(statements.reopen, values: archers + [old])
    try transaction.run(
      statements.complete, values: archers + [new, .integer(transaction.nowMilliseconds)])
    try transaction.run(
      statements.deletePlaces, values: archers + [.integer(Int64(changed.rounds.count))])
    try transaction.run(statements.setTurns, values: archers)
    for id in affected {
      try transaction.recordScore(of: try transaction.certain(id), isTournament: true)
    }
  }
}
