package import QuiverRules

/// Deletes a piece for good; a revision of 0 is whatever it is by now.
package struct DeleteEquipment: Command {
  private let type: EquipmentType
  private let reference: ObjectReference
  private let revision: UInt64

  private static let delete = Query("DELETE FROM equipment WHERE id = ?1")

  package init(_ type: EquipmentType, _ reference: ObjectReference, revision: UInt64 = 0) {
    self.type = type
    self.reference = reference
    self.revision = revision
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let owner = transaction.caller.principal
    let current = try transaction.snapshot.equipment(type, reference, principal: owner)
    if revision != 0 { try current.check(revision: revision) }
    guard current.setupUseCount == 0 else {
      throw StoreError(
        .failedPrecondition, "\(current.setupUseCount) bow setups hold it; take it out first")
    }
    try transaction.run(Self.delete, .integer(current.id))
    try transaction.run(EquipmentQueries.of(type).deleteOwn, .integer(current.id))
    let step: Int64 = -1
    try transaction.countEquipment(
      type, active: current.isArchived ? 0 : step, archived: current.isArchived ? step : 0)
    try transaction.record(.deleted, of: .equipment, id: current.id, principal: owner)
  }
}
