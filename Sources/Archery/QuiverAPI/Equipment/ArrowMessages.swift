public import QuiverProtobuf

/// A set of arrows that are alike.
public struct Arrow: EquipmentItemMessage {
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
  /// 1 to 5,000.
  public var spine: UInt32?
  /// Above 0, at most 100.
  public var lengthInches: Double?
  /// 0 to 10,000.
  public var weightGrains: Double?
  /// Above 0, at most 50.
  public var diameterMillimetres: Double?
  /// 1 to 10,000; a new set begins with 1.
  public var quantity: UInt32?
  /// At most 200 characters.
  public var identifier = ""
  /// At most 200 characters.
  public var pointBrand = ""
  /// At most 200 characters.
  public var pointName = ""
  /// 0 to 10,000.
  public var pointWeightGrains: Double?
  /// At most 200 characters.
  public var nockBrand = ""
  /// At most 200 characters.
  public var nockName = ""
  /// At most 200 characters.
  public var nockSize = ""
  /// 0 to 10,000.
  public var nockWeightGrains: Double?
  /// At most 200 characters.
  public var vanes = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Arrow",
    .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID), .string(3, "brand", \.brand),
    .string(4, "model", \.model), .string(5, "notes", \.notes),
    .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .int64(7, "updated_at_ms", \.updatedAtMilliseconds), .bool(8, "archived", \.archived),
    .uint64(9, "revision", \.revision), .string(10, "display_brand", \.displayBrand),
    .string(11, "display_model", \.displayModel), .uint32(12, "setup_use_count", \.setupUseCount),
    .optionalUint32(16, "spine", \.spine), .optionalDouble(17, "length_in", \.lengthInches),
    .optionalDouble(18, "weight_gr", \.weightGrains),
    .optionalDouble(19, "diameter_mm", \.diameterMillimetres),
    .optionalUint32(20, "quantity", \.quantity), .string(21, "identifier", \.identifier),
    .string(22, "point_brand", \.pointBrand), .string(23, "point_name", \.pointName),
    .optionalDouble(24, "point_weight_gr", \.pointWeightGrains),
    .string(25, "nock_brand", \.nockBrand), .string(26, "nock_name", \.nockName),
    .string(27, "nock_size", \.nockSize), .optionalDouble(28, "nock_weight_gr", \.nockWeightGrains),
    .string(29, "vanes", \.vanes))

  public static let declaration = EquipmentTypeDeclaration<Self>(
    .arrow, field: "arrow", firstMethodID: 4176)
}
