public import QuiverProtobuf

/// One line of a strength log.
public struct LiftSet: Message {
  /// The id of the lift set, assigned by the server.
  public var id: Int64 = 0
  /// UUIDv7 from the client; optional; cannot be changed.
  public var clientID: [UInt8] = []
  /// The revision of the object, from 1; each change increments it. An update names the revision
  /// that it read; if the object has another one, the update is ABORTED with the current object as
  /// a detail.
  public var revision: UInt64 = 0
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// The time of the last change, in milliseconds since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0
  /// Civil day since 1970-01-01.
  public var day: Int32 = 0
  /// 1 to 200 characters; compared byte by byte.
  public var exercise = ""
  /// 1 to 100; nil: unknown.
  public var sets: UInt32?
  /// 1 to 1,000.
  public var repetitions: UInt32 = 0
  /// 0 to 2,000 lb, 910 kg.
  public var weight: Double = 0
  /// Required.
  public var unit = WeightUnit.unspecified
  /// By Brzycki, in the unit of the set; nil above 36 repetitions.
  public var oneRepMax: Double?
  /// More than 12 repetitions.
  public var lowConfidence = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.LiftSet",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision),
    .int64(4, "created_at_ms", \.createdAtMilliseconds),
    .int64(5, "updated_at_ms", \.updatedAtMilliseconds),
    .int32(6, "day", \.day),
    .string(7, "exercise", \.exercise),
    .optionalUint32(8, "sets", \.sets),
    .uint32(9, "repetitions", \.repetitions),
    .double(10, "weight", \.weight),
    .enum(11, "unit", \.unit),
    .optionalDouble(12, "one_rep_max", \.oneRepMax),
    .bool(13, "low_confidence", \.lowConfidence))
}

/// Creates a set. A `client_id` that was used before for the same content returns the existing set.
public struct CreateSetRequest: Message {
  /// Fields that the server sets are ignored.
  public var set: LiftSet?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateSetRequest",
    .message(1, "set", \.set))
}

/// By id or by ``clientID``.
public struct GetSetRequest: Message {
  /// The id of the set; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the set; empty if ``id`` names it.
  public var clientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSetRequest",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID))
}

/// Changes the fields of a set that the mask names.
public struct UpdateSetRequest: Message {
  /// With id (or `client_id`) and the revision that was read.
  public var set: LiftSet?
  /// Of day, exercise, sets, repetitions, weight, unit.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateSetRequest",
    .message(1, "set", \.set),
    .strings(2, "update_mask", \.updateMask))
}

/// Deletes a set by its id or by its ``clientID``.
public struct DeleteSetRequest: Message {
  /// The id of the set; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the set; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteSetRequest",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// The set was deleted.
public struct DeleteSetResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteSetResponse")
}

/// A page of the sets of one exercise, newest first: by day, then by id.
public struct ListSetsRequest: Message {
  public var exercise = ""
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page; valid only with the same request and principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSetsRequest",
    .string(1, "exercise", \.exercise),
    .uint32(2, "page_size", \.pageSize),
    .string(3, "page_token", \.pageToken))
}

/// A page of sets.
public struct ListSetsResponse: Message {
  public var sets: [LiftSet] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSetsResponse",
    .messages(1, "sets", \.sets),
    .string(2, "next_page_token", \.nextPageToken))
}
