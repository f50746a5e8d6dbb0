public import QuiverProtobuf

/// Requests the number of items of each type.
public struct GetHubRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.GetHubRequest")
}

/// The number of items of each type, in one snapshot.
public struct GetHubResponse: Message {
  /// All three groups, in the hub's order.
  public var groups: [HubGroup] = []
  /// The number of items of all types, without archived ones.
  public var total: UInt32 = 0
  /// The number of archived items of all types.
  public var archivedTotal: UInt32 = 0
  /// The number of active bow setups.
  public var setupCount: UInt32 = 0
  /// The number of inactive bow setups.
  public var inactiveSetupCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetHubResponse", .messages(1, "groups", \.groups), .uint32(2, "total", \.total),
    .uint32(3, "archived_total", \.archivedTotal), .uint32(4, "setup_count", \.setupCount),
    .uint32(5, "inactive_setup_count", \.inactiveSetupCount))
}

/// One of the three groups of types.
public struct HubGroup: Message {
  /// The group.
  public var group = EquipmentGroup.unspecified
  /// The English name of the group, for example "Bow components".
  public var label = ""
  /// The counts of every type of the group, in the hub's order.
  public var counts: [HubCount] = []
  /// The number of items in the group, without archived ones.
  public var total: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HubGroup", .enum(1, "group", \.group), .string(2, "label", \.label),
    .messages(3, "counts", \.counts), .uint32(4, "total", \.total))
}

/// The number of items of one type.
public struct HubCount: Message {
  /// The type.
  public var type = EquipmentType.unspecified
  /// The English name of one item, for example "Arrow Set".
  public var label = ""
  /// The English name of several items, for example "Arrows".
  public var pluralLabel = ""
  /// The number of items, without archived and deleted ones.
  public var count: UInt32 = 0
  /// The number of archived items.
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

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Riser, limbs, sight, rest and plunger.
  public static let bowComponents = Self(rawValue: 1)
  /// Bow string, stabilizer and weight.
  public static let stringAndStabilization = Self(rawValue: 2)
  /// Arrows and accessories.
  public static let arrowsAndAccessories = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.EquipmentGroup",
    [
      (0, "EQUIPMENT_GROUP_UNSPECIFIED"), (1, "EQUIPMENT_GROUP_BOW_COMPONENTS"),
      (2, "EQUIPMENT_GROUP_STRING_AND_STABILIZATION"),
      (3, "EQUIPMENT_GROUP_ARROWS_AND_ACCESSORIES"),
    ])
}
