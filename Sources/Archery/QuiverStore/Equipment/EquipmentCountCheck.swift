/// Counts every principal's equipment again and compares the stored counts.
enum EquipmentCountCheck {
  private static let nextPrincipal = Query(
    """
    SELECT min(id) FROM (
      SELECT min(principal_id) AS id FROM equipment
      WHERE principal_id > ?1 AND deleted_at_ms IS NULL
      UNION ALL SELECT min(principal_id) FROM equipment_count WHERE principal_id > ?1
      UNION ALL SELECT min(principal_id) FROM bow_setup WHERE principal_id > ?1
      UNION ALL SELECT min(principal_id) FROM bow_setup_count WHERE principal_id > ?1
    ) AS found
    """)
  private static let differences = Query(
    """
    SELECT type, CAST(sum(active) AS bigint), CAST(sum(archived) AS bigint), sum(kept_active),
      sum(kept_archived)
    FROM (
      SELECT type, sum(CASE archived WHEN 0 THEN 1 ELSE 0 END) AS active,
        sum(CASE archived WHEN 0 THEN 0 ELSE 1 END) AS archived, 0 AS kept_active,
        0 AS kept_archived
      FROM equipment WHERE principal_id = ?1 AND deleted_at_ms IS NULL GROUP BY type
      UNION ALL
      SELECT type, 0, 0, active, archived FROM equipment_count WHERE principal_id = ?1
    ) AS counted
    GROUP BY type
    HAVING sum(active) <> sum(kept_active) OR sum(archived) <> sum(kept_archived)
    """)
  private static let setupDifferences = Query(
    """
    SELECT sum(active), sum(inactive), sum(kept_active), sum(kept_inactive) FROM (
      SELECT is_active AS active, 1 - is_active AS inactive, 0 AS kept_active,
        0 AS kept_inactive
      FROM bow_setup WHERE principal_id = ?1
      UNION ALL
      SELECT 0, 0, active, inactive FROM bow_setup_count WHERE principal_id = ?1
    ) AS counted
    HAVING sum(active) <> sum(kept_active) OR sum(inactive) <> sum(kept_inactive)
    """)
  private static let useDifferences = Query(
    """
    SELECT id, kept, held FROM (
      SELECT e.id AS id, e.setup_use_count AS kept, (
        SELECT count(*) FROM bow_setup_component c
        JOIN bow_setup s ON s.id = c.setup_id AND s.version = c.version
        WHERE c.equipment_id = e.id) AS held
      FROM equipment e WHERE e.principal_id = ?1 AND e.deleted_at_ms IS NULL
    ) AS counted
    WHERE kept <> held LIMIT \(StoreLimits.findingsPerCheck)
    """)

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    var principal: Int64? = Int64.min
    while let before = principal, findings.count < StoreLimits.findingsPerCheck {
      let found = try readers.verify { (snapshot) throws(StoreError) in
        try step(snapshot, after: before)
      }
      principal = found.principal
      findings += found.findings
    }
    return Array(findings.prefix(StoreLimits.findingsPerCheck))
  }

  private static func step(
    _ snapshot: borrowing Snapshot, after before: Int64
  ) throws(StoreError) -> (principal: Int64?, findings: [VerifyFinding]) {
    let next = try snapshot.first(nextPrincipal, .integer(before)) { row in row.optionalInt64(0) }
    guard let principal = next ?? nil else { return (nil, []) }
    let findings = try snapshot.all(differences, .integer(principal)) { row in
      VerifyFinding(
        .counts,
        """
        principal \(principal) has \(row.int64(1)) items of type \(row.int64(0)) and \
        \(row.int64(2)) archived, where \(row.int64(3)) and \(row.int64(4)) are kept
        """)
    }
    let setups = try snapshot.all(setupDifferences, .integer(principal)) { row in
      VerifyFinding(
        .counts,
        """
        principal \(principal) has \(row.int64(0)) active bow setups and \(row.int64(1)) others, \
        where \(row.int64(2)) and \(row.int64(3)) are kept
        """)
    }
    let uses = try snapshot.all(useDifferences, .integer(principal)) { row in
      VerifyFinding(
        .counts,
        """
        item \(row.int64(0)) is held by \(row.int64(2)) bow setups, where \(row.int64(1)) are kept
        """)
    }
    return (principal, findings + setups + uses)
  }
}
