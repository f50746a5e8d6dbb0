/// Deletes an entry, which can be restored for 30 days; deleting it again changes nothing.
package struct DeleteWeightEntry: Command {
  package static var storesContent: Bool { false }

  private let reference: ObjectReference
  private let revision: UInt64

  private static let delete = Query(
    """
    UPDATE weight_entry SET revision = revision + 1, updated_at_ms = ?2, deleted_at_ms = ?2
    WHERE id = ?1
    """)

  /// Revision 0 matches any revision.
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
    try transaction.check(revision, of: current.revision, .weightEntry(current))
    try transaction.run(
      Self.delete, .integer(current.id), .integer(transaction.nowMilliseconds))
    try transaction.record(.deleted, of: .weightEntry, id: current.id, principal: principal)
    return try transaction.weightEntry(id: current.id)
  }
}

/// Restores an entry within 30 days of its deletion; restoring it again changes nothing.
package struct RestoreWeightEntry: Command {
  private let reference: ObjectReference
  private let revision: UInt64

  private static let restore = Query(
    """
    UPDATE weight_entry SET revision = revision + 1, updated_at_ms = ?2, deleted_at_ms = NULL
    WHERE id = ?1
    """)

  /// Revision 0 matches any revision.
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
    try transaction.check(revision, of: current.revision, .weightEntry(current))
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

/// Removes weight entries that were deleted too long ago to be restored.
enum WeightExpirer {
  private static let old = Query(
    """
    SELECT id, principal_id, client_id FROM weight_entry WHERE deleted_at_ms < ?1
    ORDER BY deleted_at_ms LIMIT \(StoreLimits.expiredRowsPerSlice)
    """)
  private static let delete = Query("DELETE FROM weight_entry WHERE id = ?1")
  private static let count = Query(
    "UPDATE weight_entry_count SET entries = entries - 1 WHERE principal_id = ?1")

  /// Removes at most a slice of them; returns how many rows it removed.
  @Sendable static func expire(_ context: ExpiryContext) throws(StoreError) -> Int64 {
    let session = context.session
    var found: [(id: Int64, principal: Int64, clientID: [UInt8])] = []
    let oldest = context.oldest(StoreLimits.deletedWeightKeepMilliseconds)
    try session.forEach(old, [.integer(oldest)]) { row in
      found.append((row.int64(0), row.int64(1), row.bytes(2)))
    }
    for (id, principal, clientID) in found {
      try session.forgetContent(of: .weightEntry, id: id, clientID: clientID)
      try session.run(delete, [.integer(id)])
      try session.run(count, [.integer(principal)])
    }
    return Int64(found.count)
  }
}
