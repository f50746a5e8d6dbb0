public import QuiverProtobuf

/// An accessory, for example a tab. A setup may contain several. Lists show its name and the label
/// of its type.
public struct Accessory: EquipmentItemMessage {
  /// The id of the accessory, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the accessory; empty if none. It is unique per
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
  /// The name, which is the ``displayBrand``; required, 1 to 200 characters.
  public var name = ""
  /// The type, whose label is the ``displayModel``; required.
  public var type = AccessoryType.unspecified
  /// The purpose, in free text; at most 200 characters.
  public var purpose = ""
  /// The size, in free text; at most 200 characters.
  public var size = ""
  /// The thickness, in free text; at most 200 characters.
  public var thickness = ""
  /// The material, in free text; at most 200 characters.
  public var material = ""
  /// The travel, for example of a clicker or a release, in free text; at most 200 characters.
  public var travel = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Accessory",
    .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID), .string(3, "brand", \.brand),
    .string(4, "model", \.model), .string(5, "notes", \.notes),
    .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .int64(7, "updated_at_ms", \.updatedAtMilliseconds), .bool(8, "archived", \.archived),
    .uint64(9, "revision", \.revision), .string(10, "display_brand", \.displayBrand),
    .string(11, "display_model", \.displayModel), .uint32(12, "setup_use_count", \.setupUseCount),
    .string(16, "name", \.name), .enum(17, "type", \.type), .string(18, "purpose", \.purpose),
    .string(19, "size", \.size), .string(20, "thickness", \.thickness),
    .string(21, "material", \.material), .string(22, "travel", \.travel))

  /// The type's number, method ids and request schemas.
  public static let declaration = EquipmentTypeDeclaration<Self>(
    .accessory, field: "accessory", firstMethodID: 4184)
}

/// The type of an accessory.
public struct AccessoryType: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// A finger tab.
  public static let tab = Self(rawValue: 1)
  /// A chest guard.
  public static let chestGuard = Self(rawValue: 2)
  /// A quiver.
  public static let quiver = Self(rawValue: 3)
  /// A release aid.
  public static let release = Self(rawValue: 4)
  /// A clicker.
  public static let clicker = Self(rawValue: 5)
  /// Another accessory.
  public static let other = Self(rawValue: 6)

  public static let schema = EnumSchema(
    "quiver.v1.AccessoryType",
    [
      (0, "ACCESSORY_TYPE_UNSPECIFIED"), (1, "ACCESSORY_TYPE_TAB"),
      (2, "ACCESSORY_TYPE_CHEST_GUARD"), (3, "ACCESSORY_TYPE_QUIVER"),
      (4, "ACCESSORY_TYPE_RELEASE"), (5, "ACCESSORY_TYPE_CLICKER"), (6, "ACCESSORY_TYPE_OTHER"),
    ])
}
