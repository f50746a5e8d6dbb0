import QuiverRules

/// Past standings, folded from the operations that were applied until then.
extension Snapshot {
  private static let applied = Query(
    """
    SELECT o.id, o.kind, o.end_index, o.arrow_index, o.value, o.is_x, o.replaces_id,
      o.applied_at_ms
    FROM scoring_operation o
    WHERE o.participant_id = ?1 AND o.state = \(OperationRecord.State.applied.rawValue)
      AND o.stands_for_id IS NULL
      AND o.applied_at_ms <= ?2
    ORDER BY o.applied_at_ms, o.id
    """)
  private static let status = Query(
    """
    SELECT status FROM status_change
    WHERE session_id = ?1 AND participant_id = ?2 AND at_ms <= ?3 ORDER BY id DESC LIMIT 1
    """)
  private static let repeats = Query(
    """
    SELECT id, stands_for_id FROM scoring_operation
    WHERE participant_id = ?1 AND stands_for_id IS NOT NULL
    """)

  /// All participants at an instant, with their tallies.
  func standings(
    _ head: TournamentHead, asOf instant: Int64
  ) throws(StoreError) -> (entries: [LeaderboardEntry], inProgress: Bool) {
    let format = try format(id: try formatID(ofSession: head.id)).format
    var entries: [LeaderboardEntry] = []
    var after: Int64 = 0
    while true {
      let page = try participants(
        session: head.id, after: after, limit: StoreLimits.verifiedRowsPerSlice)
      for record in page {
        let raw = try first(
          Self.status, .integer(head.id), .integer(record.id), .integer(instant)
        ) { row in row.int32(0) }
        guard let status = raw.flatMap(ParticipantStatus.init) else { continue }
        let (tally, active) = try tally(of: record, in: format, asOf: instant)
        entries.append(
          LeaderboardEntry(record, status: status, tally: tally, active: active))
      }
      guard let last = page.last, page.count == Int(StoreLimits.verifiedRowsPerSlice) else { break }
      after = last.id
    }
    let status = try first(
      Self.status, .integer(head.id), .integer(0), .integer(instant)
    ) { row in row.int32(0) }
    return (entries, status == TournamentStatus.inProgress.rawValue)
  }

  private func tally(
    of record: ParticipantRecord, in format: RoundFormat, asOf instant: Int64
  ) throws(StoreError) -> (ScoreTally, active: Int64) {
    let (fold, active) = try fold(of: record, asOf: instant)
    return (fold.tally(in: format), active)
  }

  /// The slots after the operations applied until an instant, and the time of the last one.
  func fold(
    of record: ParticipantRecord, asOf instant: Int64
  ) throws(StoreError) -> (fold: ScoreFold<Int64>, active: Int64) {
    let aliases = Dictionary(
      try all(Self.repeats, .integer(record.id)) { row in (row.int64(0), row.int64(1)) },
      uniquingKeysWith: { first, _ in first })
    var fold = ScoreFold<Int64>()
    var active = record.joinedAtMilliseconds
    try session.forEach(
      Self.applied, [.integer(record.id), .integer(instant)]
    ) { (row) throws(StoreError) in
      active = max(active, row.int64(7))
      let slot = ArrowSlot(
        endIndex: Int(clamping: row.int64(2)), arrowIndex: Int(clamping: row.int64(3)))
      let score = ArrowScore(value: Int(clamping: row.int64(4)), isX: row.bool(5))
      let named = row.int64(6)
      let replaced = aliases[named] ?? named
      let action: ScoreOperation<Int64>.Action =
        switch OperationKind(rawValue: row.int32(1)) {
        case .correct: .correct(score, replacing: replaced)
        case .retract: .retract(replacing: replaced)
        default: .record(score)
        }
      fold.apply(ScoreOperation(id: row.int64(0), slot: slot, action: action))
    }
    return (fold, active)
  }
}
