import QuiverRules

/// Finds the participant to score next, by an index: the cost does not depend on their number.
extension Snapshot {
  /// How many participants are looked at for one who has not finished.
  private static let finishedCount = 32

  private static let select = """
    SELECT id, next_end, turn_order,
      (SELECT format_id FROM round r WHERE r.participant_id = participant.id)
    FROM participant
    """

  private static func queries(_ column: String) -> (first: Query, after: Query) {
    let condition =
      "session_id = ?1 AND \(column) = ?2 AND status = \(ParticipantStatus.active.rawValue)"
      + (column == "scorer_id" ? " AND scorer_id <> 0" : "")
    return (
      Query(
        """
        \(select) WHERE \(condition) ORDER BY next_end, turn_order, id LIMIT \(finishedCount)
        """),
      Query(
        """
        \(select)
        WHERE \(condition) AND next_end = ?3 AND (turn_order, id) > (?5, ?4)
        ORDER BY turn_order, id LIMIT \(finishedCount)
        """)
    )
  }
  private static let own = queries("principal_id")
  private static let assigned = queries("scorer_id")
  private static let turnOrder = Query("SELECT turn_order FROM participant WHERE id = ?1")
  private static let filledSlots = Query(
    """
    SELECT arrow_index FROM scored_arrow
    WHERE round_id = (SELECT id FROM round WHERE participant_id = ?1) AND end_index = ?2
      AND is_retracted = 0
    """)

  /// The slot that a scorer continues with after an end of the participant.
  func turn(
    after place: ScoringPlace, end: Int, scorer: Int64
  ) throws(StoreError) -> ScoringTurn {
    let participant = place.participant
    let open = try openSlot(of: participant.id, end: end, in: place.format)
    guard open == nil else {
      return ScoringTurn.after(participant.id, endIndex: end, openInEnd: open, among: [])
    }
    let order = try first(Self.turnOrder, .integer(participant.id)) { row in row.int64(0) } ?? 0
    let scope: [SQLValue] = [.integer(participant.sessionID), .integer(scorer)]
    var formats = [place.formatID: place.format]
    var due: [Int64: ScoringTurn.Candidate] = [:]
    for queries in [Self.own, Self.assigned] {
      guard let first = try candidate(queries.first, scope, &formats), let slot = first.open else {
        continue
      }
      due[first.participant] = first
      let next = try candidate(
        queries.after,
        scope + [.integer(Int64(slot.endIndex)), .integer(participant.id), .integer(order)],
        &formats)
      if let next { due[next.participant] = next }
    }
    return ScoringTurn.after(
      participant.id, order: order, endIndex: end, openInEnd: nil, among: Array(due.values))
  }

  /// A participant of the scorer with its first end that is not full.
  private struct Due {
    let id: Int64
    let nextEnd: Int
    let order: Int64
    let format: Int64
  }

  /// The first participant of a query that has an open slot.
  ///
  /// Where categories have rounds of different lengths, those who have finished a short one stand
  /// before those who have not finished a long one.
  private func candidate(
    _ query: Query, _ values: [SQLValue], _ formats: inout [Int64: RoundFormat]
  ) throws(StoreError) -> ScoringTurn.Candidate? {
    var rows: [Due] = []
    let known = formats
    try session.walk(query, values) { row in
      let due = Due(
        id: row.int64(0), nextEnd: Int(clamping: row.int64(1)), order: row.int64(2),
        format: row.int64(3))
      rows.append(due)
      return known[due.format]?.end(due.nextEnd) == nil
    }
    for due in rows {
      let format: RoundFormat
      if let known = formats[due.format] {
        format = known
      } else {
        format = try self.format(id: due.format).format
        formats[due.format] = format
      }
      if let slot = try openSlot(of: due.id, end: due.nextEnd, in: format) {
        return ScoringTurn.Candidate(participant: due.id, open: slot, order: due.order)
      }
    }
    return nil
  }

  /// The first open slot of an end; nil if the end is full or does not exist.
  private func openSlot(
    of participant: Int64, end: Int, in format: RoundFormat
  ) throws(StoreError) -> ArrowSlot? {
    guard let count = format.end(end)?.arrowCount else { return nil }
    let filled = Set(
      try all(Self.filledSlots, .integer(participant), .integer(Int64(end))) { row in
        Int(clamping: row.int64(0))
      })
    return (0..<count).first { !filled.contains($0) }
      .map { ArrowSlot(endIndex: end, arrowIndex: $0) }
  }
}
