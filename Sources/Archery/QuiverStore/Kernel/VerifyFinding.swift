/// One thing that `Store.verify` found to be other than it must.
package struct VerifyFinding: Sendable, Equatable, CustomStringConvertible {
  package let subject: Subject

  /// A sentence with the row it speaks of, without anything that users wrote.
  package let message: String

  /// What was looked at.
  package enum Subject: String, Sendable, CaseIterable {
    /// The structure of the file's pages.
    case pages
    /// The chain of the audit's lines.
    case audit
    /// The order of the change journal.
    case journal
    /// The order and form of idempotency keys.
    case idempotencyKeys = "idempotency-keys"
    /// Counts that are kept, against what they count.
    case counts
    /// The folded arrows of rounds, against these.
    case rollups
    /// Counts and records of the logbook, against its entries, sets and arrows.
    case logbook
  }

  package init(_ subject: Subject, _ message: String) {
    self.subject = subject
    self.message = message
  }

  package var description: String { "\(subject.rawValue): \(message)" }
}
