public import QuiverProtobuf

/// A set of equal arrows.
public struct Arrow: EquipmentItemMessage {
  /// The id of the arrow, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the arrow; empty if none. It is unique per
  /// principal, cannot be changed, and can be used wherever the id can.
  public var clientID: [UInt8] = []
  /// The manufacturer or brand; required, 1 to 200 characters.
  public var brand = ""
  /// The model; required, 1 to 200 characters.
  public var model = ""
  /// Free text of the owner; at most 4,000 characters.
  public var notes = ""
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// The time of the last change, in milliseconds since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0
  /// Whether the item is archived. Lists omit archived items unless the request includes them.
  public var archived = false
  /// The revision of the object, from 1; each change increments it. An update names the revision
  /// that it read; if the object has another one, the update is ABORTED with the current object as
  /// a detail.
  public var revision: UInt64 = 0
  /// The first text that lists show for the item, computed by the server: ``brand``, or another
  /// field where the type says so.
  public var displayBrand = ""
  /// The second text that lists show for the item, computed by the server: ``model``, or another
  /// field where the type says so.
  public var displayModel = ""
  /// The number of bow setups whose latest version contains the item.
  public var setupUseCount: UInt32 = 0
  /// The spine of the shaft as its manufacturer states it, 1 to 5,000; nil: unknown.
  public var spine: UInt32?
  /// The length of the shaft in inches, above 0 and at most 100; nil: unknown.
  public var lengthInches: Double?
  /// The weight of one arrow in grains, 0 to 10,000; nil: unknown.
  public var weightGrains: Double?
  /// The outer diameter of the shaft in millimetres, above 0 and at most 50; nil: unknown. Scoring
  /// by position uses it to decide whether an arrow touches a line.
  public var diameterMillimetres: Double?
  /// The number of arrows in the set, 1 to 10,000; a new set has 1 by default.
  public var quantity: UInt32?
  /// The marking on the arrows; at most 200 characters.
  public var identifier = ""
  /// The brand of the points; at most 200 characters.
  public var pointBrand = ""
  /// The name of the points; at most 200 characters.
  public var pointName = ""
  /// The weight of one point in grains, 0 to 10,000; nil: unknown.
  public var pointWeightGrains: Double?
  /// The brand of the nocks; at most 200 characters.
  public var nockBrand = ""
  /// The name of the nocks; at most 200 characters.
  public var nockName = ""
  /// The size of the nocks, in free text; at most 200 characters.
  public var nockSize = ""
  /// The weight of one nock in grains, 0 to 10,000; nil: unknown.
  public var nockWeightGrains: Double?
  /// The vanes, in free text; at most 200 characters.
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

  /// The type's number, method ids and request schemas.
  public static let declaration = EquipmentTypeDeclaration<Self>(
    .arrow, field: "arrow", firstMethodID: 4176)
}
