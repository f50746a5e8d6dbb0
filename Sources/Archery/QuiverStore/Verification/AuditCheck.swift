/// Verifies the audit from its first row: numbers without gaps, and the hash chain.
struct AuditCheck {
  private var findings: [VerifyFinding] = []
  private var lastSequence: Int64 = 0
  private var lastHash = AuditChain.beginning

  private static let slice = Query(
    """
    SELECT sequence, at_ms, actor_id, principal_id, token_id, action, kind, object_id, topic,
      before, after, device, reason, hash
    FROM audit WHERE sequence > ?1 ORDER BY sequence LIMIT ?2
    """)

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    var check = AuditCheck()
    while check.findings.count < StoreLimits.findingsPerCheck {
      let before = check.lastSequence
      check = try readers.verify { (snapshot) throws(StoreError) in
        var next = check
        try snapshot.session.forEach(
          slice, [.integer(before), .integer(StoreLimits.verifiedRowsPerSlice)]
        ) { row in next.take(row) }
        return next
      }
      if check.lastSequence == before { break }
    }
    return Array(check.findings.prefix(StoreLimits.findingsPerCheck))
  }

  private mutating func take(_ row: Row) {
    let sequence = row.int64(0)
    if sequence != lastSequence + 1 {
      findings.append(
        VerifyFinding(.audit, "lines \(lastSequence + 1) to \(sequence - 1) are missing"))
    }
    let values: [SQLValue] =
      (1...4).map { .integer(row.int64($0)) } + [.text(row.text(5))]
      + (6...8).map { .integer(row.int64($0)) } + (9...10).map { .blob(row.bytes($0)) }
      + (11...12).map { .text(row.text($0)) }
    let hash = row.bytes(13)
    if AuditChain.hash(previous: lastHash, values) != hash {
      findings.append(
        VerifyFinding(.audit, "line \(sequence) is not what was written after line \(lastSequence)")
      )
    }
    lastSequence = sequence
    lastHash = hash
  }
}
