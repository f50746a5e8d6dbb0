import QuiverSQLite

extension Store {
  /// The subjects that `verify` checks, in order.
  package var verifiedSubjects: [VerifyFinding.Subject] {
    checks.reduce(into: []) { subjects, check in
      if subjects.last != check.subject { subjects.append(check.subject) }
    }
  }

  /// Checks the stored data for damage and contradictions.
  ///
  /// It reads in slices, each of one snapshot, and changes nothing; commands continue meanwhile. It
  /// may take seconds: call it on a thread that no other work needs. It returns at most
  /// `StoreLimits.findingsPerCheck` findings from each check. Throws if data cannot be read for a
  /// reason other than damage.
  package func verify() throws(StoreError) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    for check in checks {
      do throws(StoreError) {
        findings += try check.run(readers)
      } catch {
        guard error.code == .dataLoss else { throw error }
        findings.append(VerifyFinding(check.subject, error.message))
      }
    }
    return findings
  }

  private var checks: [Verification.Check] {
    StoreFeatures.checks.filter { !readers.isShared || !$0.isOnlySQLite }
  }
}

/// How features take part in `Store.verify`.
enum Verification {
  /// One check of one subject. Features list theirs in ``StoreFeatures/checks``.
  struct Check: Sendable {
    let subject: VerifyFinding.Subject
    /// Whether it concerns the files of SQLite.
    var isOnlySQLite = false
    let run: @Sendable (ReaderPool) throws(StoreError) -> [VerifyFinding]
  }
}

/// Checks the structure of every page, table by table.
enum PageVerification {
  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    let tables = try readers.verify { (snapshot) throws(StoreError) in
      try snapshot.session.tableNames()
    }
    var findings = try checksumFindings(readers)
    for table in tables {
      do throws(StoreError) {
        let texts = try readers.verify {
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

  /// The pages that differ from their checksums.
  private static func checksumFindings(
    _ readers: ReaderPool
  ) throws(StoreError) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    var next: Int64 = 1
    while findings.count < StoreLimits.findingsPerCheck {
      let first = next
      let scan = try readers.verify { (snapshot) throws(StoreError) in
        try snapshot.session.scanPages(from: first)
      }
      next += scan.pageCount
      if let page = scan.damagedPage {
        findings.append(VerifyFinding(.pages, "page \(page) differs from its checksum"))
      } else if scan.pageCount < StoreLimits.verifiedPagesPerSlice {
        break
      }
    }
    return findings
  }
}

/// One problem that `Store.verify` found.
package struct VerifyFinding: Sendable, Equatable, CustomStringConvertible {
  package let subject: Subject

  /// A sentence that names the row, without any text of users.
  package let message: String

  /// What was checked.
  package enum Subject: String, Sendable, CaseIterable {
    /// The structure of the file's pages.
    case pages
    /// The tables, indexes and triggers, compared with those that the migrations make.
    case schema
    /// The hash chain of the audit.
    case audit
    /// The order of the change journal.
    case journal
    /// The order and form of idempotency keys.
    case idempotencyKeys = "idempotency-keys"
    /// Stored counts, compared with the rows that they count.
    case counts
    /// The counts of each principal, compared with its stored rows.
    case usage
    /// Stored rollups, compared with the arrows of the rounds.
    case rollups
    /// Counts and records of the logbook, compared with its entries, sets and arrows.
    case logbook
  }

  package init(_ subject: Subject, _ message: String) {
    self.subject = subject
    self.message = message
  }

  package var description: String { "\(subject.rawValue): \(message)" }
}
