import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// The components of bow setups in the local file.
extension LocalTransaction {
  /// This device's setup as it is shown: components with the current names of their items, without
  /// those that a pending deletion detaches.
  ///
  /// A renamed item does not change the setups that have it, so that their stored names become old.
  func shown(_ setup: BowSetup) throws(SessionError) -> BowSetup {
    var shown = setup
    shown.components = []
    for component in setup.components {
      guard let item = try self.item(of: component) else {
        shown.components.append(component)
        continue
      }
      if try isDetached(item) { continue }
      shown.components.append(component.naming(item))
    }
    return shown
  }

  /// The setup with its components as this device names them; throws the rule that they break, as
  /// the server would.
  func checked(_ setup: BowSetup) throws(SessionError) -> BowSetup {
    var checked = setup
    var parts: [SetupPart] = []
    for (index, component) in setup.components.enumerated() {
      let item = try self.item(of: component)
      let number = item?.kind.number ?? Int64(component.type.rawValue)
      guard let type = QuiverRules.EquipmentType(rawValue: Int32(clamping: number)) else {
        continue
      }
      // Items that this device does not know have an identity apart from its keys.
      let identity = item?.key ?? -1 - component.equipmentID
      parts.append(
        SetupPart(
          equipmentID: identity, type: type,
          quantity: component.quantity == 0 ? 1 : component.quantity))
      if let item { checked.components[index] = component.naming(item) }
    }
    do throws(RuleViolation) {
      _ = try SetupParts(parts, path: "bow_setup.components")
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
    return checked
  }

  /// The setup that this device has under a key, as it is shown.
  func setup(_ key: Int64) throws(SessionError) -> BowSetup {
    guard let object = try object(key), object.isVisible,
      object.kind.number == CachedKind.setupNumber
    else { throw SessionError(.notFound, "this object no longer exists") }
    guard let bytes = object.localMessage else {
      throw SessionError(
        .notPossible, "this has only been seen in a list; open it once with a connection")
    }
    return try shown(Self.decoded(bytes))
  }

  /// Whether two lists have the same items in the same quantities, in any order.
  func haveSameParts(
    _ one: [SetupComponent], _ other: [SetupComponent]
  ) throws(SessionError) -> Bool {
    try quantities(one) == quantities(other)
  }

  /// Removes an item that was deleted from the setups of the server that this device knows.
  ///
  /// They keep their revisions: whether the server made the next one by this deletion or for
  /// another device shows when the next change of a setup is merged with it.
  func detach(_ item: LocalObject) throws(SessionError) {
    guard let kind = CachedKind.numbered(CachedKind.setupNumber) else { return }
    for object in try objects(kind) {
      guard let bytes = object.serverMessage else { continue }
      var setup = try Self.decoded(bytes)
      let count = setup.components.count
      setup.components.removeAll { $0.names(item) }
      guard setup.components.count < count else { continue }
      var changed = object
      changed.serverMessage = setup.serializedBytes()
      try save(&changed)
      try refreshLocal(&changed)
    }
  }

  /// The item of a component; nil if this device does not know it.
  private func item(of component: SetupComponent) throws(SessionError) -> LocalObject? {
    if let kind = CachedKind.of(component.type as QuiverAPI.EquipmentType) {
      return try object(
        kind, serverID: component.equipmentID, clientID: component.equipmentClientID)
    }
    guard !component.equipmentClientID.isEmpty else { return nil }
    return try object(clientID: component.equipmentClientID)
  }

  private func isDetached(_ item: LocalObject) throws(SessionError) -> Bool {
    guard !item.isVisible else { return false }
    for row in try outboxRows(of: item.key) where row.action == .delete {
      let request = try QuiverSession.decoded(row.method.schema.input, row.request)
      if request["detach"] == .bool(true) { return true }
    }
    return false
  }

  private func quantities(
    _ components: [SetupComponent]
  ) throws(SessionError) -> [Int64: UInt32] {
    var quantities: [Int64: UInt32] = [:]
    for component in components {
      let key = try self.item(of: component)?.key ?? -1 - component.equipmentID
      quantities[key, default: 0] += max(1, component.quantity)
    }
    return quantities
  }

  private static func decoded(_ bytes: [UInt8]) throws(SessionError) -> BowSetup {
    do throws(DecodeError) {
      return try BowSetup(serializedBytes: bytes)
    } catch {
      throw .unreadable("a bow setup")
    }
  }
}

extension SetupComponent {
  /// The component with the item's current ids and names.
  func naming(_ item: LocalObject) -> SetupComponent {
    var component = self
    if item.serverID != 0 {
      component.equipmentID = item.serverID
    } else {
      component.equipmentClientID = item.clientID
    }
    component.type = QuiverAPI.EquipmentType(rawValue: Int32(clamping: item.kind.number))
    component.displayBrand = item.title
    component.displayModel = item.subtitle
    return component
  }

  func names(_ item: LocalObject) -> Bool {
    if item.serverID != 0 && equipmentID == item.serverID { return true }
    return !item.clientID.isEmpty && equipmentClientID == item.clientID
  }
}

extension Edits {
  /// Stores the fields of a setup that differ from this device's; does nothing if none do.
  func updateSetup(_ key: Int64, to setup: BowSetup) throws(SessionError) {
    let shown = try transaction.setup(key)
    var wanted = try transaction.checked(setup)
    // What is only named otherwise is no change of the components.
    if try transaction.haveSameParts(shown.components, wanted.components),
      let bytes = try transaction.object(key)?.localMessage
    {
      let stored = try decoded(BowSetup.schema.core, bytes)
      var message = try OfflineSession.dynamic(wanted)
      message.set("components", stored["components"] ?? .list([]))
      return try update(key, to: message)
    }
    // A list of the ids of this device's items, so that it is the same before and after a sync.
    wanted.components = wanted.components.map { component in
      var component = component
      component.deleted = false
      return component
    }
    try update(key, to: try OfflineSession.dynamic(wanted))
  }

  /// Adds an item to a setup, or changes its quantity; of a type of which a setup has one item, it
  /// replaces that item.
  func put(
    _ component: SetupComponent, in key: Int64
  ) throws(SessionError) {
    var setup = try transaction.setup(key)
    let isSingle =
      QuiverRules.EquipmentType(rawValue: component.type.rawValue).map { !$0.isMultiple } ?? false
    let place = setup.components.firstIndex { other in
      other.type == component.type
        && (isSingle
          || (other.equipmentID != 0 && other.equipmentID == component.equipmentID)
          || (!other.equipmentClientID.isEmpty
            && other.equipmentClientID == component.equipmentClientID))
    }
    if let place {
      setup.components[place] = component
    } else {
      setup.components.append(component)
    }
    try updateSetup(key, to: setup)
  }

  /// Removes an item from a setup; does nothing if it is not there.
  func remove(_ item: Int64, from key: Int64) throws(SessionError) {
    guard let object = try transaction.object(item) else { return }
    var setup = try transaction.setup(key)
    setup.components.removeAll { $0.names(object) }
    try updateSetup(key, to: setup)
  }
}
