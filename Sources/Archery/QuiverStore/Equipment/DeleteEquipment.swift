package import QuiverRules

/// Deletes an item; revision 0 matches any revision.
///
/// An item in setups is refused with their names, unless it is to be detached: then each setup gets
/// a new version without it. An item in old versions is kept for these only.
package struct DeleteEquipment: Command {
  package static var storesContent: Bool { false }

  private let type: EquipmentType
  private let reference: ObjectReference
  private let revision: UInt64
  private let detaches: Bool

  private static let isHeld = Query(
    "SELECT 1 FROM bow_setup_component WHERE equipment_id = ?1 LIMIT 1")
  private static let bury = Query(
    """
    UPDATE equipment SET deleted_at_ms = ?2, updated_at_ms = ?2, revision = revision + 1
    WHERE id = ?1
    """)

  package init(
    _ type: EquipmentType, _ reference: ObjectReference, revision: UInt64 = 0,
    detaches: Bool = false
  ) {
    self.type = type
    self.reference = reference
    self.revision = revision
    self.detaches = detaches
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let owner = transaction.caller.principal
    let current = try transaction.snapshot.equipment(type, reference, principal: owner)
    try transaction.check(revision, of: current.revision, .equipment(current))
    if current.setupUseCount > 0 { try release(current.id, in: transaction) }
    try transaction.deleteSightMarks(of: .sight, id: current.id)
    let isHeld = try transaction.snapshot.first(Self.isHeld, .integer(current.id)) { _ in true }
    if isHeld ?? false {
      try transaction.run(
        Self.bury, .integer(current.id), .integer(transaction.nowMilliseconds))
    } else {
      try transaction.erase(current.id, of: type)
    }
    let step: Int64 = -1
    try transaction.countEquipment(
      type, active: current.isArchived ? 0 : step, archived: current.isArchived ? step : 0)
    try transaction.record(.deleted, of: .equipment, id: current.id, principal: owner)
  }

  /// Removes the item from every setup, or throws with the setups that have it.
  private func release(
    _ id: Int64, in transaction: borrowing Transaction
  ) throws(StoreError) {
    let holders = try transaction.snapshot.bowSetups(holding: id)
    guard detaches else { throw Self.held(by: holders) }
    for holder in holders {
      _ = try transaction.detach(id, from: transaction.setup(id: holder.id))
    }
  }

  private static func held(by holders: [HoldingSetup]) -> StoreError {
    let names = holders.prefix(StoreLimits.namedHolders)
      .map { "\"\(BowSetupText.displayName($0.name))\"" }.joined(separator: ", ")
    let more = holders.count - StoreLimits.namedHolders
    let others = more > 0 ? " and \(more) more" : ""
    return StoreError(
      .failedPrecondition,
      "held by \(names)\(others); take it out there first, or delete it with detach",
      current: .holdingSetups(holders))
  }
}

extension Transaction {
  private static let delete = Query("DELETE FROM equipment WHERE id = ?1")

  /// Deletes an item that no version has.
  func erase(_ id: Int64, of type: EquipmentType) throws(StoreError) {
    try run(EquipmentQueries.of(type).deleteOwn, .integer(id))
    try run(Self.delete, .integer(id))
  }
}
