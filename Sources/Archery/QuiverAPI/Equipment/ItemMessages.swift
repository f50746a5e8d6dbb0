public import QuiverProtobuf

/// Requests a new item.
public struct CreateItemRequest<Item: EquipmentItemMessage>: Message {
  /// The fields of the item. The server ignores ``EquipmentItemMessage/archived`` and the fields
  /// that it sets itself.
  public var item: Item?

  public init() {}

  public static var schema: Schema<Self> { Item.declaration.create }
}

/// Requests an item by its id or by its client id.
public struct GetItemRequest<Item: EquipmentItemMessage>: Message {
  /// The id of the item of equipment; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the item of equipment; empty if ``id`` names it.
  public var clientID: [UInt8] = []

  public init() {}

  public static var schema: Schema<Self> { Item.declaration.get }
}

/// Changes the fields of an item that the mask names.
public struct UpdateItemRequest<Item: EquipmentItemMessage>: Message {
  /// The new values, with the id (or the client id) and the revision that was read.
  public var item: Item?
  /// The proto names of the fields to change, for example `grip_type`. A named field that is absent
  /// is cleared.
  public var updateMask: [String] = []

  public init() {}

  public static var schema: Schema<Self> { Item.declaration.update }
}

/// Deletes an item by its id or by its client id.
public struct DeleteItemRequest<Item: EquipmentItemMessage>: Message {
  /// The id of the item of equipment; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the item of equipment; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
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

/// Archives an item.
public struct ArchiveItemRequest<Item: EquipmentItemMessage>: Message {
  /// The id of the item of equipment; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the item of equipment; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static var schema: Schema<Self> { Item.declaration.archive }
}

/// Restores an archived item.
public struct RestoreItemRequest<Item: EquipmentItemMessage>: Message {
  /// The id of the item of equipment; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the item of equipment; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static var schema: Schema<Self> { Item.declaration.restore }
}
