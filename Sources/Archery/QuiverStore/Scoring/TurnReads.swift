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
      "session_id = ?1 AND \(column) = ?2 AND turn_session = ?3"
      + " AND status = \(ParticipantStatus.active.rawValue)"
      + (column == "scorer_id" ? " AND scorer_id <> 0" : "")
    return (
      Query(
        """
        \(select) WHERE \(condition) ORDER BY next_end, turn_order, id LIMIT \(finishedCount)
        """),
      Query(
        """
        \(select)
        WHERE \(condition) AND next_end = ?4 AND (turn_order, id) > (?6, ?5)
        ORDER BY turn_order, id LIMIT \(finishedCount)
        """)
    )
  }
  private static let own = queries("principal_id")
  private static let assigned = queries("scorer_id")
  private static let turn = Query(
    "SELECT turn_session, turn_order FROM participant WHERE id = ?1")
  private static let lines = Query(
    "SELECT id FROM event_session WHERE event_id = ?1 ORDER BY round, starts_at_ms, id")
  private static let filledSlots = Query(
    """
    SELECT arrow_index FROM scored_arrow
    WHERE round_id = (SELECT id FROM round WHERE participant_id = ?1) AND end_index = ?2
      AND is_retracted = 0
    """)

  /// The slot that a scorer continues with after an end of the participant: in the session of that
  /// end, then in the others in their order.
  func turn(
    after place: ScoringPlace, end: Int, scorer: Int64
  ) throws(StoreError) -> ScoringTurn {
    let participant = place.participant
    let open = try openSlot(of: participant.id, end: end, in: place.format)
    guard open == nil else {
      return ScoringTurn.after(participant.id, endIndex: end, openInEnd: open, among: [])
    }
    let turn = try turn(of: place, end: end)
    var formats = [place.formatID: place.format]
    var (due, order) = (
      try self.due(place, scorer, in: turn.session, after: turn.order, &formats), turn.order
    )
    if due.isEmpty, place.isTournament {
      // Another session begins with its first place.
      order = .min
      let lines = try all(Self.lines, .integer(participant.sessionID)) { row in row.int64(0) }
      for line in lines + [0] where line != turn.session && due.isEmpty {
        due = try self.due(place, scorer, in: line, after: 0, &formats)
      }
    }
    return ScoringTurn.after(
      participant.id, order: order, endIndex: end, openInEnd: nil, among: due)
  }

  /// The session of an end of a participant, and the order of its place there.
  private func turn(
    of place: ScoringPlace, end: Int
  ) throws(StoreError) -> (session: Int64, order: Int64) {
    let participant = place.participant.id
    // Only a format of several passes can have several rounds.
    if place.isTournament, place.format.passes.count > 1 {
      let round = try round(ofParticipant: participant, end: end)
      let found = try self.place(ofParticipant: participant, inRound: round)
      return (found.session, found.turnOrder)
    }
    return try first(Self.turn, .integer(participant)) { row in
      (session: row.int64(0), order: row.int64(1))
    } ?? (0, 0)
  }

  /// The first participant of a scorer in a session that has an open end, and the one after the
  /// participant who was scored.
  private func due(
    _ place: ScoringPlace, _ scorer: Int64, in line: Int64, after order: Int64,
    _ formats: inout [Int64: RoundFormat]
  ) throws(StoreError) -> [ScoringTurn.Candidate] {
    let scope: [SQLValue] = [
      .integer(place.participant.sessionID), .integer(scorer), .integer(line),
    ]
    var due: [Int64: ScoringTurn.Candidate] = [:]
    for queries in [Self.own, Self.assigned] {
      guard let first = try candidate(queries.first, scope, &formats), let slot = first.open else {
        continue
      }
      due[first.participant] = first
      let next = try candidate(
        queries.after,
        scope + [
          .integer(Int64(slot.endIndex)), .integer(place.participant.id), .integer(order),
        ],
        &formats)
      if let next { due[next.participant] = next }
    }
    return Array(due.values)
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
