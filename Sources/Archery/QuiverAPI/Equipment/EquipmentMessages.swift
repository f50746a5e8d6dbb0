public import QuiverProtobuf

/// Asks for a page of equipment.
public struct ListItemsRequest: Message {
  /// Unspecified: all types.
  public var type = EquipmentType.unspecified
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before; bound to type, ``includeArchived`` and principal.
  public var pageToken = ""
  public var includeArchived = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListItemsRequest", .enum(1, "type", \.type), .uint32(2, "page_size", \.pageSize),
    .string(3, "page_token", \.pageToken), .bool(4, "include_archived", \.includeArchived))
}

/// A page of equipment, newest first.
public struct ListItemsResponse: Message {
  public var items: [EquipmentItem] = []
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListItemsResponse", .messages(1, "items", \.items),
    .string(2, "next_page_token", \.nextPageToken))
}

/// One item of equipment as lists show it.
public struct EquipmentItem: Message {
  public var id: Int64 = 0
  public var type = EquipmentType.unspecified
  public var displayBrand = ""
  public var displayModel = ""
  public var archived = false
  public var clientID: [UInt8] = []
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EquipmentItem", .int64(1, "id", \.id), .enum(2, "type", \.type),
    .string(3, "display_brand", \.displayBrand), .string(4, "display_model", \.displayModel),
    .bool(5, "archived", \.archived), .bytes(6, "client_id", \.clientID),
    .uint64(7, "revision", \.revision))
}

/// What an item of equipment is.
public struct EquipmentType: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let riser = Self(rawValue: 1)
  public static let limbs = Self(rawValue: 2)
  public static let sight = Self(rawValue: 3)
  public static let rest = Self(rawValue: 4)
  public static let plunger = Self(rawValue: 5)
  public static let bowString = Self(rawValue: 6)
  public static let stabilizer = Self(rawValue: 7)
  public static let weight = Self(rawValue: 8)
  public static let arrow = Self(rawValue: 9)
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
