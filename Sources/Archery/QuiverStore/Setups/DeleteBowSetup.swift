import QuiverRules

/// Deletes a setup with its versions and sight marks; revision 0 matches any revision.
///
/// Deleted items that only its versions have are removed too.
package struct DeleteBowSetup: Command {
  package static var storesContent: Bool { false }

  private let reference: ObjectReference
  private let revision: UInt64

  private static let lonelyRemains = Query(
    """
    SELECT DISTINCT e.id, e.type
    FROM bow_setup_component c JOIN equipment e ON e.id = c.equipment_id
    WHERE c.setup_id = ?1 AND e.deleted_at_ms IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM bow_setup_component o WHERE o.equipment_id = e.id AND o.setup_id <> ?1)
    ORDER BY e.id
    """)
  private static let deleteComponents = Query(
    "DELETE FROM bow_setup_component WHERE setup_id = ?1")
  private static let deleteVersions = Query("DELETE FROM bow_setup_version WHERE setup_id = ?1")
  private static let delete = Query("DELETE FROM bow_setup WHERE id = ?1")

  package init(_ reference: ObjectReference, revision: UInt64 = 0) {
    self.reference = reference
    self.revision = revision
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let owner = transaction.caller.principal
    let current = try transaction.snapshot.bowSetup(reference, principal: owner)
    try transaction.check(revision, of: current.revision, .bowSetup(current))
    let remains = try transaction.snapshot.all(Self.lonelyRemains, .integer(current.id)) { row in
      (id: row.int64(0), type: EquipmentType(rawValue: row.int32(1)))
    }
    try transaction.countUses(from: current.content().parts, to: SetupParts())
    try transaction.run(Self.deleteComponents, .integer(current.id))
    try transaction.run(Self.deleteVersions, .integer(current.id))
    for item in remains {
      if let type = item.type { try transaction.erase(item.id, of: type) }
    }
    try transaction.deleteSightMarks(of: .setup, id: current.id)
    try transaction.run(Self.delete, .integer(current.id))
    try transaction.countSetups(isActive: current.isActive, by: -1)
    try transaction.record(.deleted, of: .bowSetup, id: current.id, principal: owner)
  }
}
