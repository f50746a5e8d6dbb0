import QuiverRules

/// Arrows of an end that an archer owes after an equipment failure, until they are shot.
package struct OwedArrows: Sendable, Equatable {
  /// Of the card, from 0.
  package let end: Int
  /// At most as many as the end lacks.
  package let count: Int
  /// The first call that told of them.
  package let call: Int64
}

extension Snapshot {
  private static let owed = Query(
    """
    SELECT end_index, sum(owed_arrows), min(id) FROM target_call
    WHERE participant_id = ?1 AND owed_arrows > 0 AND end_index >= 0
    GROUP BY end_index ORDER BY end_index
    """)

  /// The arrows that an archer who shoots owes, where its card has these arrows.
  func owedArrows(
    at place: ScoringPlace, among arrows: [ScoredArrowRecord]
  ) throws(StoreError) -> [OwedArrows] {
    guard place.event?.status == .inProgress, place.participant.status.standing == .ranked else {
      return []
    }
    let told = try all(Self.owed, .integer(place.participant.id)) { row in
      (end: Int(clamping: row.int64(0)), count: Int(clamping: row.int64(1)), call: row.int64(2))
    }
    return told.compactMap { end, count, call in
      guard let format = place.format.end(end), !place.isTyped(format) else { return nil }
      let open = format.arrowCount - arrows.count { $0.slot.endIndex == end }
      return open > 0 ? OwedArrows(end: end, count: min(count, open), call: call) : nil
    }
  }
}

extension Transaction {
  /// The end in which arrows are owed that a call tells of; nil: no end lacks arrows.
  func endOfOwedArrows(_ content: TargetCallContent) throws(StoreError) -> Int? {
    guard let place = try snapshot.scoringPlace(participant: content.participant) else {
      return nil
    }
    guard let end = content.endIndex else {
      let next = place.participant.nextEnd
      return place.format.end(next) == nil ? nil : next
    }
    guard place.format.end(end) != nil else {
      throw .invalid("end_index", "must be below \(place.format.endCount)")
    }
    return end
  }
}

extension Migration {
  /// Step 49: the ends of owed arrows.
  static let endsOfOwedArrows = """
    ALTER TABLE target_call ADD COLUMN end_index INTEGER NOT NULL DEFAULT -1;
    CREATE INDEX target_call_owed ON target_call (participant_id, end_index) WHERE owed_arrows > 0;

    """
}

extension PostgresSchema {
  /// The same step as that of SQLite.
  static let endsOfOwedArrows = Migration.endsOfOwedArrows.replacing("INTEGER", with: "bigint")
}
