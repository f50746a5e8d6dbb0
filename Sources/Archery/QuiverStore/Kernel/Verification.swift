extension Store {
  /// What `verify` looks at, in order.
  package static var verifiedSubjects: [VerifyFinding.Subject] {
    Verification.checks.map(\.subject)
  }

  /// Holds what is stored against itself: pages, the audit's chain, the journal, keys and counts.
  ///
  /// It reads in slices, each of one snapshot, and changes nothing; commands go on meanwhile. It
  /// may take seconds: call it on a thread that nobody waits for. At most
  /// `StoreLimits.findingsPerCheck` findings of a subject are named. Throws where something cannot
  /// be read at all for another reason than damage.
  package func verify() throws(StoreError) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    for check in Verification.checks {
      do throws(StoreError) {
        findings += try check.run(readers)
      } catch {
        guard error.code == .dataLoss else { throw error }
        findings.append(VerifyFinding(check.subject, error.message))
      }
    }
    return findings
  }
}

/// Everything that `Store.verify` does, in order.
///
/// What keeps sums beside what it sums up adds a subject and its check here; commands and messages
/// show it by themselves.
enum Verification {
  /// One subject, and how to look at it.
  struct Check: Sendable {
    let subject: VerifyFinding.Subject
    let run: @Sendable (ReaderPool) throws(StoreError) -> [VerifyFinding]
  }

  static let checks: [Check] = [
    Check(subject: .pages, run: pages), Check(subject: .audit, run: AuditCheck.run),
    Check(subject: .journal, run: SequenceCheck.journal),
    Check(subject: .idempotencyKeys, run: SequenceCheck.idempotencyKeys),
    Check(subject: .counts, run: counts), Check(subject: .rollups, run: RollupCheck.run),
    Check(subject: .logbook, run: LogbookCheck.run),
  ]

  @Sendable private static func counts(
    _ readers: ReaderPool
  ) throws(StoreError) -> [VerifyFinding] {
    try EquipmentCountCheck.run(readers) + TallyCheck.run(readers)
  }

  @Sendable private static func pages(
    _ readers: ReaderPool
  ) throws(StoreError) -> [VerifyFinding] {
    let tables = try readers.read { (snapshot) throws(StoreError) in
      try snapshot.session.tableNames()
    }
    var findings: [VerifyFinding] = []
    for table in tables {
      do throws(StoreError) {
        let texts = try readers.read(milliseconds: StoreLimits.pageCheckMilliseconds) {
          (snapshot) throws(StoreError) in
          try snapshot.session.pageFindings(table: table)
        }
        findings += texts.map { VerifyFinding(.pages, "table \(table): \($0)") }
      } catch {
        guard error.code == .dataLoss else { throw error }
        findings.append(VerifyFinding(.pages, "table \(table): \(error.message)"))
      }
    }
    return findings
  }
}
