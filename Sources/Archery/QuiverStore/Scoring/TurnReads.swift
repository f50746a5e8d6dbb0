import QuiverRules

/// Finds the participant to score next, by an index: the cost does not depend on their number.
extension Snapshot {
  private static func queries(_ column: String) -> (first: Query, after: Query) {
    let condition =
      "session_id = ?1 AND \(column) = ?2 AND status = \(ParticipantStatus.active.rawValue)"
      + (column == "scorer_id" ? " AND scorer_id <> 0" : "")
    return (
      Query(
        """
        SELECT id, next_end FROM participant WHERE \(condition) ORDER BY next_end, id LIMIT 1
        """),
      Query(
        """
        SELECT id, next_end FROM participant
        WHERE \(condition) AND next_end = ?3 AND id > ?4 ORDER BY id LIMIT 1
        """)
    )
  }
  private static let own = queries("principal_id")
  private static let assigned = queries("scorer_id")
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
    var due: [Int64: Int] = [:]
    for queries in [Self.own, Self.assigned] {
      let first = try candidate(queries.first, participant.sessionID, scorer)
      guard let first else { continue }
      due[first.id] = first.nextEnd
      let next = try self.first(
        queries.after, .integer(participant.sessionID), .integer(scorer),
        .integer(Int64(first.nextEnd)), .integer(participant.id)
      ) { row in (id: row.int64(0), nextEnd: Int(clamping: row.int64(1))) }
      if let next { due[next.id] = next.nextEnd }
    }
    var candidates: [ScoringTurn.Candidate] = []
    for (id, nextEnd) in due {
      let slot = try openSlot(of: id, end: nextEnd, in: place.format)
      candidates.append(ScoringTurn.Candidate(participant: id, open: slot))
    }
    return ScoringTurn.after(
      participant.id, endIndex: end, openInEnd: nil, among: candidates)
  }

  private func candidate(
    _ query: Query, _ session: Int64, _ scorer: Int64
  ) throws(StoreError) -> (id: Int64, nextEnd: Int)? {
    try first(query, .integer(session), .integer(scorer)) { row in
      (id: row.int64(0), nextEnd: Int(clamping: row.int64(1)))
    }
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
