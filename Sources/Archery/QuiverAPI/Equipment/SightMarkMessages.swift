public import QuiverProtobuf

/// What a distance is counted in.
public struct DistanceUnit: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let metre = Self(rawValue: 1)
  /// 0.9144 m.
  public static let yard = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.DistanceUnit",
    [
      (0, "DISTANCE_UNIT_UNSPECIFIED"), (1, "DISTANCE_UNIT_METRE"), (2, "DISTANCE_UNIT_YARD"),
    ])
}

/// Where a sight stands for a distance; it belongs to a sight or to a setup, and goes with it.
public struct SightMark: Message {
  /// From the server.
  public var id: Int64 = 0
  /// A UUIDv7, made by the client; optional; stays as it was made.
  public var clientID: [UInt8] = []
  /// The owner, by one of these four when it is made.
  public var sightID: Int64 = 0
  public var sightClientID: [UInt8] = []
  public var setupID: Int64 = 0
  public var setupClientID: [UInt8] = []
  /// In ``unit``; above 0, at most 1,000.
  public var distance: Double = 0
  /// Required.
  public var unit = DistanceUnit.unspecified
  /// What the scale shows, -100,000 to 100,000.
  public var markValue: Double = 0
  /// At most 4,000 characters.
  public var notes = ""
  /// Since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// Since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0
  /// From 1; an update names the one that it read.
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

/// Asks for a new mark.
public struct CreateSightMarkRequest: Message {
  /// What to make; what the server sets is not read.
  public var sightMark: SightMark?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateSightMarkRequest", .message(1, "sight_mark", \.sightMark))
}

/// Asks for all marks of one owner, named by one of four.
public struct ListSightMarksRequest: Message {
  public var sightID: Int64 = 0
  public var sightClientID: [UInt8] = []
  public var setupID: Int64 = 0
  public var setupClientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSightMarksRequest", .int64(1, "sight_id", \.sightID),
    .bytes(2, "sight_client_id", \.sightClientID), .int64(3, "setup_id", \.setupID),
    .bytes(4, "setup_client_id", \.setupClientID))
}

/// All marks of one owner, nearest first, then by id.
public struct ListSightMarksResponse: Message {
  public var sightMarks: [SightMark] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSightMarksResponse", .messages(1, "sight_marks", \.sightMarks))
}

/// Changes the fields of a mark that the mask names.
public struct UpdateSightMarkRequest: Message {
  /// Names its id (or client_id) and the revision that was read.
  public var sightMark: SightMark?
  /// Of `distance`, `unit`, `mark_value` and `notes`.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateSightMarkRequest", .message(1, "sight_mark", \.sightMark),
    .strings(2, "update_mask", \.updateMask))
}

/// Deletes a mark by its id or by its client_id.
public struct DeleteSightMarkRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteSightMarkRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// The mark is gone.
public struct DeleteSightMarkResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DeleteSightMarkResponse")
}
