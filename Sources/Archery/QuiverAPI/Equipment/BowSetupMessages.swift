public import QuiverProtobuf

/// Items of equipment that are used together, in one of the setup's versions.
///
/// A change of components creates a version, which never changes afterwards. A change of name,
/// notes or state does not create one. A principal has at most 500 setups, and a setup at most
/// 1,000 versions.
public struct BowSetup: Message {
  /// The id of the bow setup, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the bow setup; empty if none. It is unique per
  /// principal, cannot be changed, and can be used wherever the id can.
  public var clientID: [UInt8] = []
  /// The name; at most 200 characters, trimmed. A setup without a name is shown as "Unnamed setup".
  /// A name of only white space is INVALID_ARGUMENT.
  public var name = ""
  /// Free text of the owner; at most 4,000 characters.
  public var notes = ""
  /// Whether lists include the setup. Nil in a request to create one means active; replies always
  /// have it.
  public var isActive: Bool?
  /// Whether it is the default setup. At most one setup is the default, and it is active. If
  /// another setup is the default, creating or updating one as the default is FAILED_PRECONDITION;
  /// use `setDefaultBowSetup`.
  public var isDefault = false
  /// The version that this message shows, from 1.
  public var version: UInt32 = 0
  /// The items of the version: at most 50, each item once, and at most one riser, limbs, sight,
  /// rest, plunger, bow string and arrow. A second one is INVALID_ARGUMENT with its path, for
  /// example `bow_setup.components[3]`. Replies list them in the hub's order of types, and within a
  /// type in the given order.
  public var components: [SetupComponent] = []
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// The time of the last change, in milliseconds since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0
  /// The revision of the object, from 1; each change increments it. An update names the revision
  /// that it read; if the object has another one, the update is ABORTED with the current object as
  /// a detail.
  public var revision: UInt64 = 0
  /// The time when the version was created, in milliseconds since 1970-01-01 UTC.
  public var versionMadeAtMilliseconds: Int64 = 0
  /// The number of the latest version.
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

/// One item of equipment in a setup. It may be archived.
public struct SetupComponent: Message {
  /// The id of the item; in a request this or ``equipmentClientID``. Replies have both.
  public var equipmentID: Int64 = 0
  /// The client id of the item; empty if none.
  public var equipmentClientID: [UInt8] = []
  /// The type of the item. A request may omit it; a type other than the item's is INVALID_ARGUMENT.
  public var type = EquipmentType.unspecified
  /// The number of these items, at most 1,000; 0 means 1. It is 1 for the seven types that occur
  /// once.
  public var quantity: UInt32 = 0
  /// The first text that lists show for the item; set by the server.
  public var displayBrand = ""
  /// The second text that lists show for the item; set by the server.
  public var displayModel = ""
  /// Whether the item was deleted; only versions that contain it still show it. Set by the server.
  public var deleted = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetupComponent", .int64(1, "equipment_id", \.equipmentID),
    .bytes(2, "equipment_client_id", \.equipmentClientID), .enum(3, "type", \.type),
    .uint32(4, "quantity", \.quantity), .string(5, "display_brand", \.displayBrand),
    .string(6, "display_model", \.displayModel), .bool(7, "deleted", \.deleted))
}

/// A bow setup as lists show it.
public struct BowSetupItem: Message {
  /// The id of the bow setup, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the bow setup; empty if none.
  public var clientID: [UInt8] = []
  /// The name; empty if it has none.
  public var name = ""
  /// Whether the setup is active.
  public var isActive = false
  /// Whether it is the default setup.
  public var isDefault = false
  /// The number of the latest version.
  public var version: UInt32 = 0
  /// The number of components in the latest version.
  public var componentCount: UInt32 = 0
  /// The revision of the object, from 1; each change increments it. An update names the revision
  /// that it read; if the object has another one, the update is ABORTED with the current object as
  /// a detail.
  public var revision: UInt64 = 0
  /// The time of the last change, in milliseconds since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BowSetupItem", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .string(3, "name", \.name), .bool(4, "is_active", \.isActive),
    .bool(5, "is_default", \.isDefault), .uint32(6, "version", \.version),
    .uint32(7, "component_count", \.componentCount), .uint64(8, "revision", \.revision),
    .int64(9, "updated_at_ms", \.updatedAtMilliseconds))
}

/// A detail of FAILED_PRECONDITION: the setups because of which an item of equipment cannot be
/// deleted.
public struct HeldBySetups: Message {
  /// The first 50 setups whose latest version contains the item, by id.
  public var setups: [HoldingSetup] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HeldBySetups", .messages(1, "setups", \.setups))
}

/// A setup that contains an item.
public struct HoldingSetup: Message {
  /// The id of the bow setup.
  public var id: Int64 = 0
  /// The name of the bow setup; empty if it has none.
  public var name = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HoldingSetup", .int64(1, "id", \.id), .string(2, "name", \.name))
}
