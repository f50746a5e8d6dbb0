public import QuiverProtobuf

/// A bow string. Lists show maker and string_type.
public struct BowString: EquipmentItemMessage {
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
  public var maker = ""
  /// Required, 1 to 200 characters; the ``displayModel``.
  public var stringType = ""
  /// At most 200 characters.
  public var material = ""
  /// 1 to 200.
  public var strandCount: UInt32?
  /// At most 200 characters.
  public var servingMaterial = ""
  /// Above 0, at most 100.
  public var lengthInches: Double?
  /// 0 to 1,000.
  public var twists: UInt32?
  /// Days since 1970-01-01, of the years 1 to 9999.
  public var installedOn: Int32?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BowString",
    .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID), .string(3, "brand", \.brand),
    .string(4, "model", \.model), .string(5, "notes", \.notes),
    .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .int64(7, "updated_at_ms", \.updatedAtMilliseconds), .bool(8, "archived", \.archived),
    .uint64(9, "revision", \.revision), .string(10, "display_brand", \.displayBrand),
    .string(11, "display_model", \.displayModel), .uint32(12, "setup_use_count", \.setupUseCount),
    .string(16, "maker", \.maker), .string(17, "string_type", \.stringType),
    .string(18, "material", \.material), .optionalUint32(19, "strand_count", \.strandCount),
    .string(20, "serving_material", \.servingMaterial),
    .optionalDouble(21, "length_in", \.lengthInches), .optionalUint32(22, "twists", \.twists),
    .optionalInt32(23, "installed_on", \.installedOn))

  public static let declaration = EquipmentTypeDeclaration<Self>(
    .bowString, field: "bow_string", firstMethodID: 4152)
}
