public import QuiverAPI
import QuiverProtobuf

/// Items of equipment. Each change is kept here at once and sent in its turn.
extension OfflineSession {
  /// Makes an item and answers what it is known by here; a `client_id` is made where it has none.
  ///
  /// Throws for a value that cannot be, with the field's path, and where a limit is reached;
  /// nothing is kept then.
  @discardableResult
  public func create<Item: EquipmentItemMessage>(_ item: Item) async throws(SessionError) -> LocalID
  {
    try await edited { (edits) throws(SessionError) in
      LocalID(rawValue: try edits.create(Self.kind(Item.self), Self.dynamic(item)))
    }
  }

  /// Changes what differs from the item as it is here; does nothing where nothing does.
  public func update<Item: EquipmentItemMessage>(
    _ id: LocalID, to item: Item
  ) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.update(id.rawValue, to: Self.dynamic(item))
    }
  }

  /// Deletes an item or a setup. `detaches` takes an item out of the setups that hold it; without,
  /// the server refuses to delete such an item.
  public func delete(_ id: LocalID, detaches: Bool = false) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.delete(id.rawValue, detaches: detaches)
    }
  }

  /// Puts an item away or brings it back.
  public func setArchived(_ isArchived: Bool, _ id: LocalID) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.setArchived(isArchived, id.rawValue)
    }
  }

  /// An item as it is here, changes that wait included; nil where it is of another type, is gone,
  /// or has only been seen in a list.
  public func item<Item: EquipmentItemMessage>(
    _: Item.Type, _ id: LocalID
  ) async throws(SessionError) -> Item? {
    try await object(Item.self, id)
  }

  /// An item as the server has it by now, with changes that wait; off line as it is here.
  ///
  /// Throws where it can neither be asked for nor is it here.
  public func open<Item: EquipmentItemMessage>(
    _: Item.Type, _ id: LocalID
  ) async throws(SessionError) -> Item {
    let known = try await store().read { (transaction) throws(SessionError) in
      try transaction.object(id.rawValue)
    }
    guard let known, known.kind.schema === Item.schema.core else {
      throw SessionError(.notFound, "this is not here any more")
    }
    let failure = await load { (store) throws(SessionError) in
      guard known.serverID != 0 else { return }
      try await self.fetchWhole(known.kind, serverID: known.serverID, store)
    }
    if let failure, !failure.isTransient { throw failure }
    if let item = try await item(Item.self, id) { return item }
    throw failure ?? SessionError(.notFound, "this is not here any more")
  }

  /// The items of a type as they are here, newest first.
  public func items(
    of type: EquipmentType, includesArchived: Bool = false
  ) async throws(SessionError) -> [EquipmentListItem] {
    guard let kind = CachedKind.of(type) else { return [] }
    return try await store().read { (transaction) throws(SessionError) in
      try transaction.equipmentItems(kind, includesArchived: includesArchived)
    }
  }

  /// Makes a change, and has it sent soon.
  func edited<Result: Sendable>(
    _ body: @escaping @Sendable (Edits) throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    let result = try await store().edit(body)
    wakeups.send([.outbox])
    return result
  }

  /// An object as it is here, if it is one of those messages.
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
