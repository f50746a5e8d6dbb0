import QuiverRules

/// Adds an item to a setup, as a new version; revision 0 matches any revision.
///
/// An item of a single type replaces the current one of that type. An item that is there already
/// gets the given quantity.
package struct AddSetupComponent: Command {
  private let component: BowSetupDraft.Component
  private let reference: ObjectReference
  private let revision: UInt64
  private let path: String

  /// `path` is the path of the component in the request.
  package init(
    _ component: BowSetupDraft.Component, to reference: ObjectReference, revision: UInt64 = 0,
    path: String = "component"
  ) {
    self.component = component
    self.reference = reference
    self.revision = revision
    self.path = path
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> BowSetupRecord {
    let owner = transaction.caller.principal
    let current = try transaction.snapshot.bowSetup(reference, principal: owner)
    try transaction.check(revision, of: current.revision, .bowSetup(current))
    let part = try transaction.part(component, path: path)
    let before = try current.content()
    var wanted = before
    wanted.parts = try validating { () throws(RuleViolation) in
      try before.parts.adding(part, path: path)
    }
    return try transaction.replace(current, with: wanted)
  }
}

/// Removes an item from a setup, as a new version; revision 0 matches any revision.
package struct RemoveSetupComponent: Command {
  private let item: ObjectReference
  private let reference: ObjectReference
  private let revision: UInt64

  package init(
    _ item: ObjectReference, from reference: ObjectReference, revision: UInt64 = 0
  ) {
    self.item = item
    self.reference = reference
    self.revision = revision
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> BowSetupRecord {
    let owner = transaction.caller.principal
    let current = try transaction.snapshot.bowSetup(reference, principal: owner)
    try transaction.check(revision, of: current.revision, .bowSetup(current))
    let id = try transaction.itemID(item, path: "")
    guard let changed = try transaction.detach(id, from: current) else {
      throw StoreError(
        .notFound, "the setup does not hold that item", field: "equipment_id")
    }
    return changed
  }
}

extension Transaction {
  /// Stores a version of the setup without the item; returns nil if the setup does not have it.
  func detach(
    _ equipmentID: Int64, from setup: BowSetupRecord
  ) throws(StoreError) -> BowSetupRecord? {
    var wanted = try setup.content()
    guard let parts = wanted.parts.removing(equipmentID: equipmentID) else { return nil }
    wanted.parts = parts
    return try replace(setup, with: wanted)
  }
}
