public import QuiverProtobuf

/// Requests a page of items of equipment.
public struct ListItemsRequest: Message {
  /// Only items of this type; unspecified: of all types.
  public var type = EquipmentType.unspecified
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same type, ``includeArchived`` and principal.
  public var pageToken = ""
  /// Whether archived items are included.
  public var includeArchived = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListItemsRequest", .enum(1, "type", \.type), .uint32(2, "page_size", \.pageSize),
    .string(3, "page_token", \.pageToken), .bool(4, "include_archived", \.includeArchived))
}

/// A page of items of equipment, newest first.
public struct ListItemsResponse: Message {
  /// The items of the page.
  public var items: [EquipmentItem] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListItemsResponse", .messages(1, "items", \.items),
    .string(2, "next_page_token", \.nextPageToken))
}

/// An item of equipment as lists show it.
public struct EquipmentItem: Message {
  /// The id of the item, assigned by the server.
  public var id: Int64 = 0
  /// The type of the item.
  public var type = EquipmentType.unspecified
  /// The first text that lists show for the item.
  public var displayBrand = ""
  /// The second text that lists show for the item.
  public var displayModel = ""
  /// Whether the item is archived.
  public var archived = false
  /// The UUIDv7 (16 bytes) that the client made for the item; empty if none.
  public var clientID: [UInt8] = []
  /// The revision of the object, from 1; each change increments it. An update names the revision
  /// that it read; if the object has another one, the update is ABORTED with the current object as
  /// a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EquipmentItem", .int64(1, "id", \.id), .enum(2, "type", \.type),
    .string(3, "display_brand", \.displayBrand), .string(4, "display_model", \.displayModel),
    .bool(5, "archived", \.archived), .bytes(6, "client_id", \.clientID),
    .uint64(7, "revision", \.revision))
}

/// A type of equipment, in the hub's order.
///
/// A bow setup may contain several stabilizers, weights and accessories, and one item of each other
/// type.
public struct EquipmentType: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// The handle of a recurve bow; group "Bow components".
  public static let riser = Self(rawValue: 1)
  /// A pair of limbs; group "Bow components".
  public static let limbs = Self(rawValue: 2)
  /// A sight; group "Bow components".
  public static let sight = Self(rawValue: 3)
  /// An arrow rest; group "Bow components".
  public static let rest = Self(rawValue: 4)
  /// A plunger; group "Bow components".
  public static let plunger = Self(rawValue: 5)
  /// A bow string; group "String & stabilization".
  public static let bowString = Self(rawValue: 6)
  /// A stabilizer; group "String & stabilization".
  public static let stabilizer = Self(rawValue: 7)
  /// A weight; group "String & stabilization".
  public static let weight = Self(rawValue: 8)
  /// A set of arrows; group "Arrows & accessories".
  public static let arrow = Self(rawValue: 9)
  /// An accessory, for example a tab; group "Arrows & accessories".
  public static let accessory = Self(rawValue: 10)

  public static let schema = EnumSchema(
    "quiver.v1.EquipmentType",
    [
      (0, "EQUIPMENT_TYPE_UNSPECIFIED"), (1, "EQUIPMENT_TYPE_RISER"),
      (2, "EQUIPMENT_TYPE_LIMBS"), (3, "EQUIPMENT_TYPE_SIGHT"), (4, "EQUIPMENT_TYPE_REST"),
      (5, "EQUIPMENT_TYPE_PLUNGER"), (6, "EQUIPMENT_TYPE_BOW_STRING"),
      (7, "EQUIPMENT_TYPE_STABILIZER"), (8, "EQUIPMENT_TYPE_WEIGHT"),
      (9, "EQUIPMENT_TYPE_ARROW"), (10, "EQUIPMENT_TYPE_ACCESSORY"),
    ])
}
