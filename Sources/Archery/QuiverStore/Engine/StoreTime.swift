import QuiverSQLite
import Synchronization

/// The store's two times, both derived from the wall clock but safe against its jumps.
///
/// `now` dates what is stored and never goes back. `expiryTime` decides which rows are old. It
/// advances with the monotonic clock, so that a wall clock that is ahead expires nothing early.
/// Any thread may use it.
final class StoreTime: Sendable {
  private let clock: StoreClock
  private let latest: Mutex<Int64>
  private let opened: (expiryMilliseconds: Int64, monotonicNanoseconds: UInt64)

  /// The stored values of both times; only the database survives a restart.
  struct Stored: Sendable, Equatable {
    var lastMilliseconds: Int64
    var expiryMilliseconds: Int64
  }

  /// Starts from the stored times. Nothing is stored in a new database: nil.
  ///
  /// While the store was closed the expiry time advances by what the wall clock tells, at most by
  /// `StoreLimits.expiryAdvanceAtStartMilliseconds`.
  init(_ clock: StoreClock, stored: Stored?) {
    self.clock = clock
    let wall = clock.wallMilliseconds()
    let last = stored?.lastMilliseconds ?? wall
    let closed = min(max(0, wall - last), StoreLimits.expiryAdvanceAtStartMilliseconds)
    latest = Mutex(last)
    opened = ((stored?.expiryMilliseconds ?? wall) &+ closed, clock.monotonicNanoseconds())
  }

  /// The time that new rows are dated with, in milliseconds since 1970-01-01.
  var nowMilliseconds: Int64 {
    let wall = clock.wallMilliseconds()
    return latest.withLock { latest in
      latest = max(latest, wall)
      return latest
    }
  }

  /// The time by which rows age, in milliseconds since 1970-01-01.
  var expiryMilliseconds: Int64 {
    let passed = clock.monotonicNanoseconds() &- opened.monotonicNanoseconds
    return min(
      nowMilliseconds, opened.expiryMilliseconds &+ Int64(clamping: passed / 1_000_000))
  }

  /// Both times, to be stored.
  var stored: Stored {
    Stored(lastMilliseconds: nowMilliseconds, expiryMilliseconds: expiryMilliseconds)
  }
}

/// The action of a start if the wall clock differs from the stored time by more than a day.
package enum ClockPolicy: Sendable {
  /// Refuses to start.
  case refuse
  /// Starts, and sets stored time back if the wall clock is more than an hour behind it.
  case accept
  /// Starts and changes nothing, for tools that do not serve.
  case ignore
}

/// The check of the wall clock against the stored time at a start.
enum ClockCheck {
  private static let newest = Query(
    """
    SELECT max(max(
      coalesce((SELECT at_ms FROM journal WHERE sequence > c.journal ORDER BY sequence DESC
        LIMIT 1), 0),
      coalesce((SELECT at_ms FROM idempotency_key WHERE sequence > c.key ORDER BY sequence DESC
        LIMIT 1), 0)),
      coalesce((SELECT at_ms FROM audit WHERE sequence > c.audit ORDER BY sequence DESC
        LIMIT 1), 0))
    FROM (
      SELECT coalesce(max(journal_sequence), 0) AS journal, coalesce(max(key_sequence), 0) AS key,
        coalesce(max(audit_sequence), 0) AS audit
      FROM time_correction) c
    """)
  private static let select = Query(
    "SELECT last_ms, expiry_ms FROM store_time WHERE id = 1")
  private static let save = Query(
    """
    INSERT INTO store_time (id, last_ms, expiry_ms) VALUES (1, ?1, ?2)
    ON CONFLICT (id) DO UPDATE SET last_ms = ?1, expiry_ms = ?2
    """)
  private static let correct = Query(
    """
    INSERT INTO time_correction (before_ms, after_ms, journal_sequence, key_sequence,
      audit_sequence)
    SELECT ?1, ?2, coalesce((SELECT max(sequence) FROM journal), 0),
      coalesce((SELECT max(sequence) FROM idempotency_key), 0),
      coalesce((SELECT max(sequence) FROM audit), 0)
    """)

  /// The stored times; nil in a new database.
  static func stored(in session: Session) throws(StoreError) -> StoreTime.Stored? {
    let newest = try session.first(newest, []) { row in row.int64(0) } ?? 0
    let saved = try session.first(select, []) { row in
      StoreTime.Stored(lastMilliseconds: row.int64(0), expiryMilliseconds: row.int64(1))
    }
    guard newest > 0 || saved != nil else { return nil }
    let last = max(newest, saved?.lastMilliseconds ?? 0)
    return StoreTime.Stored(
      lastMilliseconds: last, expiryMilliseconds: saved?.expiryMilliseconds ?? last)
  }

  /// Saves both times, as part of the transaction that is open.
  static func save(_ time: StoreTime.Stored, in session: Session) throws(StoreError) {
    try session.run(
      save, [.integer(time.lastMilliseconds), .integer(time.expiryMilliseconds)])
  }

  /// Compares the wall clock with the stored time; returns the stored times to start from and by
  /// how much the clock is ahead, in milliseconds, or nil if that is less than an hour.
  ///
  /// Throws if they differ by more than a day and the policy is `refuse`.
  static func run(
    _ session: Session, _ clock: StoreClock, _ policy: ClockPolicy
  ) throws(StoreError) -> (stored: StoreTime.Stored?, difference: Int64?) {
    guard var stored = try stored(in: session) else { return (nil, nil) }
    let wall = clock.wallMilliseconds()
    let difference = wall - stored.lastMilliseconds
    guard difference.magnitude > StoreLimits.loggedClockDifferenceMilliseconds else {
      return (stored, nil)
    }
    if policy == .refuse, difference.magnitude > StoreLimits.refusedClockDifferenceMilliseconds {
      throw refusal(difference)
    }
    if policy == .accept, difference < 0 {
      try correct(session, from: stored.lastMilliseconds, to: wall)
      stored.lastMilliseconds = wall
      stored.expiryMilliseconds = min(stored.expiryMilliseconds, wall)
      try session.inTransaction { (session) throws(StoreError) in try save(stored, in: session) }
    }
    return (stored, difference)
  }

  /// Sets stored time back, with a line in the audit.
  private static func correct(
    _ session: Session, from before: Int64, to after: Int64
  ) throws(StoreError) {
    try session.inTransaction { (session) throws(StoreError) in
      try session.run(correct, [.integer(before), .integer(after)])
      let transaction = Transaction(
        snapshot: Snapshot(session: session, pageTokenKey: []), caller: CommandCaller(principal: 0),
        nowMilliseconds: after, effects: CommitEffects())
      try transaction.audit(
        AuditEntry(
          action: "store.correct-time", kind: ObjectKind(rawValue: 0), objectID: 0,
          before: Array("\(before)".utf8), after: Array("\(after)".utf8)))
    }
  }

  private static func refusal(_ difference: Int64) -> StoreError {
    let hours = difference.magnitude / 3_600_000
    let side = difference > 0 ? "ahead of" : "behind"
    return StoreError(
      .failedPrecondition,
      """
      the system clock is \(hours) hours \(side) the time of the last change that is stored; set \
      the clock, or start with --accept-clock if it is right
      """)
  }
}
