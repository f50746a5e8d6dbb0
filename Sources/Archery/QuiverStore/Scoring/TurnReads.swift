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
  /// The sessions of an event in which a principal has somebody to score: who it entered, who is
  /// assigned to it, or who stands on a target that it holds the lease on.
  private static let lines = Query(
    """
    SELECT s.id FROM event_session s WHERE s.event_id = ?1 AND (
      EXISTS (SELECT 1 FROM participant p WHERE p.session_id = ?1 AND p.principal_id = ?2
        AND p.turn_session = s.id AND p.status = \(ParticipantStatus.active.rawValue))
      OR EXISTS (SELECT 1 FROM participant p WHERE p.session_id = ?1 AND p.scorer_id = ?2
        AND p.scorer_id <> 0 AND p.turn_session = s.id
        AND p.status = \(ParticipantStatus.active.rawValue))
      OR EXISTS (SELECT 1 FROM event_lease l WHERE l.event_id = ?1 AND l.principal_id = ?2
        AND l.session_id = s.id AND l.card = \(LeasedCard.first.rawValue)
        AND l.expires_at_ms > ?3))
    ORDER BY s.round, s.starts_at_ms, s.id
    """)
  /// The condition on letters holds for all: with it SQLite looks for the one target in the index
  /// of places, and not for all targets of the session.
  private static func onLeasedTarget(_ places: String, _ id: String) -> String {
    """
    SELECT p.id, p.next_end, p.turn_order,
      (SELECT r.format_id FROM round r WHERE r.participant_id = p.id)
    FROM event_lease l
    CROSS JOIN \(places) o ON o.session_id = l.session_id AND o.target = l.target
    CROSS JOIN participant p ON p.id = o.\(id)
    WHERE l.principal_id = ?1 AND l.event_id = ?2 AND l.session_id = ?3
      AND l.card = \(LeasedCard.first.rawValue) AND l.expires_at_ms > ?4 AND o.target > 0
      AND o.letter >= 0
      AND p.turn_session = ?3 AND p.status = \(ParticipantStatus.active.rawValue)
    """
  }
  /// Those who stand on the targets of a session that a principal holds the leases on.
  private static let leased = Query(
    joiningInOrder: onLeasedTarget("event_entry", "id") + " UNION ALL "
      + onLeasedTarget("event_round_place", "participant_id"))
  private static func onTarget(_ places: String, _ id: String) -> String {
    """
    SELECT p.id, p.next_end, p.turn_order,
      (SELECT r.format_id FROM round r WHERE r.participant_id = p.id)
    FROM \(places) o CROSS JOIN participant p ON p.id = o.\(id)
    WHERE o.session_id = ?1 AND o.target = ?2 AND o.target > 0 AND o.letter >= 0
      AND p.turn_session = ?1 AND p.status = \(ParticipantStatus.active.rawValue)
    """
  }
  /// Those who stand on a target of a session.
  private static let neighbours = Query(
    joiningInOrder: onTarget("event_entry", "id") + " UNION ALL "
      + onTarget("event_round_place", "participant_id"))
  private static let filledSlots = Query(
    """
    SELECT arrow_index FROM scored_arrow
    WHERE round_id = (SELECT id FROM round WHERE participant_id = ?1) AND end_index = ?2
      AND is_retracted = 0
    """)

  /// The slot that a scorer continues with after an end of the participant: in the session of that
  /// end, then in the others in their order.
  ///
  /// - Parameter arrows: the arrows of the end, also those that were retracted; nil: they are read.
  func turn(
    after place: ScoringPlace, end: Int, scorer: Int64,
    knowing arrows: [ScoredArrowRecord]? = nil
  ) throws(StoreError) -> ScoringTurn {
    let participant = place.participant
    let open =
      if let arrows {
        Self.openSlot(of: end, in: place.format) { slot in
          arrows.contains { $0.slot.arrowIndex == slot && !$0.isRetracted }
        }
      } else {
        try openSlot(of: participant.id, end: end, in: place.format)
      }
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
      let lines = try all(
        Self.lines, .integer(participant.sessionID), .integer(scorer),
        .integer(wallMilliseconds())
      ) { row in row.int64(0) }
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
    // Only events have sessions with places.
    guard place.isTournament else { return (0, 0) }
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
    // Only events assign scorers.
    for queries in place.isTournament ? [Self.own, Self.assigned] : [Self.own] {
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
    if place.event?.demandsLeases == true {
      for candidate in try leased(place, scorer, in: line, after: order, &formats) {
        due[candidate.participant] = candidate
      }
    }
    // Who scores all cards of the event stays at the target.
    if order > 0, place.isTournament,
      try storedRole(of: scorer, in: place.participant.sessionID) == .scorer
    {
      let target = order / Int64(TargetDraw.archersPerTarget)
      let found = try candidates(
        Self.neighbours, [.integer(line), .integer(target)], place, after: order, &formats)
      for candidate in found { due[candidate.participant] = candidate }
    }
    return Array(due.values)
  }

  /// The same of those who stand on targets that the scorer holds the leases on.
  private func leased(
    _ place: ScoringPlace, _ scorer: Int64, in line: Int64, after order: Int64,
    _ formats: inout [Int64: RoundFormat]
  ) throws(StoreError) -> [ScoringTurn.Candidate] {
    try candidates(
      Self.leased,
      [
        .integer(scorer), .integer(place.participant.sessionID), .integer(line),
        .integer(wallMilliseconds()),
      ], place, after: order, &formats)
  }

  /// Of the rows of a query those whose open end is the earliest: the first one, and the one after
  /// the participant who was scored.
  private func candidates(
    _ query: Query, _ values: [SQLValue], _ place: ScoringPlace, after order: Int64,
    _ formats: inout [Int64: RoundFormat]
  ) throws(StoreError) -> [ScoringTurn.Candidate] {
    var rows: [Due] = []
    try session.forEach(query, values) { row in
      rows.append(
        Due(
          id: row.int64(0), nextEnd: Int(clamping: row.int64(1)), order: row.int64(2),
          format: row.int64(3)))
    }
    for format in Set(rows.map(\.format)) where formats[format] == nil {
      formats[format] = try self.format(id: format).format
    }
    rows.removeAll { formats[$0.format]?.end($0.nextEnd) == nil }
    guard let end = rows.map(\.nextEnd).min() else { return [] }
    let due = rows.filter { $0.nextEnd == end }.sorted { ($0.order, $0.id) < ($1.order, $1.id) }
    let next = due.first { ($0.order, $0.id) > (order, place.participant.id) }
    var candidates: [ScoringTurn.Candidate] = []
    for row in [due.first, next].compactMap({ $0 }) {
      guard let format = formats[row.format],
        let slot = try openSlot(of: row.id, end: row.nextEnd, in: format)
      else { continue }
      candidates.append(
        ScoringTurn.Candidate(participant: row.id, open: slot, order: row.order))
    }
    return candidates
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
    guard format.end(end) != nil else { return nil }
    let filled = Set(
      try all(Self.filledSlots, .integer(participant), .integer(Int64(end))) { row in
        Int(clamping: row.int64(0))
      })
    return Self.openSlot(of: end, in: format, isFilled: filled.contains)
  }

  private static func openSlot(
    of end: Int, in format: RoundFormat, isFilled: (Int) -> Bool
  ) -> ArrowSlot? {
    guard let count = format.end(end)?.arrowCount else { return nil }
    return (0..<count).first { !isFilled($0) }.map { ArrowSlot(endIndex: end, arrowIndex: $0) }
  }
}
