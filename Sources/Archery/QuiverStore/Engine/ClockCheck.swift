/// The action of a start if the wall clock is more than a day behind the stored time.
package enum ClockPolicy: Sendable {
  /// Refuses to start.
  case refuse
  /// Starts, and sets stored time back if the wall clock is more than an hour behind it.
  case accept
  /// Starts and sets nothing back, for tools that do not serve.
  case ignore
}

/// The check of the wall clock against the stored time at a start, and what is stored of the time.
enum ClockCheck {
  /// The date of the newest row, without the audit's rows of one action.
  private static let newest = Query(
    """
    SELECT max(max(
      coalesce((SELECT at_ms FROM journal WHERE sequence > c.journal ORDER BY sequence DESC
        LIMIT 1), 0),
      coalesce((SELECT at_ms FROM idempotency_key WHERE sequence > c.key ORDER BY sequence DESC
        LIMIT 1), 0)),
      coalesce((SELECT at_ms FROM audit WHERE sequence > c.audit AND action <> ?1
        ORDER BY sequence DESC LIMIT 1), 0))
    FROM (
      SELECT coalesce(max(journal_sequence), 0) AS journal, coalesce(max(key_sequence), 0) AS key,
        coalesce(max(audit_sequence), 0) AS audit
      FROM time_correction) c
    """)
  private static let select = Query("SELECT last_ms FROM store_time WHERE id = 1")
  private static let save = Query(
    """
    INSERT INTO store_time (id, last_ms) VALUES (1, ?1)
    ON CONFLICT (id) DO UPDATE SET last_ms = ?1
    """)
  private static let correct = Query(
    """
    INSERT INTO time_correction (before_ms, after_ms, journal_sequence, key_sequence,
      audit_sequence)
    SELECT ?1, ?2, coalesce((SELECT max(sequence) FROM journal), 0),
      coalesce((SELECT max(sequence) FROM idempotency_key), 0),
      coalesce((SELECT max(sequence) FROM audit), 0)
    """)

  /// The action in the audit of a backup that was restored, which is no time that a store saw.
  static let restoreAction = "store.restore"

  /// The date of the latest row or saved time; nil in a new database.
  static func lastMilliseconds(
    in session: Session, withoutAction action: String = ""
  ) throws(StoreError) -> Int64? {
    let newest = try session.first(newest, [.text(action)]) { row in row.int64(0) } ?? 0
    let saved = try session.first(select, []) { row in row.int64(0) }
    return newest > 0 || saved != nil ? max(newest, saved ?? 0) : nil
  }

  /// Saves the time, as part of the transaction that is open. Until its gaps are saved, it is not.
  static func save(_ time: StoreTime, in session: Session) throws(StoreError) {
    let now = time.nowMilliseconds
    guard time.unsavedGaps.isEmpty else { return }
    try session.run(save, [.integer(now)])
  }

  /// Compares the wall clock with the stored time; returns what to start from and by how much the
  /// clock is ahead, in milliseconds, or nil if that is less than an hour.
  ///
  /// Throws if it is more than a day behind and the policy is `refuse`.
  static func run(
    _ session: Session, _ clock: StoreClock, _ policy: ClockPolicy
  ) throws(StoreError) -> (stored: StoreTime.Stored?, difference: Int64?) {
    guard let last = try lastMilliseconds(in: session) else { return (nil, nil) }
    let wall = clock.wallMilliseconds()
    if policy == .refuse, last - wall > StoreLimits.refusedClockDifferenceMilliseconds {
      throw refusal(hours: (last - wall) / 3_600_000)
    }
    var stored = StoreTime.Stored(lastMilliseconds: last, seenMilliseconds: last)
    var difference = wall - last
    if difference >= 0 {
      stored.seenMilliseconds =
        try lastMilliseconds(in: session, withoutAction: restoreAction) ?? last
      difference = wall - stored.seenMilliseconds
    }
    let isFarOff = difference.magnitude > StoreLimits.loggedClockDifferenceMilliseconds
    if policy == .accept, isFarOff, difference < 0 {
      try correct(session, from: last, to: wall)
      stored.lastMilliseconds = wall
      stored.seenMilliseconds = wall
    }
    stored.gaps = try TimeGap.all(in: session)
    return (stored, isFarOff ? difference : nil)
  }

  /// Sets stored time back, with a line in the audit.
  private static func correct(
    _ session: Session, from before: Int64, to after: Int64
  ) throws(StoreError) {
    try session.inTransaction { (session) throws(StoreError) in
      try session.run(correct, [.integer(before), .integer(after)])
      try session.run(save, [.integer(after)])
      try TimeGap.removeAll(after: after, in: session)
      try audit("store.correct-time", before, after, at: after, in: session)
    }
  }

  /// Notes in the audit that the time went from one date to another one.
  static func audit(
    _ action: String, _ before: Int64, _ after: Int64, at now: Int64, in session: Session
  ) throws(StoreError) {
    let transaction = Transaction(
      snapshot: Snapshot(session: session, pageTokenKey: []), caller: CommandCaller(principal: 0),
      nowMilliseconds: now, effects: CommitEffects())
    try transaction.audit(
      AuditEntry(
        action: action, kind: ObjectKind(rawValue: 0), objectID: 0,
        before: Array("\(before)".utf8), after: Array("\(after)".utf8)))
  }

  private static func refusal(hours: Int64) -> StoreError {
    StoreError(
      .failedPrecondition,
      """
      the system clock is \(hours) hours behind the time of the last change that is stored. If the \
      clock is wrong, set it (timedatectl shows it) and start again. If it is right, it was ahead \
      before: start once with --accept-clock, which sets stored time back
      """)
  }
}
