public import QuiverProtobuf

/// Asks for a new item.
public struct CreateItemRequest<Item: EquipmentItemMessage>: Message {
  /// What to make; what the server sets, and `archived`, is not read.
  public var item: Item?

  public init() {}

  public static var schema: Schema<Self> { Item.declaration.create }
}

/// Asks for an item by its id or by its client_id.
public struct GetItemRequest<Item: EquipmentItemMessage>: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []

  public init() {}

  public static var schema: Schema<Self> { Item.declaration.get }
}

/// Changes the fields of an item that the mask names.
public struct UpdateItemRequest<Item: EquipmentItemMessage>: Message {
  /// Names its id (or client_id) and the revision that was read.
  public var item: Item?
  /// Names of fields as in the `.proto` file; a field named and absent is cleared.
  public var updateMask: [String] = []

  public init() {}

  public static var schema: Schema<Self> { Item.declaration.update }
}

/// Deletes an item by its id or by its client_id.
public struct DeleteItemRequest<Item: EquipmentItemMessage>: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0
  /// Removes it from the bow setups that contain it, each as a new version; otherwise such an item
  /// is not deleted.
  public var detach = false

  public init() {}

  public static var schema: Schema<Self> { Item.declaration.delete }
}

/// The item was deleted.
public struct DeleteItemResponse<Item: EquipmentItemMessage>: Message {
  public init() {}

  public static var schema: Schema<Self> { Item.declaration.deleteResponse }
}

/// Archives an item: lists leave it out unless they ask for it; setups keep it.
public struct ArchiveItemRequest<Item: EquipmentItemMessage>: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static var schema: Schema<Self> { Item.declaration.archive }
}

/// Restores an archived item.
public struct RestoreItemRequest<Item: EquipmentItemMessage>: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static var schema: Schema<Self> { Item.declaration.restore }
}
