public import QuiverProtobuf

/// The handle of a bow.
///
/// The fields up to ``setupUseCount`` are common to every type of equipment. The server sets
/// ``id``, both times, ``revision``, both display texts and ``setupUseCount``.
public struct Riser: Message {
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
  public var setupUseCount: UInt32 = 0
  /// Above 0, at most 100.
  public var lengthInches: Double?
  /// At most 200 characters.
  public var material = ""
  /// 0 to 100,000.
  public var weightGrams: Double?
  /// At most 200 characters.
  public var gripType = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Riser", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .string(3, "brand", \.brand), .string(4, "model", \.model), .string(5, "notes", \.notes),
    .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .int64(7, "updated_at_ms", \.updatedAtMilliseconds), .bool(8, "archived", \.archived),
    .uint64(9, "revision", \.revision), .string(10, "display_brand", \.displayBrand),
    .string(11, "display_model", \.displayModel),
    .uint32(12, "setup_use_count", \.setupUseCount),
    .optionalDouble(16, "length_in", \.lengthInches), .string(17, "material", \.material),
    .optionalDouble(18, "weight_g", \.weightGrams), .string(19, "grip_type", \.gripType))
}

/// Asks for a new riser.
public struct CreateRiserRequest: Message {
  public var riser: Riser?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateRiserRequest", .message(1, "riser", \.riser))
}

/// Asks for a riser by its id or by its client_id.
public struct GetRiserRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetRiserRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID))
}

/// Changes the fields of a riser that the mask names.
public struct UpdateRiserRequest: Message {
  /// Names its id (or client_id) and the revision that was read.
  public var riser: Riser?
  /// Names of fields as in the `.proto` file; a field named and absent is cleared.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateRiserRequest", .message(1, "riser", \.riser),
    .strings(2, "update_mask", \.updateMask))
}

/// Deletes a riser by its id or by its client_id.
public struct DeleteRiserRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteRiserRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// The riser is gone.
public struct DeleteRiserResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DeleteRiserResponse")
}
