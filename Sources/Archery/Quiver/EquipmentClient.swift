public import QuiverAPI
public import QuiverClient
public import QuiverRPC

/// Calls the six methods of one type of equipment:
/// `client.equipment.risers.create(.with { $0.brand = "Hoyt" })`.
public struct EquipmentClient<Item: EquipmentItemMessage>: Sendable {
  /// The client that makes the calls.
  public let client: RPCClient
  /// The methods of the type.
  public let methods: EquipmentMethods<Item>

  /// Creates a client of one type of equipment.
  public init(_ client: RPCClient, _ methods: EquipmentMethods<Item> = Item.methods) {
    self.client = client
    self.methods = methods
  }

  /// Creates an item; the server sets its id, its revision and both times.
  public func create(
    _ item: Item, options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Item {
    try await client.call(methods.create, .with { $0.item = item }, options: options)
  }

  /// Returns an item by its id.
  public func get(
    _ id: Int64, options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Item {
    try await client.call(methods.get, .with { $0.id = id }, options: options)
  }

  /// Returns an item by its client id, a UUIDv7.
  public func get(
    clientID: [UInt8], options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Item {
    try await client.call(methods.get, .with { $0.clientID = clientID }, options: options)
  }

  /// Changes fields of an item.
  ///
  /// Throws ABORTED if the item has another revision.
  ///
  /// - Parameters:
  ///   - item: the item as it was read, with the new values.
  ///   - fields: the names of the changed fields, as in the `.proto` file; a field that is named
  ///     and has its default value is cleared.
  ///   - options: the options of the call.
  public func update(
    _ item: Item, fields: [String], options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Item {
    let request = UpdateItemRequest<Item>.with {
      $0.item = item
      $0.updateMask = fields
    }
    return try await client.call(methods.update, request, options: options)
  }

  /// Deletes an item.
  ///
  /// Throws ABORTED if the item has another revision, and FAILED_PRECONDITION if bow setups contain
  /// it and `detach` is false.
  ///
  /// - Parameters:
  ///   - item: the item as it was read.
  ///   - detach: removes the item from the setups that contain it.
  ///   - options: the options of the call.
  public func delete(
    _ item: Item, detach: Bool = false, options: CallOptions = CallOptions()
  ) async throws(RPCError) {
    let request = DeleteItemRequest<Item>.with {
      $0.id = item.id
      $0.revision = item.revision
      $0.detach = detach
    }
    _ = try await client.call(methods.delete, request, options: options)
  }

  /// Archives an item: lists omit it unless they include archived items, setups keep it.
  ///
  /// Throws ABORTED if the item has another revision.
  public func archive(
    _ item: Item, options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Item {
    let request = ArchiveItemRequest<Item>.with {
      $0.id = item.id
      $0.revision = item.revision
    }
    return try await client.call(methods.archive, request, options: options)
  }

  /// Restores an archived item.
  ///
  /// Throws ABORTED if the item has another revision.
  public func restore(
    _ item: Item, options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Item {
    let request = RestoreItemRequest<Item>.with {
      $0.id = item.id
      $0.revision = item.revision
    }
    return try await client.call(methods.restore, request, options: options)
  }
}

extension ServiceClient where Service == Equipment {
  /// Watches the items of one type, or of all: a list, then its changes.
  public func watchItems(
    of type: EquipmentType = .unspecified, includeArchived: Bool = false,
    options: CallOptions = CallOptions()
  ) -> ResumingStream<WatchItemsResponse> {
    let request = WatchItemsRequest.with {
      $0.type = type
      $0.includeArchived = includeArchived
    }
    return client.watch(Equipment.methods.watchItems, request, options: options)
  }
}
