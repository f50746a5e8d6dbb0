public import QuiverProtobuf

/// A plunger (pressure button).
public struct Plunger: EquipmentItemMessage {
  /// The id of the plunger, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the plunger; empty if none. It is unique per
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
  /// The tension of the spring in the units of its manufacturer, in free text; at most 200
  /// characters.
  public var tension = ""
  /// The way in which it is adjusted.
  public var adjustment = PlungerAdjustment.unspecified
  /// The position in millimetres, -200 to 200; nil: unknown.
  public var positionMillimetres: Double?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Plunger",
    .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID), .string(3, "brand", \.brand),
    .string(4, "model", \.model), .string(5, "notes", \.notes),
    .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .int64(7, "updated_at_ms", \.updatedAtMilliseconds), .bool(8, "archived", \.archived),
    .uint64(9, "revision", \.revision), .string(10, "display_brand", \.displayBrand),
    .string(11, "display_model", \.displayModel), .uint32(12, "setup_use_count", \.setupUseCount),
    .string(16, "tension", \.tension), .enum(17, "adjustment", \.adjustment),
    .optionalDouble(18, "position_mm", \.positionMillimetres))

  /// The type's number, method ids and request schemas.
  public static let declaration = EquipmentTypeDeclaration<Self>(
    .plunger, field: "plunger", firstMethodID: 4144)
}

/// The way in which a plunger is adjusted.
public struct PlungerAdjustment: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Micrometer adjustment.
  public static let micro = Self(rawValue: 1)
  /// Adjustment in clicks.
  public static let click = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.PlungerAdjustment",
    [
      (0, "PLUNGER_ADJUSTMENT_UNSPECIFIED"), (1, "PLUNGER_ADJUSTMENT_MICRO"),
      (2, "PLUNGER_ADJUSTMENT_CLICK"),
    ])
}
