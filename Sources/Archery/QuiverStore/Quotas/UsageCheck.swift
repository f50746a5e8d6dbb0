/// Compares what each principal stores with what is counted for it.
enum UsageCheck {
  private static let content = Query(
    """
    WITH stored AS (
      SELECT owner, sum(rows) AS rows, sum(bytes) AS bytes
      FROM (\(CountedTable.sums(of: CountedTable.counted)))
      GROUP BY owner)
    SELECT u.principal_id, u.rows, u.bytes, ifnull(s.rows, 0), ifnull(s.bytes, 0)
    FROM usage u LEFT JOIN stored s ON s.owner = u.principal_id
    WHERE u.rows <> ifnull(s.rows, 0) OR u.bytes <> ifnull(s.bytes, 0)
    UNION ALL
    SELECT s.owner, 0, 0, s.rows, s.bytes FROM stored s
    WHERE NOT EXISTS (SELECT 1 FROM usage u WHERE u.principal_id = s.owner)
    ORDER BY 1 LIMIT \(StoreLimits.findingsPerCheck)
    """)
  private static let keys = Query(
    """
    WITH stored AS (\(Migration.keySums))
    SELECT u.principal_id, u.keys, u.key_bytes, ifnull(s.keys, 0), ifnull(s.bytes, 0)
    FROM usage u LEFT JOIN stored s ON s.owner = u.principal_id
    WHERE u.keys <> ifnull(s.keys, 0) OR u.key_bytes <> ifnull(s.bytes, 0)
    UNION ALL
    SELECT s.owner, 0, 0, s.keys, s.bytes FROM stored s
    WHERE NOT EXISTS (SELECT 1 FROM usage u WHERE u.principal_id = s.owner)
    UNION ALL
    SELECT 0, k.keys, k.bytes, t.keys, t.bytes FROM kept_key k
    JOIN (SELECT ifnull(sum(keys), 0) AS keys, ifnull(sum(bytes), 0) AS bytes FROM stored) t
    WHERE k.keys <> t.keys OR k.bytes <> t.bytes
    ORDER BY 1 LIMIT \(StoreLimits.findingsPerCheck)
    """)

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
