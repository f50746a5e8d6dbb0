/// What an expirer works with: the writer's connection and the time by which rows age.
struct ExpiryContext {
  let session: Session

  /// The date before which rows are older than so many milliseconds (``StoreTime``).
  let oldest: (_ keptMilliseconds: Int64) -> Int64

  /// Whether no command waits, so that a larger slice delays none.
  let isIdle: Bool

  /// The first position that the journal of PostgreSQL keeps by the number of its rows; 0: all.
  var firstKeptPosition: Int64 = 0
}

/// How a feature removes its old rows. Features list theirs in ``StoreFeatures/expiries``.
struct Expiry: Sendable {
  /// Removes a slice of rows; returns how many it removed.
  let run: @Sendable (ExpiryContext) throws(StoreError) -> Int64
}

/// Removes old rows, a slice at a time, oldest first.
enum Expirer {
  /// A table whose rows are numbered in the order of their time.
  private struct Table {
    let bounds: Query
    let delete: Query
    let maximumRows: Int64
    let keepMilliseconds: Int64
    /// Whether PostgreSQL numbers the rows by ``JournalPosition``.
    var isJournal = false
  }

  /// Notes in PostgreSQL where the journal begins now.
  private static let begin = Query(
    onlyPostgreSQL: """
      UPDATE meta SET value = convert_to(CAST(greatest(
        CAST(convert_from(value, 'UTF8') AS bigint), ?1) AS text), 'UTF8')
      WHERE name = '\(JournalPosition.startName)'
      """)

  private static let lastRemoved = Query(
    onlyPostgreSQL: """
      SELECT coalesce(max(sequence), 0) FROM journal
      WHERE sequence < ?1 AND (at_ms < ?2 OR sequence < ?3)
      """)

  /// The same in parts, each for a transaction of its own.
  static var parts: [Expiry] {
    tables.map { table in
      Expiry(run: { (context) throws(StoreError) in try expire(table, context) })
    } + StoreFeatures.expiries
  }

  private static let tables = [
    Table(
      bounds: Query(
        """
        SELECT sequence, at_ms, (SELECT max(sequence) FROM idempotency_key)
        FROM idempotency_key ORDER BY sequence LIMIT 1
        """),
      delete: Query(
        "DELETE FROM idempotency_key WHERE sequence < ?1 AND (at_ms < ?2 OR sequence < ?3)"),
      // Refused at the limit instead, so that no retry takes effect twice.
      maximumRows: .max / 2,
      keepMilliseconds: StoreLimits.idempotencyKeepMilliseconds),
    Table(
      bounds: Query(
        """
        SELECT sequence, at_ms, (SELECT max(sequence) FROM journal)
        FROM journal ORDER BY sequence LIMIT 1
        """),
      delete: Query("DELETE FROM journal WHERE sequence < ?1 AND (at_ms < ?2 OR sequence < ?3)"),
      maximumRows: StoreLimits.journalRows,
      keepMilliseconds: StoreLimits.journalKeepMilliseconds, isJournal: true),
    Table(
      bounds: Query(
        """
        SELECT id, at_ms, (SELECT max(id) FROM ended_permission)
        FROM ended_permission ORDER BY id LIMIT 1
        """),
      delete: Query("DELETE FROM ended_permission WHERE id < ?1 AND (at_ms < ?2 OR id < ?3)"),
      maximumRows: .max / 2, keepMilliseconds: StoreLimits.endedPermissionKeepMilliseconds),
  ]

  /// Removes at most a slice of the old rows of each table; returns how many rows it removed.
  ///
  /// The newest row of a table stays whatever its age, so that no sequence is assigned twice.
  static func expire(_ context: ExpiryContext) throws(StoreError) -> Int64 {
    var count: Int64 = 0
    for table in tables { count += try expire(table, context) }
    for expiry in StoreFeatures.expiries { count += try expiry.run(context) }
    return count
  }

  private static func firstRow(_ row: Row) -> Int64 { row.int64(0) }

  private static func expire(
    _ table: Table, _ context: ExpiryContext
  ) throws(StoreError) -> Int64 {
    let bounds = try context.session.first(table.bounds, []) { row in
      (first: row.int64(0), firstTime: row.int64(1), last: row.int64(2))
    }
    guard let bounds else { return 0 }
    // Positions of PostgreSQL are those of transactions, which are not all of the journal.
    let hasPositions = table.isJournal && context.session.isPostgreSQL
    let unit = hasPositions ? JournalPosition.perTransaction : 1
    let oldest = context.oldest(table.keepMilliseconds)
    let firstKept =
      hasPositions ? context.firstKeptPosition : bounds.last - table.maximumRows + 1
    guard bounds.firstTime < oldest || bounds.first < firstKept else { return 0 }
    let sliceEnd = min(bounds.last, bounds.first + StoreLimits.expiredRowsPerSlice * unit)
    let values: [SQLValue] = [.integer(sliceEnd), .integer(oldest), .integer(firstKept)]
    if hasPositions, let last = try context.session.first(lastRemoved, values, firstRow), last > 0 {
      // All rows after the last removed one exist: a reader at that position has missed nothing.
      try context.session.run(begin, [.integer(last + 1)])
    }
    return try context.session.runCounting(table.delete, values)
  }
}
