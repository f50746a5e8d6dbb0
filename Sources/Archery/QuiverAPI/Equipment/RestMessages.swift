public import QuiverProtobuf

/// An arrow rest.
public struct Rest: EquipmentItemMessage {
  /// From the server.
  public var id: Int64 = 0
  /// A UUIDv7, made by the client; optional; stays as it was made.
  public var clientID: [UInt8] = []
  /// Required, 1 to 200 characters.
  public var brand = ""
  /// Required, 1 to 200 characters.
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
  public var type = RestType.unspecified
  /// -200 to 200; up is positive.
  public var verticalPositionMillimetres: Double?
  /// -200 to 200; away from the riser is positive.
  public var horizontalPositionMillimetres: Double?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Rest",
    .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID), .string(3, "brand", \.brand),
    .string(4, "model", \.model), .string(5, "notes", \.notes),
    .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .int64(7, "updated_at_ms", \.updatedAtMilliseconds), .bool(8, "archived", \.archived),
    .uint64(9, "revision", \.revision), .string(10, "display_brand", \.displayBrand),
    .string(11, "display_model", \.displayModel), .uint32(12, "setup_use_count", \.setupUseCount),
    .enum(16, "type", \.type),
    .optionalDouble(17, "vertical_position_mm", \.verticalPositionMillimetres),
    .optionalDouble(18, "horizontal_position_mm", \.horizontalPositionMillimetres))

  public static let declaration = EquipmentTypeDeclaration<Self>(
    .rest, field: "rest", firstMethodID: 4136)
}

/// How a rest holds the arrow.
public struct RestType: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let magnetic = Self(rawValue: 1)
  public static let flipper = Self(rawValue: 2)
  public static let blade = Self(rawValue: 3)
  public static let dropAway = Self(rawValue: 4)
  public static let other = Self(rawValue: 5)

  public static let schema = EnumSchema(
    "quiver.v1.RestType",
    [
      (0, "REST_TYPE_UNSPECIFIED"), (1, "REST_TYPE_MAGNETIC"), (2, "REST_TYPE_FLIPPER"),
      (3, "REST_TYPE_BLADE"), (4, "REST_TYPE_DROP_AWAY"), (5, "REST_TYPE_OTHER"),
    ])
}
