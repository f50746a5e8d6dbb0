public import QuiverProtobuf

/// A stabilizer. A setup may contain several.
public struct Stabilizer: EquipmentItemMessage {
  /// The id of the stabilizer, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the stabilizer; empty if none. It is unique per
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
  /// The length in inches, above 0 and at most 100; nil: unknown.
  public var lengthInches: Double?
  /// The weight in grams, 0 to 100,000; nil: unknown.
  public var weightGrams: Double?
  /// The straightness, 1 to 10; a new stabilizer has 5 by default.
  public var straightness: UInt32?
  /// The position on the bow.
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

  /// The type's number, method ids and request schemas.
  public static let declaration = EquipmentTypeDeclaration<Self>(
    .stabilizer, field: "stabilizer", firstMethodID: 4160)
}

/// The position of a stabilizer on the bow.
public struct StabilizerPosition: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// The long rod.
  public static let long = Self(rawValue: 1)
  /// A side rod.
  public static let side = Self(rawValue: 2)
  /// An extender.
  public static let extender = Self(rawValue: 3)
  /// A V-bar.
  public static let vbar = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.StabilizerPosition",
    [
      (0, "STABILIZER_POSITION_UNSPECIFIED"), (1, "STABILIZER_POSITION_LONG"),
      (2, "STABILIZER_POSITION_SIDE"), (3, "STABILIZER_POSITION_EXTENDER"),
      (4, "STABILIZER_POSITION_VBAR"),
    ])
}
