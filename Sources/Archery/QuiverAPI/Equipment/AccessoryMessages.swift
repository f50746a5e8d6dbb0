public import QuiverProtobuf

/// An accessory. Lists show name and the type's label. A setup may hold several.
public struct Accessory: EquipmentItemMessage {
  /// From the server.
  public var id: Int64 = 0
  /// A UUIDv7, made by the client; optional; stays as it was made.
  public var clientID: [UInt8] = []
  /// At most 200 characters.
  public var brand = ""
  /// At most 200 characters.
  public var model = ""
  /// At most 4,000 characters.
  public var notes = ""
  /// Since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// Since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0
  public var archived = false
  /// From 1; an update names the one that it read.
  public var revision: UInt64 = 0
  public var displayBrand = ""
  public var displayModel = ""
  /// Setups whose latest version holds it.
  public var setupUseCount: UInt32 = 0
  /// Required, 1 to 200 characters; the ``displayBrand``.
  public var name = ""
  /// Required; its label is the ``displayModel``.
  public var type = AccessoryType.unspecified
  /// At most 200 characters.
  public var purpose = ""
  /// At most 200 characters.
  public var size = ""
  /// At most 200 characters.
  public var thickness = ""
  /// At most 200 characters.
  public var material = ""
  /// At most 200 characters.
  public var travel = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Accessory",
    .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID), .string(3, "brand", \.brand),
    .string(4, "model", \.model), .string(5, "notes", \.notes),
    .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .int64(7, "updated_at_ms", \.updatedAtMilliseconds), .bool(8, "archived", \.archived),
    .uint64(9, "revision", \.revision), .string(10, "display_brand", \.displayBrand),
    .string(11, "display_model", \.displayModel), .uint32(12, "setup_use_count", \.setupUseCount),
    .string(16, "name", \.name), .enum(17, "type", \.type), .string(18, "purpose", \.purpose),
    .string(19, "size", \.size), .string(20, "thickness", \.thickness),
    .string(21, "material", \.material), .string(22, "travel", \.travel))

  public static let declaration = EquipmentTypeDeclaration<Self>(
    .accessory, field: "accessory", firstMethodID: 4184)
}

/// What an accessory is for.
public struct AccessoryType: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let tab = Self(rawValue: 1)
  public static let chestGuard = Self(rawValue: 2)
  public static let quiver = Self(rawValue: 3)
  public static let release = Self(rawValue: 4)
  public static let clicker = Self(rawValue: 5)
  public static let other = Self(rawValue: 6)

  public static let schema = EnumSchema(
    "quiver.v1.AccessoryType",
    [
      (0, "ACCESSORY_TYPE_UNSPECIFIED"), (1, "ACCESSORY_TYPE_TAB"),
      (2, "ACCESSORY_TYPE_CHEST_GUARD"), (3, "ACCESSORY_TYPE_QUIVER"),
      (4, "ACCESSORY_TYPE_RELEASE"), (5, "ACCESSORY_TYPE_CLICKER"), (6, "ACCESSORY_TYPE_OTHER"),
    ])
}
