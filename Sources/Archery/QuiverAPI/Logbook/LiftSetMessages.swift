public import QuiverProtobuf

/// One line of a strength log.
public struct LiftSet: Message {
  /// From the server.
  public var id: Int64 = 0
  /// UUIDv7, made by the client; optional; stays as it was made.
  public var clientID: [UInt8] = []
  /// From 1; an update names the one that it read.
  public var revision: UInt64 = 0
  public var createdAtMilliseconds: Int64 = 0
  public var updatedAtMilliseconds: Int64 = 0
  /// Civil day since 1970-01-01.
  public var day: Int32 = 0
  /// 1 to 200 characters; another byte is another exercise.
  public var exercise = ""
  /// 1 to 100; absent is not 1.
  public var sets: UInt32?
  /// 1 to 1,000.
  public var repetitions: UInt32 = 0
  /// 0 to 2,000 lb, 910 kg.
  public var weight: Double = 0
  /// Required.
  public var unit = WeightUnit.unspecified
  /// By Brzycki, in the unit of the set; absent above 36 repetitions.
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

/// Asks for a new set. With a client_id that was used before for the same content it answers the
/// set that was made then.
public struct CreateSetRequest: Message {
  /// What the server sets is not read.
  public var set: LiftSet?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateSetRequest",
    .message(1, "set", \.set))
}

/// By id or by client_id.
public struct GetSetRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSetRequest",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID))
}

/// Changes the fields of a set that the mask names.
public struct UpdateSetRequest: Message {
  /// Names id (or client_id) and the revision that was read.
  public var set: LiftSet?
  /// Of day, exercise, sets, repetitions, weight, unit.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateSetRequest",
    .message(1, "set", \.set),
    .strings(2, "update_mask", \.updateMask))
}

/// Deletes a set by its id or by its client_id.
public struct DeleteSetRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteSetRequest",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// The set is gone.
public struct DeleteSetResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteSetResponse")
}

/// Asks for a page of the sets of one exercise, newest first: by day, then by id.
public struct ListSetsRequest: Message {
  public var exercise = ""
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before; bound to the rest of the request and to the principal.
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
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSetsResponse",
    .messages(1, "sets", \.sets),
    .string(2, "next_page_token", \.nextPageToken))
}
