/// Deletes an entry, to be restored for 30 days; done twice is done.
package struct DeleteWeightEntry: Command {
  private let reference: ObjectReference
  private let revision: UInt64

  private static let delete = Query(
    """
    UPDATE weight_entry SET revision = revision + 1, updated_at_ms = ?2, deleted_at_ms = ?2
    WHERE id = ?1
    """)

  /// A revision of 0 is whatever it is by now.
  package init(_ reference: ObjectReference, revision: UInt64 = 0) {
    self.reference = reference
    self.revision = revision
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> WeightEntryRecord {
    let principal = transaction.caller.principal
    let current = try transaction.snapshot.weightEntry(reference, principal: principal)
    guard current.deletedAtMilliseconds == 0 else { return current }
    guard revision == 0 || current.revision == revision else {
      throw .stale(revision, now: current.revision, current)
    }
    try transaction.run(
      Self.delete, .integer(current.id), .integer(transaction.nowMilliseconds))
    try transaction.record(.deleted, of: .weightEntry, id: current.id, principal: principal)
    return try transaction.weightEntry(id: current.id)
  }
}

/// Brings a deleted entry back within its 30 days; done twice is done.
package struct RestoreWeightEntry: Command {
  private let reference: ObjectReference
  private let revision: UInt64

  private static let restore = Query(
    """
    UPDATE weight_entry SET revision = revision + 1, updated_at_ms = ?2, deleted_at_ms = NULL
    WHERE id = ?1
    """)

  /// A revision of 0 is whatever it is by now.
  package init(_ reference: ObjectReference, revision: UInt64 = 0) {
    self.reference = reference
    self.revision = revision
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> WeightEntryRecord {
    let principal = transaction.caller.principal
    let current = try transaction.snapshot.weightEntry(reference, principal: principal)
    guard current.deletedAtMilliseconds != 0 else { return current }
    guard revision == 0 || current.revision == revision else {
      throw .stale(revision, now: current.revision, current)
    }
    let age = transaction.nowMilliseconds - current.deletedAtMilliseconds
    guard age <= StoreLimits.deletedWeightKeepMilliseconds else {
      throw StoreError(.notFound, "this weight entry was deleted more than 30 days ago")
    }
    try transaction.run(
      Self.restore, .integer(current.id), .integer(transaction.nowMilliseconds))
    try transaction.record(.created, of: .weightEntry, id: current.id, principal: principal)
    return try transaction.weightEntry(id: current.id)
  }
}
