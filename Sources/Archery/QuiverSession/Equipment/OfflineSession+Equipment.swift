public import QuiverAPI
import QuiverProtobuf

/// Items of equipment. Each change is stored on this device first and sent in order.
extension OfflineSession {
  /// Creates an item and returns its local id; assigns a `client_id` if it has none.
  ///
  /// Throws for a value that is not valid, with the path of the field, and above a limit; nothing
  /// is stored then.
  @discardableResult
  public func create<Item: EquipmentItemMessage>(_ item: Item) async throws(SessionError) -> LocalID
  {
    try await edited { (edits) throws(SessionError) in
      LocalID(rawValue: try edits.create(Self.kind(Item.self), Self.dynamic(item)))
    }
  }

  /// Stores the fields that differ from this device's item; does nothing if none do.
  public func update<Item: EquipmentItemMessage>(
    _ id: LocalID, to item: Item
  ) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.update(id.rawValue, to: Self.dynamic(item))
    }
  }

  /// Deletes an item or a setup. `detaches` removes an item from the setups that have it; otherwise
  /// the server refuses to delete such an item.
  public func delete(_ id: LocalID, detaches: Bool = false) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.delete(id.rawValue, detaches: detaches)
    }
  }

  /// Archives or restores an item.
  public func setArchived(_ isArchived: Bool, _ id: LocalID) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.setArchived(isArchived, id.rawValue)
    }
  }

  /// This device's item with its pending changes; nil if it has another type, was deleted, or is
  /// known only from a list.
  public func item<Item: EquipmentItemMessage>(
    _: Item.Type, _ id: LocalID
  ) async throws(SessionError) -> Item? {
    try await object(Item.self, id)
  }

  /// The server's current item with its pending changes; without a connection this device's item.
  ///
  /// Throws if the item can neither be fetched nor is on this device.
  public func open<Item: EquipmentItemMessage>(
    _: Item.Type, _ id: LocalID
  ) async throws(SessionError) -> Item {
    let known = try await store().read { (transaction) throws(SessionError) in
      try transaction.object(id.rawValue)
    }
    guard let known, known.kind.schema === Item.schema.core else {
      throw SessionError(.notFound, "this object no longer exists")
    }
    let failure = await load { (store) throws(SessionError) in
      guard known.serverID != 0 else { return }
      try await self.fetchWhole(known.kind, serverID: known.serverID, store)
    }
    if let failure, !failure.isTransient { throw failure }
    if let item = try await item(Item.self, id) { return item }
    throw failure ?? SessionError(.notFound, "this object no longer exists")
  }

  /// This device's items of a type, newest first.
  public func items(
    of type: EquipmentType, includesArchived: Bool = false
  ) async throws(SessionError) -> [EquipmentListItem] {
    guard let kind = CachedKind.of(type) else { return [] }
    return try await store().read { (transaction) throws(SessionError) in
      try transaction.equipmentItems(kind, includesArchived: includesArchived)
    }
  }

  /// Stores a change, and wakes the sync loop.
  func edited<Result: Sendable>(
    _ body: @escaping @Sendable (Edits) throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    let result = try await store().edit(body)
    wakeups.send([.outbox])
    return result
  }

  /// This device's object, if it is a message of this type.
  func object<Object: Message>(
    _: Object.Type, _ id: LocalID
  ) async throws(SessionError) -> Object? {
    let object = try await store().read { (transaction) throws(SessionError) in
      try transaction.object(id.rawValue)
    }
    guard let object, object.isVisible, object.kind.schema === Object.schema.core,
      let bytes = object.localMessage
    else { return nil }
    do throws(DecodeError) {
      return try Object(serializedBytes: bytes)
    } catch {
      throw .unreadable("a \(object.kind.label)")
    }
  }

  static func kind<Object: Message>(_: Object.Type) throws(SessionError) -> CachedKind {
    guard let kind = CachedKind.of(Object.schema.core) else {
      throw SessionError(.notPossible, "a session keeps no \(Object.schema.core.name)")
    }
    return kind
  }

  static func dynamic<Object: Message>(_ object: Object) throws(SessionError) -> DynamicMessage {
    try decoded(Object.schema.core, object.serializedBytes())
  }
}
