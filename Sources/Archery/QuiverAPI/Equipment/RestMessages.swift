public import QuiverProtobuf

/// An arrow rest.
public struct Rest: EquipmentItemMessage {
  /// The id of the rest, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the rest; empty if none. It is unique per
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
  /// The type of the rest.
  public var type = RestType.unspecified
  /// The vertical position in millimetres, -200 to 200; up is positive; nil: unknown.
  public var verticalPositionMillimetres: Double?
  /// The horizontal position in millimetres, -200 to 200; away from the riser is positive; nil:
  /// unknown.
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

  /// The type's number, method ids and request schemas.
  public static let declaration = EquipmentTypeDeclaration<Self>(
    .rest, field: "rest", firstMethodID: 4136)
}

/// The type of an arrow rest.
public struct RestType: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// A rest with a magnetic arm.
  public static let magnetic = Self(rawValue: 1)
  /// A flipper rest.
  public static let flipper = Self(rawValue: 2)
  /// A blade rest.
  public static let blade = Self(rawValue: 3)
  /// A drop-away rest.
  public static let dropAway = Self(rawValue: 4)
  /// Another type.
  public static let other = Self(rawValue: 5)

  public static let schema = EnumSchema(
    "quiver.v1.RestType",
    [
      (0, "REST_TYPE_UNSPECIFIED"), (1, "REST_TYPE_MAGNETIC"), (2, "REST_TYPE_FLIPPER"),
      (3, "REST_TYPE_BLADE"), (4, "REST_TYPE_DROP_AWAY"), (5, "REST_TYPE_OTHER"),
    ])
}
