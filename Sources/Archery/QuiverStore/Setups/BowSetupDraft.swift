import QuiverCrypto
package import QuiverRules

/// A bow setup from a request, which names its items by id or client_id.
package struct BowSetupDraft: Sendable, Equatable {
  package var name = ""
  package var notes = ""
  package var isActive = true
  package var isDefault = false
  package var components: [Component] = []

  /// An item that a request names.
  package struct Component: Sendable, Equatable {
    package let item: ObjectReference

    /// The type that the request states; nil if it states none.
    package let type: EquipmentType?

    package let quantity: UInt32

    package init(_ item: ObjectReference, type: EquipmentType? = nil, quantity: UInt32 = 1) {
      self.item = item
      self.type = type
      self.quantity = quantity
    }
  }

  package init() {}

  /// The same with texts in their stored form; `prefix` is its path in the request.
  func checked(prefix: String) throws(StoreError) -> BowSetupDraft {
    var draft = self
    draft.name = try validating { () throws(RuleViolation) in
      try BowSetupText.name(name, path: prefix + ".name")
    }
    draft.notes = try validating { () throws(RuleViolation) in
      try TextLimits.checked(notes, length: TextLimits.notesLength, path: prefix + ".notes")
    }
    return draft
  }

  /// SHA-256 of the content, with items by the ids that the request uses.
  var hash: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.text(name))
    encoding.append(.text(notes))
    encoding.append(.integer(isActive ? 1 : 0))
    encoding.append(.integer(isDefault ? 1 : 0))
    for component in components {
      switch component.item {
      case .id(let id): encoding.append(.integer(id))
      case .clientID(let clientID): encoding.append(.blob(clientID))
      }
      encoding.append(component.type.map { .integer(Int64($0.rawValue)) } ?? .null)
      encoding.append(.integer(Int64(component.quantity)))
    }
    return SHA256.hash(encoding.bytes)
  }
}

extension Transaction {
  private static let itemType = Query(
    """
    SELECT type FROM equipment WHERE id = ?1 AND principal_id = ?2 AND deleted_at_ms IS NULL
    """)

  /// The parts that the components of a request name; `path` is the path of their list.
  func parts(
    _ components: [BowSetupDraft.Component], path: String
  ) throws(StoreError) -> SetupParts {
    // The count is checked before any lookup.
    guard components.count <= SetupParts.maximumCount else {
      throw .invalid(path, "must be at most \(SetupParts.maximumCount)")
    }
    var given: [SetupPart] = []
    for (index, component) in components.enumerated() {
      given.append(try part(component, path: "\(path)[\(index)]"))
    }
    return try validating { [given] () throws(RuleViolation) in try SetupParts(given, path: path) }
  }

  /// The part that one component names.
  func part(
    _ component: BowSetupDraft.Component, path: String
  ) throws(StoreError) -> SetupPart {
    let id = try itemID(component.item, path: path)
    let number = try snapshot.first(
      Self.itemType, .integer(id), .integer(caller.principal)
    ) { row in row.int32(0) }
    guard let number, let type = EquipmentType(rawValue: number) else {
      throw Self.unknownItem(component.item, path: path)
    }
    if let named = component.type, named != type {
      let label = EquipmentKind.of(type).label.lowercased()
      throw .invalid(path + ".type", "is another than the item has, which is of type \(label)")
    }
    return SetupPart(equipmentID: id, type: type, quantity: component.quantity)
  }

  /// The id of the caller's item that a reference names.
  func itemID(_ item: ObjectReference, path: String) throws(StoreError) -> Int64 {
    let id = try snapshot.objectID(item, kind: .equipment, principal: caller.principal)
    guard let id else { throw Self.unknownItem(item, path: path) }
    return id
  }

  private static func unknownItem(_ item: ObjectReference, path: String) -> StoreError {
    let name =
      switch item {
      case .id: "equipment_id"
      case .clientID: "equipment_client_id"
      }
    return StoreError(
      .notFound, "there is no such item of equipment",
      field: path.isEmpty ? name : "\(path).\(name)")
  }
}
