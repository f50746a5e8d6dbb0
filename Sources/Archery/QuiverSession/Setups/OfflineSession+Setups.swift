public import QuiverAPI
import QuiverProtobuf

/// Bow setups. Each change is stored on this device first and sent in order;
/// ``delete(_:detaches:)`` deletes them too.
extension OfflineSession {
  /// Creates a setup; its components may be items that the server does not have yet.
  ///
  /// Throws the rule that the components break, for example a second riser; nothing is stored then.
  @discardableResult
  public func create(_ setup: BowSetup) async throws(SessionError) -> LocalID {
    try await edited { (edits) throws(SessionError) in
      let setup = try edits.transaction.checked(setup)
      return LocalID(rawValue: try edits.create(Self.kind(BowSetup.self), Self.dynamic(setup)))
    }
  }

  /// Stores the fields that differ from this device's setup; does nothing if none do.
  public func update(_ id: LocalID, to setup: BowSetup) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.updateSetup(id.rawValue, to: setup)
    }
  }

  /// Adds an item to a setup, or changes its quantity. Of a type of which a setup has one item, it
  /// replaces that item.
  public func put(
    _ item: LocalID, in setup: LocalID, quantity: UInt32 = 1
  ) async throws(SessionError) {
    let component = try await self.component(item, quantity: quantity)
    try await edited { (edits) throws(SessionError) in
      try edits.put(component, in: setup.rawValue)
    }
  }

  /// Removes an item from a setup; does nothing if it is not there.
  public func remove(_ item: LocalID, from setup: LocalID) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.remove(item.rawValue, from: setup.rawValue)
    }
  }

  /// Creates a copy of a setup, active and not the default; an empty name becomes the original's
  /// with " (copy)".
  @discardableResult
  public func copySetup(_ id: LocalID, named name: String = "") async throws(SessionError)
    -> LocalID
  {
    try await edited { (edits) throws(SessionError) in
      LocalID(rawValue: try edits.copy(id.rawValue, named: name))
    }
  }

  /// Makes a setup the default in place of the current one.
  public func makeDefault(_ id: LocalID) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in try edits.makeDefault(id.rawValue) }
  }

  /// Deactivates or activates a setup.
  public func setActive(_ isActive: Bool, _ id: LocalID) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.setArchived(!isActive, id.rawValue)
    }
  }

  /// This device's setup with its pending changes and the current names of its components.
  public func setup(_ id: LocalID) async throws(SessionError) -> BowSetup? {
    guard let setup = try await object(BowSetup.self, id) else { return nil }
    return try await store().read { (transaction) throws(SessionError) in
      try transaction.shown(setup)
    }
  }

  /// This device's setups, by name.
  public func setups(includesInactive: Bool = false) async throws(SessionError) -> [SetupListItem] {
    try await store().read { (transaction) throws(SessionError) in
      try transaction.setupItems(includesInactive: includesInactive)
    }
  }

  /// An item as a component of a setup, also before the server has the item.
  public func component(
    _ id: LocalID, quantity: UInt32 = 1
  ) async throws(SessionError) -> SetupComponent {
    let object = try await store().read { (transaction) throws(SessionError) in
      try transaction.object(id.rawValue)
    }
    guard let object, object.isVisible, object.kind.rules != nil else {
      throw SessionError(.notFound, "this is no item of equipment, or is not here any more")
    }
    var component = SetupComponent()
    if object.serverID != 0 {
      component.equipmentID = object.serverID
    } else {
      component.equipmentClientID = object.clientID
    }
    component.type = EquipmentType(rawValue: Int32(clamping: object.kind.number))
    component.quantity = quantity
    component.displayBrand = object.title
    component.displayModel = object.subtitle
    return component
  }
}
