/// Verifies the audit from its first row: numbers without gaps, and the hash chain.
///
/// In PostgreSQL it verifies the chain of each principal; numbers have gaps there.
struct AuditCheck {
  private let isChainedByPrincipal: Bool
  private var findings: [VerifyFinding] = []
  private var lastPrincipal = Int64.min
  private var lastSequence: Int64 = 0
  private var lastHash = AuditChain.beginning

  private init(isChainedByPrincipal: Bool) { self.isChainedByPrincipal = isChainedByPrincipal }

  private static let slice = Query(
    """
    SELECT sequence, at_ms, actor_id, principal_id, token_id, action, kind, object_id, topic,
      before, after, device, reason, hash, salt, text_hash
    FROM audit WHERE sequence > ?1 ORDER BY sequence LIMIT ?2
    """)
  private static let sliceByPrincipal = Query(
    onlyPostgreSQL: """
      SELECT sequence, at_ms, actor_id, principal_id, token_id, action, kind, object_id, topic,
        before, after, device, reason, hash, salt, text_hash
      FROM audit WHERE principal_id > ?3 OR (principal_id = ?3 AND sequence > ?1)
      ORDER BY principal_id, sequence LIMIT ?2
      """)

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    var check = AuditCheck(isChainedByPrincipal: readers.isShared)
    while check.findings.count < StoreLimits.findingsPerCheck {
      let (principal, before) = (check.lastPrincipal, check.lastSequence)
      var values: [SQLValue] = [.integer(before), .integer(StoreLimits.verifiedRowsPerSlice)]
      if check.isChainedByPrincipal { values.append(.integer(principal)) }
      check = try readers.verify { [check, values] (snapshot) throws(StoreError) in
        var next = check
        try snapshot.session.forEach(
          check.isChainedByPrincipal ? sliceByPrincipal : slice, values
        ) { row in next.take(row) }
        return next
      }
      if check.lastSequence == before, check.lastPrincipal == principal { break }
    }
    return Array(check.findings.prefix(StoreLimits.findingsPerCheck))
  }

  private mutating func take(_ row: Row) {
    let sequence = row.int64(0)
    if isChainedByPrincipal {
      let principal = row.int64(3)
      if principal != lastPrincipal {
        lastPrincipal = principal
        lastHash = AuditChain.beginning
      }
    } else if sequence != lastSequence + 1 {
      findings.append(
        VerifyFinding(.audit, "lines \(lastSequence + 1) to \(sequence - 1) are missing"))
    }
    let hash = row.bytes(13)
    if !Self.isValid(row, after: lastHash, hash: hash) {
      findings.append(
        VerifyFinding(.audit, "line \(sequence) is not what was written after line \(lastSequence)")
      )
    }
    lastSequence = sequence
    lastHash = hash
  }

  /// Whether the row has the content that its hashes were computed of.
  ///
  /// A text hash without a salt belongs to erased texts. An empty one marks a row that was chained
  /// with its texts before they were erased: its own hash can no longer be computed.
  private static func isValid(_ row: Row, after previous: [UInt8], hash: [UInt8]) -> Bool {
    let values: [SQLValue] =
      (1...4).map { .integer(row.int64($0)) } + [.text(row.text(5))]
      + (6...8).map { .integer(row.int64($0)) } + (9...10).map { .blob(row.bytes($0)) }
    let texts: [SQLValue] = (11...12).map { .text(row.text($0)) }
    let textHash = row.isNull(15) ? nil : row.bytes(15)
    if let textHash {
      if row.isNull(14) {
        guard row.text(11).isEmpty, row.text(12).isEmpty else { return false }
        if textHash.isEmpty { return true }
      } else if AuditChain.textHash(salt: row.bytes(14), texts) != textHash {
        return false
      }
    }
    return AuditChain.hash(
      previous: previous, values + AuditChain.chained(texts, textHash: textHash)) == hash
  }
}
