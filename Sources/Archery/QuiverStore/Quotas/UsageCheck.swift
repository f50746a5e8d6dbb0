/// Compares what each principal stores with what is counted for it.
///
/// It adds the rows up as they are stored. SQLite would sort all rows of a table by their owners to
/// add them up, in memory and with their texts.
enum UsageCheck {
  private static let kept = Query(
    """
    SELECT principal_id, rows, bytes, keys, key_bytes FROM usage
    WHERE principal_id > ?1 ORDER BY principal_id LIMIT ?2
    """)
  /// Columns: an owner, rows and bytes; many rows for an owner.
  private static let content = Query(
    ofOwners(CountedTable.amounts(of: CountedTable.counted)),
    postgreSQL: ofOwners(CountedTable.postgresSums(of: CountedTable.counted)))
  private static let keys = Query(
    ofOwners(SQLiteSchema.keyAmounts), postgreSQL: ofOwners(CountedTable.postgresKeySums))
  private static let keptKeys = Query("SELECT keys, bytes FROM kept_key")

  private static func ofOwners(_ amounts: String) -> String {
    """
    SELECT owner, CAST(rows AS bigint), CAST(bytes AS bigint) FROM (\(amounts)) AS counted
    WHERE owner > ?1 AND owner <= ?2
    """
  }

  /// Counts in one snapshot, so that no command comes between the rows and their sums. All rows
  /// are read again for each part of the principals.
  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    try readers.verify { (snapshot) throws(StoreError) in
      var findings: [VerifyFinding] = []
      var allKeys = Amount()
      var last: Int64? = .min
      while let before = last {
        var part = try Part(after: before, snapshot)
        try part.count(snapshot)
        findings += part.findings
        allKeys.add(part.keys)
        last = part.isLast ? nil : part.through
      }
      if !readers.isShared { findings += try ofAllKeys(allKeys, snapshot) }
      return Array(findings.prefix(StoreLimits.findingsPerCheck))
    }
  }

  /// PostgreSQL computes the sums of all keys from time to time (``PostgresHousekeeping``), so that
  /// they may differ.
  private static func ofAllKeys(
    _ found: Amount, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> [VerifyFinding] {
    let kept = try snapshot.all(keptKeys) { row in
      Amount(count: row.int64(0), bytes: row.int64(1))
    }
    return kept.filter { $0 != found }.map { kept in
      VerifyFinding(
        .usage,
        "there are \(found.count) idempotency keys of \(found.bytes) bytes, not \(kept.count) of"
          + " \(kept.bytes)")
    }
  }

  private static func finding(
    _ principal: Int64, _ what: String, _ stored: Amount, _ kept: Amount
  ) -> VerifyFinding {
    VerifyFinding(
      .usage,
      "principal \(principal) has \(stored.count) \(what) of \(stored.bytes) bytes, not"
        + " \(kept.count) of \(kept.bytes)")
  }

  /// Rows or keys, and their bytes. Damaged rows may count anything: sums wrap around.
  private struct Amount: Equatable {
    var count: Int64 = 0
    var bytes: Int64 = 0

    mutating func add(_ other: Amount) {
      count &+= other.count
      bytes &+= other.bytes
    }
  }

  private struct Principal {
    var keptRows = Amount()
    var keptKeys = Amount()
    var rows = Amount()
    var keys = Amount()
  }

  /// The principals whose ids lie in a range.
  private struct Part {
    let before: Int64
    let through: Int64
    let isLast: Bool
    /// Those with kept counts, and as many others as there are findings.
    private var principals: [Int64: Principal] = [:]
    private var otherCount = 0

    init(after before: Int64, _ snapshot: borrowing Snapshot) throws(StoreError) {
      self.before = before
      var principals: [Int64: Principal] = [:]
      var last = before
      try snapshot.session.forEach(
        UsageCheck.kept, [.integer(before), .integer(StoreLimits.verifiedPrincipalsPerPart)]
      ) { row in
        last = row.int64(0)
        principals[last] = Principal(
          keptRows: Amount(count: row.int64(1), bytes: row.int64(2)),
          keptKeys: Amount(count: row.int64(3), bytes: row.int64(4)))
      }
      isLast = principals.count < StoreLimits.verifiedPrincipalsPerPart
      through = isLast ? .max : last
      self.principals = principals
    }

    mutating func count(_ snapshot: borrowing Snapshot) throws(StoreError) {
      try add(UsageCheck.content, to: \.rows, snapshot)
      try add(UsageCheck.keys, to: \.keys, snapshot)
    }

    private mutating func add(
      _ query: Query, to path: WritableKeyPath<Principal, Amount>, _ snapshot: borrowing Snapshot
    ) throws(StoreError) {
      try snapshot.session.forEach(query, [.integer(before), .integer(through)]) { row in
        let owner = row.int64(0)
        if principals[owner] == nil {
          guard otherCount < StoreLimits.findingsPerCheck else { return }
          otherCount += 1
        }
        principals[owner, default: Principal()][keyPath: path]
          .add(Amount(count: row.int64(1), bytes: row.int64(2)))
      }
    }

    /// The keys of all of them.
    var keys: Amount {
      principals.values.reduce(into: Amount()) { sum, principal in sum.add(principal.keys) }
    }

    var findings: [VerifyFinding] {
      let different = principals.filter {
        $0.value.rows != $0.value.keptRows || $0.value.keys != $0.value.keptKeys
      }
      var findings: [VerifyFinding] = []
      for (id, principal) in different.sorted(by: { $0.key < $1.key }) {
        if principal.rows != principal.keptRows {
          findings.append(UsageCheck.finding(id, "rows", principal.rows, principal.keptRows))
        }
        if principal.keys != principal.keptKeys {
          findings.append(
            UsageCheck.finding(id, "idempotency keys", principal.keys, principal.keptKeys))
        }
      }
      return Array(findings.prefix(StoreLimits.findingsPerCheck))
    }
  }
}
