public import QuiverProtobuf

/// A bow string. Lists show its maker and its string type.
public struct BowString: EquipmentItemMessage {
  /// The id of the bow string, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the bow string; empty if none. It is unique per
  /// principal, cannot be changed, and can be used wherever the id can.
  public var clientID: [UInt8] = []
  /// The manufacturer or brand; at most 200 characters.
  public var brand = ""
  /// The model; at most 200 characters.
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
  /// The maker, which is the ``displayBrand``; required, 1 to 200 characters.
  public var maker = ""
  /// The type, which is the ``displayModel``; required, 1 to 200 characters.
  public var stringType = ""
  /// The material, in free text; at most 200 characters.
  public var material = ""
  /// The number of strands, 1 to 200; nil: unknown.
  public var strandCount: UInt32?
  /// The material of the serving, in free text; at most 200 characters.
  public var servingMaterial = ""
  /// The length in inches, above 0 and at most 100; nil: unknown.
  public var lengthInches: Double?
  /// The number of twists, 0 to 1,000; nil: unknown.
  public var twists: UInt32?
  /// The day of installation, in days since 1970-01-01, within the years 1 to 9999; nil: unknown.
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

  /// The type's number, method ids and request schemas.
  public static let declaration = EquipmentTypeDeclaration<Self>(
    .bowString, field: "bow_string", firstMethodID: 4152)
}
