public import QuiverProtobuf

/// Asks how much equipment there is.
public struct GetHubRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.GetHubRequest")
}

/// How much equipment of each type there is, in one snapshot.
public struct GetHubResponse: Message {
  /// All three, in the hub's order.
  public var groups: [HubGroup] = []
  /// Items of all types, without archived ones.
  public var total: UInt32 = 0
  public var archivedTotal: UInt32 = 0
  /// Active bow setups.
  public var setupCount: UInt32 = 0
  public var inactiveSetupCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetHubResponse", .messages(1, "groups", \.groups), .uint32(2, "total", \.total),
    .uint32(3, "archived_total", \.archivedTotal), .uint32(4, "setup_count", \.setupCount),
    .uint32(5, "inactive_setup_count", \.inactiveSetupCount))
}

/// One of the groups under which the hub shows the types.
public struct HubGroup: Message {
  public var group = EquipmentGroup.unspecified
  /// In English, as in "Bow components".
  public var label = ""
  /// Every type of the group, in the hub's order.
  public var counts: [HubCount] = []
  /// Without archived ones.
  public var total: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HubGroup", .enum(1, "group", \.group), .string(2, "label", \.label),
    .messages(3, "counts", \.counts), .uint32(4, "total", \.total))
}

/// How many items of one type there are.
public struct HubCount: Message {
  public var type = EquipmentType.unspecified
  /// In English, of one item, as in "Arrow Set".
  public var label = ""
  /// As in "Arrows".
  public var pluralLabel = ""
  /// Without archived ones; what was deleted counts nowhere.
  public var count: UInt32 = 0
  public var archivedCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HubCount", .enum(1, "type", \.type), .string(2, "label", \.label),
    .string(3, "plural_label", \.pluralLabel), .uint32(4, "count", \.count),
    .uint32(5, "archived_count", \.archivedCount))
}

/// The three groups of the hub.
public struct EquipmentGroup: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let bowComponents = Self(rawValue: 1)
  public static let stringAndStabilization = Self(rawValue: 2)
  public static let arrowsAndAccessories = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.EquipmentGroup",
    [
      (0, "EQUIPMENT_GROUP_UNSPECIFIED"), (1, "EQUIPMENT_GROUP_BOW_COMPONENTS"),
      (2, "EQUIPMENT_GROUP_STRING_AND_STABILIZATION"),
      (3, "EQUIPMENT_GROUP_ARROWS_AND_ACCESSORIES"),
    ])
}
