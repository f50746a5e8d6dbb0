public import QuiverProtobuf

/// A stabilizer. A setup may hold several.
public struct Stabilizer: EquipmentItemMessage {
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
  /// Above 0, at most 100.
  public var lengthInches: Double?
  /// 0 to 100,000.
  public var weightGrams: Double?
  /// 1 to 10; a new one begins with 5.
  public var straightness: UInt32?
  public var position = StabilizerPosition.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Stabilizer",
    .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID), .string(3, "brand", \.brand),
    .string(4, "model", \.model), .string(5, "notes", \.notes),
    .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .int64(7, "updated_at_ms", \.updatedAtMilliseconds), .bool(8, "archived", \.archived),
    .uint64(9, "revision", \.revision), .string(10, "display_brand", \.displayBrand),
    .string(11, "display_model", \.displayModel), .uint32(12, "setup_use_count", \.setupUseCount),
    .optionalDouble(16, "length_in", \.lengthInches),
    .optionalDouble(17, "weight_g", \.weightGrams),
    .optionalUint32(18, "straightness", \.straightness), .enum(19, "position", \.position))

  public static let declaration = EquipmentTypeDeclaration<Self>(
    .stabilizer, field: "stabilizer", firstMethodID: 4160)
}

/// Where a stabilizer is mounted.
public struct StabilizerPosition: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let long = Self(rawValue: 1)
  public static let side = Self(rawValue: 2)
  public static let extender = Self(rawValue: 3)
  public static let vbar = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.StabilizerPosition",
    [
      (0, "STABILIZER_POSITION_UNSPECIFIED"), (1, "STABILIZER_POSITION_LONG"),
      (2, "STABILIZER_POSITION_SIDE"), (3, "STABILIZER_POSITION_EXTENDER"),
      (4, "STABILIZER_POSITION_VBAR"),
    ])
}
