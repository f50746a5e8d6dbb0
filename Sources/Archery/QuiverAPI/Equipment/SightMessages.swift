public import QuiverProtobuf

/// A sight. Its marks are kept apart: see ``SightMark``.
public struct Sight: EquipmentItemMessage {
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
  /// At most 200 characters.
  public var type = ""
  /// At most 200 characters.
  public var material = ""
  /// At most 4,000 characters.
  public var adjustments = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Sight",
    .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID), .string(3, "brand", \.brand),
    .string(4, "model", \.model), .string(5, "notes", \.notes),
    .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .int64(7, "updated_at_ms", \.updatedAtMilliseconds), .bool(8, "archived", \.archived),
    .uint64(9, "revision", \.revision), .string(10, "display_brand", \.displayBrand),
    .string(11, "display_model", \.displayModel), .uint32(12, "setup_use_count", \.setupUseCount),
    .string(16, "type", \.type), .string(17, "material", \.material),
    .string(18, "adjustments", \.adjustments))

  public static let declaration = EquipmentTypeDeclaration<Self>(
    .sight, field: "sight", firstMethodID: 4128)
}
