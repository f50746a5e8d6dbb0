/// Verifies a table whose rows are numbered in the order of their time.
///
/// In PostgreSQL numbers have gaps, and servers date their rows by themselves: only the rest of
/// each row is verified there.
struct SequenceCheck {
  private let subject: VerifyFinding.Subject
  private let isOrdered: Bool
  private var findings: [VerifyFinding] = []
  private var last: (sequence: Int64, milliseconds: Int64)?

  /// Columns: sequence, time, whether the rest of the row is valid, the table's first sequence, and
  /// whether stored time was set back before the row.
  private static let journalSlice = Query(
    """
    SELECT sequence, at_ms, change BETWEEN \(JournalEntry.Change.created.rawValue)
        AND \(JournalEntry.Change.deleted.rawValue),
      (SELECT min(sequence) FROM journal),
      EXISTS (SELECT 1 FROM time_correction c WHERE c.journal_sequence = journal.sequence - 1)
    FROM journal WHERE sequence > ?1 ORDER BY sequence LIMIT ?2
    """)
  private static let keySlice = Query(
    """
    SELECT sequence, at_ms, length(key) = 16 AND length(request_hash) = 32,
      (SELECT min(sequence) FROM idempotency_key),
      EXISTS (SELECT 1 FROM time_correction c WHERE c.key_sequence = idempotency_key.sequence - 1)
    FROM idempotency_key WHERE sequence > ?1 ORDER BY sequence LIMIT ?2
    """)

  private init(_ subject: VerifyFinding.Subject, isOrdered: Bool) {
    self.subject = subject
    self.isOrdered = isOrdered
  }

  @Sendable static func journal(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    try run(journalSlice, .journal, readers)
  }

  @Sendable static func idempotencyKeys(
    _ readers: ReaderPool
  ) throws(StoreError) -> [VerifyFinding] {
    try run(keySlice, .idempotencyKeys, readers)
  }

  private static func run(
    _ slice: Query, _ subject: VerifyFinding.Subject, _ readers: ReaderPool
  ) throws(StoreError) -> [VerifyFinding] {
    var check = SequenceCheck(subject, isOrdered: !readers.isShared)
    while check.findings.count < StoreLimits.findingsPerCheck {
      let before = check.last?.sequence ?? 0
      check = try readers.verify { (snapshot) throws(StoreError) in
        var next = check
        try snapshot.session.forEach(
          slice, [.integer(before), .integer(StoreLimits.verifiedRowsPerSlice)]
        ) { row in next.take(row) }
        return next
      }
      if check.last?.sequence ?? 0 == before { break }
    }
    return Array(check.findings.prefix(StoreLimits.findingsPerCheck))
  }

  private mutating func take(_ row: Row) {
    let sequence = row.int64(0)
    let milliseconds = row.int64(1)
    // Old rows may expire between two slices: only then may numbers be missing.
    if isOrdered, let last, sequence != last.sequence + 1, row.int64(3) <= last.sequence {
      find("rows \(last.sequence + 1) to \(sequence - 1) are missing")
    }
    // The first row after an operator set stored time back may be older than the row before.
    if row.bool(4) { last?.milliseconds = milliseconds }
    if isOrdered, let last, milliseconds < last.milliseconds {
      find("row \(sequence) is older than row \(last.sequence)")
    }
    if !row.bool(2) { find("row \(sequence) has content that was never written") }
    last = (sequence, max(milliseconds, last?.milliseconds ?? milliseconds))
  }

  private mutating func find(_ message: String) {
    findings.append(VerifyFinding(subject, message))
  }
}
