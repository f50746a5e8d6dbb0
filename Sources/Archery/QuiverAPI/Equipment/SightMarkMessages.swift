public import QuiverProtobuf

/// The unit of a distance.
public struct DistanceUnit: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Metres.
  public static let metre = Self(rawValue: 1)
  /// Yards of 0.9144 m.
  public static let yard = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.DistanceUnit",
    [
      (0, "DISTANCE_UNIT_UNSPECIFIED"), (1, "DISTANCE_UNIT_METRE"), (2, "DISTANCE_UNIT_YARD"),
    ])
}

/// The setting of a sight for one distance.
///
/// A mark belongs to one sight or one bow setup, which cannot be changed, and is deleted with it.
/// An owner has at most 200 marks; several for one distance are allowed.
public struct SightMark: Message {
  /// The id of the sight mark, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the sight mark; empty if none. It is unique per
  /// principal, cannot be changed, and can be used wherever the id can.
  public var clientID: [UInt8] = []
  /// The id of the sight that owns the mark; 0 if a setup owns it. A request to create a mark names
  /// its owner by one of the four owner fields.
  public var sightID: Int64 = 0
  /// The client id of the sight that owns the mark; empty if it has none or a setup owns the mark.
  public var sightClientID: [UInt8] = []
  /// The id of the bow setup that owns the mark; 0 if a sight owns it.
  public var setupID: Int64 = 0
  /// The client id of the bow setup that owns the mark; empty if it has none or a sight owns the
  /// mark.
  public var setupClientID: [UInt8] = []
  /// The distance in ``unit``, above 0 and at most 1,000.
  public var distance: Double = 0
  /// The unit of ``distance``; required.
  public var unit = DistanceUnit.unspecified
  /// The value on the scale of the sight, -100,000 to 100,000.
  public var markValue: Double = 0
  /// Free text of the owner; at most 4,000 characters.
  public var notes = ""
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// The time of the last change, in milliseconds since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0
  /// The revision of the object, from 1; each change increments it. An update names the revision
  /// that it read; if the object has another one, the update is ABORTED with the current object as
  /// a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SightMark", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .int64(3, "sight_id", \.sightID), .bytes(4, "sight_client_id", \.sightClientID),
    .int64(5, "setup_id", \.setupID), .bytes(6, "setup_client_id", \.setupClientID),
    .double(7, "distance", \.distance), .enum(8, "unit", \.unit),
    .double(9, "mark_value", \.markValue), .string(10, "notes", \.notes),
    .int64(11, "created_at_ms", \.createdAtMilliseconds),
    .int64(12, "updated_at_ms", \.updatedAtMilliseconds), .uint64(13, "revision", \.revision))
}

/// Requests a new mark.
public struct CreateSightMarkRequest: Message {
  /// The fields of the mark. The server ignores the fields that it sets itself.
  public var sightMark: SightMark?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateSightMarkRequest", .message(1, "sight_mark", \.sightMark))
}

/// Requests all marks of one owner, which one of the four fields names.
public struct ListSightMarksRequest: Message {
  /// The id of the sight; 0 if another field names the owner.
  public var sightID: Int64 = 0
  /// The client id of the sight; empty if another field names the owner.
  public var sightClientID: [UInt8] = []
  /// The id of the bow setup; 0 if another field names the owner.
  public var setupID: Int64 = 0
  /// The client id of the bow setup; empty if another field names the owner.
  public var setupClientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSightMarksRequest", .int64(1, "sight_id", \.sightID),
    .bytes(2, "sight_client_id", \.sightClientID), .int64(3, "setup_id", \.setupID),
    .bytes(4, "setup_client_id", \.setupClientID))
}

/// All marks of one owner.
public struct ListSightMarksResponse: Message {
  /// The marks by distance, then by id.
  public var sightMarks: [SightMark] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSightMarksResponse", .messages(1, "sight_marks", \.sightMarks))
}

/// Changes the fields of a mark that the mask names.
public struct UpdateSightMarkRequest: Message {
  /// The new values, with the id (or the client id) and the revision that was read.
  public var sightMark: SightMark?
  /// The proto names of the fields to change: `distance`, `unit`, `mark_value`, `notes`.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateSightMarkRequest", .message(1, "sight_mark", \.sightMark),
    .strings(2, "update_mask", \.updateMask))
}

/// Deletes a mark by its id or by its client_id.
public struct DeleteSightMarkRequest: Message {
  /// The id of the sight mark; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the sight mark; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteSightMarkRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// The mark was deleted.
public struct DeleteSightMarkResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DeleteSightMarkResponse")
}
