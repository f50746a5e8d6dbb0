package import QuiverRules

/// Changes the fields that the mask names, if the revision is still current.
///
/// A field that the mask names and the item lacks is cleared. If nothing differs, nothing is
/// written and the revision stays.
package struct UpdateEquipment: Command {
  private let content: EquipmentContent
  private let isArchived: Bool
  private let reference: ObjectReference
  private let revision: UInt64
  private let mask: UpdateMask
  private let prefix: String

  /// The field besides those of its type that a mask may name.
  private static let archivedField = "archived"

  /// Validates the mask and the revision; `prefix` is the path of the item in the request.
  package init(
    _ content: EquipmentContent, isArchived: Bool = false, of reference: ObjectReference,
    revision: UInt64, mask: [String], prefix: String? = nil
  ) throws(StoreError) {
    self.content = content
    self.isArchived = isArchived
    self.reference = reference
    self.revision = revision
    let prefix = prefix ?? content.kind.name
    self.prefix = prefix
    self.mask = try UpdateMask(mask, revision: revision, prefix: prefix) { name in
      name == Self.archivedField || content.kind.index(of: name) != nil
    }
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EquipmentRecord {
    let owner = transaction.caller.principal
    let current = try transaction.snapshot.equipment(content.type, reference, principal: owner)
    try transaction.check(revision, of: current.revision, .equipment(current))
    var wanted = current.content
    for name in mask.names {
      if let value = content[name] { wanted.set(name, value) }
    }
    wanted = try wanted.stored(prefix: prefix)
    let archived = mask.contains(Self.archivedField) ? isArchived : current.isArchived
    guard wanted != current.content || archived != current.isArchived else { return current }
    return try transaction.replace(current, with: wanted, isArchived: archived)
  }
}

/// Archives or restores an item; revision 0 matches any revision.
package struct ArchiveEquipment: Command {
  package static var storesContent: Bool { false }

  private let type: EquipmentType
  private let reference: ObjectReference
  private let revision: UInt64
  private let isArchived: Bool

  package init(
    _ type: EquipmentType, _ reference: ObjectReference, revision: UInt64 = 0,
    isArchived: Bool = true
  ) {
    self.type = type
    self.reference = reference
    self.revision = revision
    self.isArchived = isArchived
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EquipmentRecord {
    let owner = transaction.caller.principal
    let current = try transaction.snapshot.equipment(type, reference, principal: owner)
    try transaction.check(revision, of: current.revision, .equipment(current))
    guard current.isArchived != isArchived else { return current }
    return try transaction.replace(current, with: current.content, isArchived: isArchived)
  }
}

extension Transaction {
  private static let update = Query(
    """
    UPDATE equipment SET revision = revision + 1, updated_at_ms = ?2, archived = ?3,
      display_brand = ?4, display_model = ?5, brand = ?6, model = ?7, notes = ?8
    WHERE id = ?1
    """)

  /// Stores the next revision of an item.
  fileprivate func replace(
    _ current: EquipmentRecord, with content: EquipmentContent, isArchived: Bool
  ) throws(StoreError) -> EquipmentRecord {
    let common = content.values.prefix(EquipmentKind.commonFieldCount).map(SQLValue.init)
    try run(
      Self.update,
      values: [
        .integer(current.id), .integer(nowMilliseconds), .integer(isArchived ? 1 : 0),
        .text(content.displayBrand), .text(content.displayModel),
      ] + common)
    let queries = EquipmentQueries.of(content.type)
    try run(queries.updateOwn, values: queries.ownValues(id: current.id, content))
    if isArchived != current.isArchived {
      let step: Int64 = isArchived ? 1 : -1
      try countEquipment(content.type, active: -step, archived: step)
    }
    try record(.updated, of: .equipment, id: current.id, principal: caller.principal)
    return EquipmentRecord(
      id: current.id, clientID: current.clientID, revision: current.revision &+ 1,
      isArchived: isArchived, createdAtMilliseconds: current.createdAtMilliseconds,
      updatedAtMilliseconds: nowMilliseconds, setupUseCount: current.setupUseCount,
      content: content)
  }
}
