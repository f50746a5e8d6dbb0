/// Compares what each principal stores with what is counted for it.
enum UsageCheck {
  private static let content = Query(
    contentText(CountedTable.sums(of: CountedTable.counted)),
    postgreSQL: contentText(CountedTable.postgresSums(of: CountedTable.counted)))
  private static let keys = Query(
    keyText(Migration.keySums, sums: sumsOfAll),
    postgreSQL: keyText(CountedTable.postgresKeySums, sums: ""))

  /// PostgreSQL computes the sums of all keys from time to time (``PostgresHousekeeping``), so that
  /// they may differ.
  private static let sumsOfAll = """
    UNION ALL
    SELECT 0, k.keys, k.bytes, t.keys, t.bytes FROM kept_key k
    CROSS JOIN (
      SELECT coalesce(sum(keys), 0) AS keys, coalesce(sum(bytes), 0) AS bytes FROM stored) t
    WHERE k.keys <> t.keys OR k.bytes <> t.bytes
    """

  private static func contentText(_ sums: String) -> String {
    """
    WITH stored AS (
      SELECT owner, sum(rows) AS rows, sum(bytes) AS bytes
      FROM (\(sums)) AS counted
      GROUP BY owner)
    SELECT u.principal_id, u.rows, u.bytes, coalesce(s.rows, 0), coalesce(s.bytes, 0)
    FROM usage u LEFT JOIN stored s ON s.owner = u.principal_id
    WHERE u.rows <> coalesce(s.rows, 0) OR u.bytes <> coalesce(s.bytes, 0)
    UNION ALL
    SELECT s.owner, 0, 0, s.rows, s.bytes FROM stored s
    WHERE NOT EXISTS (SELECT 1 FROM usage u WHERE u.principal_id = s.owner)
    ORDER BY 1 LIMIT \(StoreLimits.findingsPerCheck)
    """
  }

  private static func keyText(_ keys: String, sums: String) -> String {
    """
    WITH stored AS (\(keys))
    SELECT u.principal_id, u.keys, u.key_bytes, coalesce(s.keys, 0), coalesce(s.bytes, 0)
    FROM usage u LEFT JOIN stored s ON s.owner = u.principal_id
    WHERE u.keys <> coalesce(s.keys, 0) OR u.key_bytes <> coalesce(s.bytes, 0)
    UNION ALL
    SELECT s.owner, 0, 0, s.keys, s.bytes FROM stored s
    WHERE NOT EXISTS (SELECT 1 FROM usage u WHERE u.principal_id = s.owner)
    \(sums)
    ORDER BY 1 LIMIT \(StoreLimits.findingsPerCheck)
    """
  }

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    let found = try readers.verify { (snapshot) throws(StoreError) in
      try snapshot.all(content) { row in finding(row, "rows") }
        + snapshot.all(keys) { row in finding(row, "idempotency keys") }
    }
    return Array(found.prefix(StoreLimits.findingsPerCheck))
  }

  private static func finding(_ row: Row, _ what: String) -> VerifyFinding {
    VerifyFinding(
      .usage,
      "principal \(row.int64(0)) has \(row.int64(3)) \(what) of \(row.int64(4)) bytes, not"
        + " \(row.int64(1)) of \(row.int64(2))")
  }
}
