package import QuiverRules

/// Reads what an archer has shot, by time.
extension Snapshot {
  // Guests' rounds have no principal. Rounds that the archer cancelled do not count; rounds in an
  // event that its organiser cancelled do.
  private static let shotColumns = """
    SELECT \(participantColumns), s.is_tournament, f.name, (
        SELECT sum(arrow_count) FROM format_pass WHERE format_id = r.format_id), r.first_shot_ms
    FROM round r
    JOIN participant p ON p.id = r.participant_id
    JOIN shooting_session s ON s.id = r.session_id
    JOIN round_format f ON f.id = r.format_id
    """
  private static let isShot = """
    p.arrow_count > 0 AND (r.status <> \(RoundStatus.cancelled.rawValue) OR s.is_tournament = 1)
    """
  private static let shot = Query(
    """
    \(shotColumns)
    WHERE r.principal_id = ?1 AND r.principal_id <> 0 AND r.first_shot_ms >= ?2
      AND r.first_shot_ms <= ?3 AND \(isShot)
    ORDER BY r.first_shot_ms, r.id
    """)
  private static let last = Query(
    """
    \(shotColumns)
    WHERE r.principal_id = ?1 AND r.principal_id <> 0 AND r.first_shot_ms IS NOT NULL
      AND \(isShot)
    ORDER BY r.first_shot_ms DESC, r.id DESC LIMIT ?2
    """)
  private static let dayMilliseconds: Int64 = 86_400_000

  /// The principal's own rounds by their first arrow, from a day before the first of the days to a
  /// day after the last, so that every time zone is included.
  func shotRounds(
    _ days: ClosedRange<Int32>, principal: Int64
  ) throws(StoreError) -> [ShotRoundRecord] {
    let first = (Int64(days.lowerBound) - 1) * Self.dayMilliseconds
    let last = (Int64(days.upperBound) + 2) * Self.dayMilliseconds
    return try all(
      Self.shot, .integer(principal), .integer(first), .integer(last), map: ShotRoundRecord.init)
  }

  /// The principal's latest rounds, newest first.
  func lastRounds(of principal: Int64, count: Int64) throws(StoreError) -> [ShotRoundRecord] {
    try all(Self.last, .integer(principal), .integer(count), map: ShotRoundRecord.init)
  }
}

extension ShotRoundRecord {
  fileprivate init(_ row: Row) throws(StoreError) {
    let participant = try ParticipantRecord(row)
    let next = Snapshot.participantColumnCount
    self.init(
      sessionID: participant.sessionID, participantID: participant.id,
      isTournament: row.bool(next), formatName: row.text(next + 1),
      formatArrowCount: Int(clamping: row.int64(next + 2)),
      firstShotAtMilliseconds: row.int64(next + 3), tally: participant.tally,
      isTyped: !participant.typedPasses.isEmpty)
  }
}

/// An archer's own round, for the training log.
package struct ShotRoundRecord: Sendable, Equatable {
  package let sessionID: Int64
  package let participantID: Int64
  package let isTournament: Bool
  package let formatName: String
  package let formatArrowCount: Int

  /// The earliest time of an arrow, as the clients reported it.
  package let firstShotAtMilliseconds: Int64
  package let tally: ScoreTally

  /// Whether a part of it is sums without arrows.
  package let isTyped: Bool
}
