/// Takes old rows away, a slice at a time, oldest first.
struct Sweeper {
  /// One table whose rows are numbered in the order of their time.
  private struct Table {
    let bounds: Query
    let delete: Query
    let maximumRows: Int64
    let keepMilliseconds: Int64
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
      maximumRows: StoreLimits.idempotencyKeys,
      keepMilliseconds: StoreLimits.idempotencyKeepMilliseconds),
    Table(
      bounds: Query(
        """
        SELECT sequence, at_ms, (SELECT max(sequence) FROM journal)
        FROM journal ORDER BY sequence LIMIT 1
        """),
      delete: Query("DELETE FROM journal WHERE sequence < ?1 AND (at_ms < ?2 OR sequence < ?3)"),
      maximumRows: StoreLimits.journalRows,
      keepMilliseconds: StoreLimits.journalKeepMilliseconds),
  ]

  /// Removes at most a slice of each table's old rows; answers how many went. While nobody waits a
  /// slice of sets that are nobody's is larger.
  ///
  /// The newest row of a table stays whatever its age, so that no sequence is given twice.
  static func sweep(
    _ session: Session, nowMilliseconds: Int64, isIdle: Bool = false
  ) throws(StoreError) -> Int64 {
    var count: Int64 = 0
    for table in tables {
      let bounds = try session.first(table.bounds, []) { row in
        (first: row.int64(0), firstTime: row.int64(1), last: row.int64(2))
      }
      guard let bounds else { continue }
      let oldest = nowMilliseconds - table.keepMilliseconds
      let firstKept = bounds.last - table.maximumRows + 1
      guard bounds.firstTime < oldest || bounds.first < firstKept else { continue }
      let sliceEnd = min(bounds.last, bounds.first + StoreLimits.sweptRowsPerSlice)
      count += try session.run(
        table.delete, [.integer(sliceEnd), .integer(oldest), .integer(firstKept)])
    }
    count += try WeightSweep.sweep(session, nowMilliseconds: nowMilliseconds)
    let sets = isIdle ? Int64(StoreLimits.setsPerImportGroup) : StoreLimits.sweptRowsPerSlice
    return try count + LiftSweep.sweep(session, atMost: sets)
  }
}
