public import QuiverProtobuf

/// Items of equipment that are shot together, in one of its versions.
///
/// A change of components makes a new version, which never changes afterwards.
public struct BowSetup: Message {
  /// From the server.
  public var id: Int64 = 0
  /// A UUIDv7, made by the client; optional; stays as it was made.
  public var clientID: [UInt8] = []
  /// At most 200 characters; one without a name is shown as "Unnamed setup".
  public var name = ""
  /// At most 4,000 characters.
  public var notes = ""
  /// Nil in a new one: active. An answer always says.
  public var isActive: Bool?
  /// One setup at most, and an active one.
  public var isDefault = false
  /// From 1; the one that this message shows.
  public var version: UInt32 = 0
  /// At most 50, each item once, in the hub's order of types.
  public var components: [SetupComponent] = []
  /// Since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// Since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0
  /// From 1; an update names the one that it read.
  public var revision: UInt64 = 0
  /// Since 1970-01-01 UTC.
  public var versionMadeAtMilliseconds: Int64 = 0
  public var latestVersion: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BowSetup", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .string(3, "name", \.name), .string(4, "notes", \.notes),
    .optionalBool(5, "is_active", \.isActive), .bool(6, "is_default", \.isDefault),
    .uint32(7, "version", \.version), .messages(8, "components", \.components),
    .int64(9, "created_at_ms", \.createdAtMilliseconds),
    .int64(10, "updated_at_ms", \.updatedAtMilliseconds), .uint64(11, "revision", \.revision),
    .int64(12, "version_made_at_ms", \.versionMadeAtMilliseconds),
    .uint32(13, "latest_version", \.latestVersion))
}

/// One item of equipment in a setup.
public struct SetupComponent: Message {
  /// Or ``equipmentClientID``; both are answered.
  public var equipmentID: Int64 = 0
  public var equipmentClientID: [UInt8] = []
  /// Unspecified: whatever the item is.
  public var type = EquipmentType.unspecified
  /// 0: 1; at most 1,000; 1 for the seven single types.
  public var quantity: UInt32 = 0
  /// From the server.
  public var displayBrand = ""
  /// From the server.
  public var displayModel = ""
  /// The item is gone by now, and only versions that held it show it.
  public var deleted = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetupComponent", .int64(1, "equipment_id", \.equipmentID),
    .bytes(2, "equipment_client_id", \.equipmentClientID), .enum(3, "type", \.type),
    .uint32(4, "quantity", \.quantity), .string(5, "display_brand", \.displayBrand),
    .string(6, "display_model", \.displayModel), .bool(7, "deleted", \.deleted))
}

/// What lists show of a setup.
public struct BowSetupItem: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  public var name = ""
  public var isActive = false
  public var isDefault = false
  /// The latest.
  public var version: UInt32 = 0
  public var componentCount: UInt32 = 0
  public var revision: UInt64 = 0
  /// Since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BowSetupItem", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .string(3, "name", \.name), .bool(4, "is_active", \.isActive),
    .bool(5, "is_default", \.isDefault), .uint32(6, "version", \.version),
    .uint32(7, "component_count", \.componentCount), .uint64(8, "revision", \.revision),
    .int64(9, "updated_at_ms", \.updatedAtMilliseconds))
}

/// A detail of FAILED_PRECONDITION: why an item of equipment cannot be deleted.
public struct HeldBySetups: Message {
  /// The first 50 whose latest version holds it, by id.
  public var setups: [HoldingSetup] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HeldBySetups", .messages(1, "setups", \.setups))
}

/// One setup that holds an item.
public struct HoldingSetup: Message {
  public var id: Int64 = 0
  public var name = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HoldingSetup", .int64(1, "id", \.id), .string(2, "name", \.name))
}
