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
  private static let roundFormat = Query(
    "SELECT format_id FROM round WHERE participant_id = ?1")
  private static let repeats = Query(
    """
    SELECT id, stands_for_id FROM scoring_operation
    WHERE participant_id = ?1 AND stands_for_id IS NOT NULL
    """)

  /// All participants at an instant, with their tallies.
  func standings(
    _ head: TournamentHead, asOf instant: Int64
  ) throws(StoreError) -> (entries: [LeaderboardEntry], inProgress: Bool) {
    var formats = KnownFormats()
    var entries: [LeaderboardEntry] = []
    try forEachParticipant(of: head.id) { (record) throws(StoreError) in
      if let entry = try entry(of: record, &formats, asOf: instant) { entries.append(entry) }
    }
    let status = try first(
      Self.status, .integer(head.id), .integer(0), .integer(instant)
    ) { row in row.int32(0) }
    return (entries, status == TournamentStatus.inProgress.rawValue)
  }

  private static let time = Query("SELECT at_ms FROM journal WHERE sequence = ?1")
  private static let corrected = Query(
    "SELECT 1 FROM time_correction WHERE before_ms >= ?1 LIMIT 1")
  private static let changes = Query(
    "SELECT kind, object_id, at_ms FROM journal WHERE sequence > ?1 AND topic = ?2")

  /// A leaderboard as it was after a commit; nil if the journal does not say so, or only at a
  /// greater cost than `budget` allows.
  ///
  /// `current` is the leaderboard now; rows that have changed since the commit are folded again.
  /// The journal does not say how the event itself was, nor which of two commits of the same
  /// millisecond an operation belongs to, nor what was before a correction of the stored times.
  fileprivate func pastLeaderboard(
    _ tournament: Int64, after sequence: Int64, _ current: LeaderboardOrder,
    _ budget: inout ResumeBudget
  ) throws(StoreError) -> PastLeaderboard? {
    guard let instant = try first(Self.time, .integer(sequence), map: { row in row.int64(0) }),
      try first(Self.corrected, .integer(instant), map: { _ in true }) == nil,
      try tournamentHead(id: tournament) != nil,
      budget.takeJournalRows(try lastSequence() - sequence)
    else { return nil }
    var changed: Set<Int64> = []
    var isCertain = true
    try session.forEach(Self.changes, [.integer(sequence), .integer(tournament)]) { row in
      let kind = ObjectKind(rawValue: row.int64(0))
      if kind == .tournament || kind == .lateOperation || row.int64(2) <= instant {
        isCertain = false
      }
      if kind == .participant || kind == .membership { changed.insert(row.int64(1)) }
    }
    guard isCertain, budget.takeParticipants(changed.count) else { return nil }
    var formats = KnownFormats()
    var order = current
    for id in changed {
      // Which deduction a card had before its last decision is not stored.
      guard let record = try participant(id: id),
        try cardSummary(participant: id)?.decidedAtMilliseconds ?? 0 <= instant
      else { return nil }
      order.put(try entry(of: record, &formats, asOf: instant), id: id)
    }
    return PastLeaderboard(order: order, changed: changed)
  }

  /// A participant's row at an instant; nil if it joined later.
  private func entry(
    of record: ParticipantRecord, _ formats: inout KnownFormats, asOf instant: Int64
  ) throws(StoreError) -> LeaderboardEntry? {
    let raw = try first(
      Self.status, .integer(record.sessionID), .integer(record.id), .integer(instant)
    ) { row in row.int32(0) }
    guard let status = raw.flatMap(ParticipantStatus.init) else { return nil }
    let (fold, active) = try fold(of: record, asOf: instant)
    let format = try format(ofRoundOf: record.id, &formats)
    let typed = try typedTotals(participant: record.id, asOf: instant)
    var tally = fold.tally(in: format, without: typed.passes(in: format))
    tally.add(typed, in: format)
    if let card = try cardSummary(participant: record.id),
      card.decidedAtMilliseconds <= instant
    {
      tally.deduct(card.deduction, of: format.passes)
    }
    return LeaderboardEntry(
      record, status: status, tally: tally, active: active, isTyped: !typed.isEmpty)
  }

  /// The formats that were read, by their ids: categories have few of them.
  private struct KnownFormats {
    var byID: [Int64: RoundFormat] = [:]
  }

  /// The format of a participant's round: that of its category, which can be another than the
  /// event's.
  private func format(
    ofRoundOf participant: Int64, _ formats: inout KnownFormats
  ) throws(StoreError) -> RoundFormat {
    let id = try first(Self.roundFormat, .integer(participant)) { row in row.int64(0) }
    guard let id else { throw StoreError(.dataLoss, "a participant has no round") }
    if let known = formats.byID[id] { return known }
    let format = try format(id: id).format
    formats.byID[id] = format
    return format
  }

  private func forEachParticipant(
    of session: Int64, _ body: (ParticipantRecord) throws(StoreError) -> Void
  ) throws(StoreError) {
    var after: Int64 = 0
    while true {
      let page = try participants(
        session: session, after: after, limit: StoreLimits.verifiedRowsPerSlice)
      for record in page { try body(record) }
      guard let last = page.last, page.count == Int(StoreLimits.verifiedRowsPerSlice) else {
        return
      }
      after = last.id
    }
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

extension Store {
  /// A leaderboard as it was after a commit, read from the journal; nil if the journal does not say
  /// so any more, or only at a greater cost than `budget` allows.
  ///
  /// `current` is the leaderboard now. It reads every change since: never call it on an event loop.
  package func pastLeaderboard(
    _ tournament: Int64, after sequence: Int64, _ current: LeaderboardOrder,
    _ budget: inout ResumeBudget
  ) throws(StoreError) -> PastLeaderboard? {
    // On PostgreSQL a position is not that of one commit: commits with smaller ones may follow.
    guard !isShared, budget.takePosition() else { return nil }
    var left = budget
    // A read that fails or takes too long is the last one.
    budget.takeAll()
    let past = try readers.read(
      milliseconds: StoreLimits.resumedWatchMilliseconds
    ) { (snapshot) throws(StoreError) in
      try snapshot.pastLeaderboard(tournament, after: sequence, current, &left)
    }
    budget = left
    return past
  }
}

/// A leaderboard as it was after a commit, for watches that resume there.
package struct PastLeaderboard: Sendable {
  package let order: LeaderboardOrder

  /// The participants that have changed since.
  package let changed: Set<Int64>
}

/// The remaining budget of reads to resume watches of one event at once.
package struct ResumeBudget: Sendable {
  private var positions = StoreLimits.resumedPositions
  private var journalRows = StoreLimits.resumedJournalRows
  private var participants = StoreLimits.resumedParticipants

  package init() {}

  mutating func takePosition() -> Bool {
    guard positions > 0 else { return false }
    positions -= 1
    return true
  }

  mutating func takeAll() { positions = 0 }

  mutating func takeJournalRows(_ count: Int64) -> Bool {
    guard count <= journalRows else { return false }
    journalRows -= count
    return true
  }

  mutating func takeParticipants(_ count: Int) -> Bool {
    guard count <= participants else { return false }
    participants -= count
    return true
  }
}
