package import QuiverRules

/// Reads an archer's completed rounds.
extension Snapshot {
  // Guests' rounds have no principal. An event in which the archer was disqualified, or from which
  // they withdrew, does not count.
  private static let completed = Query(
    """
    SELECT p.session_id, p.id, s.is_tournament, r.format_id, r.bowstyle, r.first_shot_ms, p.total,
      p.x_count, p.arrow_count, p.typed_passes, r.shoot_status
    FROM round r
    JOIN participant p ON p.id = r.participant_id
    JOIN shooting_session s ON s.id = r.session_id
    WHERE r.principal_id = ?1 AND r.principal_id <> 0 AND r.first_shot_ms IS NOT NULL
      AND r.first_shot_ms < ?2 AND r.status = \(RoundStatus.completed.rawValue)
      AND p.status IN (\(ParticipantStatus.active.rawValue),
        \(ParticipantStatus.completed.rawValue))
    ORDER BY r.first_shot_ms, r.id
    """)

  /// The principal's own completed rounds with all their arrows, by the time of the first one, and
  /// the formats that they have by id. Only rounds that began before `end`.
  package func completedRounds(
    principal: Int64, before end: Int64
  ) throws(StoreError) -> (rounds: [CompletedRoundRecord], formats: [Int64: RoundFormatRecord]) {
    let rows = try all(Self.completed, .integer(principal), .integer(end)) { row in
      CompletedRoundRecord(
        sessionID: row.int64(0), participantID: row.int64(1), isTournament: row.bool(2),
        formatID: row.int64(3), bow: BowDivision(rawValue: row.int32(4)),
        firstShotAtMilliseconds: row.int64(5), score: Int(clamping: row.int64(6)),
        xCount: Int(clamping: row.int64(7)), arrowCount: Int(clamping: row.int64(8)),
        isTyped: row.int64(9) != 0, shootStatus: ShootStatus(rawValue: row.int32(10)))
    }
    var formats: [Int64: RoundFormatRecord] = [:]
    for row in rows where formats[row.formatID] == nil {
      formats[row.formatID] = try format(id: row.formatID)
    }
    let whole = rows.filter { row in
      formats[row.formatID].map { $0.format.arrowCount == row.arrowCount } ?? false
    }
    return (whole, formats)
  }
}

/// A completed round with all its arrows.
package struct CompletedRoundRecord: Sendable, Equatable {
  package let sessionID: Int64
  package let participantID: Int64
  package let isTournament: Bool
  package let formatID: Int64

  /// Nil: it is not known.
  package let bow: BowDivision?

  /// The earliest time of an arrow, as the clients reported it.
  package let firstShotAtMilliseconds: Int64
  package let score: Int
  package let xCount: Int
  package let arrowCount: Int

  /// Whether a part of it is sums without arrows.
  package let isTyped: Bool

  /// Nil: it has arrows, or its list does not say.
  package let shootStatus: ShootStatus?
}
