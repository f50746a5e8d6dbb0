public import QuiverAPI
import QuiverProtobuf

/// Bow setups. Each change is kept here at once and sent in its turn; ``delete(_:detaches:)``
/// deletes them too.
extension OfflineSession {
  /// Makes a setup; its components may be items that the server does not know yet.
  @discardableResult
  public func create(_ setup: BowSetup) async throws(SessionError) -> LocalID {
    try await edited { (edits) throws(SessionError) in
      LocalID(rawValue: try edits.create(Self.kind(BowSetup.self), Self.dynamic(setup)))
    }
  }

  /// Changes what differs from the setup as it is here; does nothing where nothing does.
  public func update(_ id: LocalID, to setup: BowSetup) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.update(id.rawValue, to: Self.dynamic(setup))
    }
  }

  /// Makes another setup like one, active and not the default; an empty name is the old one and
  /// " (copy)".
  @discardableResult
  public func copySetup(_ id: LocalID, named name: String = "") async throws(SessionError)
    -> LocalID
  {
    try await edited { (edits) throws(SessionError) in
      LocalID(rawValue: try edits.copy(id.rawValue, named: name))
    }
  }

  /// Makes a setup the default in place of the one that was.
  public func makeDefault(_ id: LocalID) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in try edits.makeDefault(id.rawValue) }
  }

  /// Takes a setup out of lists, or brings it back.
  public func setActive(_ isActive: Bool, _ id: LocalID) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.setArchived(!isActive, id.rawValue)
    }
  }

  /// A setup as it is here, changes that wait included.
  public func setup(_ id: LocalID) async throws(SessionError) -> BowSetup? {
    try await object(BowSetup.self, id)
  }

  /// The setups as they are here, by name.
  public func setups(includesInactive: Bool = false) async throws(SessionError) -> [SetupListItem] {
    try await store().read { (transaction) throws(SessionError) in
      try transaction.setupItems(includesInactive: includesInactive)
    }
  }

  /// An item as a component of a setup, also before the server knows it.
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
