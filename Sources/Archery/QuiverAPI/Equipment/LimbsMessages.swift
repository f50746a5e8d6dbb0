public import QuiverProtobuf

/// A pair of limbs.
public struct Limbs: EquipmentItemMessage {
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
  /// Above 0, at most 200.
  public var poundagePounds: Double?
  public var limbLength = LimbLength.unspecified
  /// Above 0, at most 100.
  public var lengthInches: Double?
  /// At most 200 characters.
  public var material = ""
  /// -100 to 100.
  public var tillerMillimetres: Double?
  /// Days since 1970-01-01, of the years 1 to 9999.
  public var installedOn: Int32?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Limbs",
    .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID), .string(3, "brand", \.brand),
    .string(4, "model", \.model), .string(5, "notes", \.notes),
    .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .int64(7, "updated_at_ms", \.updatedAtMilliseconds), .bool(8, "archived", \.archived),
    .uint64(9, "revision", \.revision), .string(10, "display_brand", \.displayBrand),
    .string(11, "display_model", \.displayModel), .uint32(12, "setup_use_count", \.setupUseCount),
    .optionalDouble(16, "poundage_lb", \.poundagePounds), .enum(17, "limb_length", \.limbLength),
    .optionalDouble(18, "length_in", \.lengthInches), .string(19, "material", \.material),
    .optionalDouble(20, "tiller_mm", \.tillerMillimetres),
    .optionalInt32(21, "installed_on", \.installedOn))

  public static let declaration = EquipmentTypeDeclaration<Self>(
    .limbs, field: "limbs", firstMethodID: 4120)
}

/// How long limbs are, as they are sold.
public struct LimbLength: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let short = Self(rawValue: 1)
  public static let medium = Self(rawValue: 2)
  public static let long = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.LimbLength",
    [
      (0, "LIMB_LENGTH_UNSPECIFIED"), (1, "LIMB_LENGTH_SHORT"), (2, "LIMB_LENGTH_MEDIUM"),
      (3, "LIMB_LENGTH_LONG"),
    ])
}
