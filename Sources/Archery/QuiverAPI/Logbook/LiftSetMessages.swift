public import QuiverProtobuf

/// One line of a strength log.
public struct LiftSet: Message {
  /// The id of the set, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the set; empty if none. It is unique per
  /// principal, cannot be changed, and can be used wherever the id can.
  public var clientID: [UInt8] = []
  /// The revision of the object, from 1; each change increments it. An update names the revision
  /// that it read; if the object has another one, the update is ABORTED with the current object as
  /// a detail.
  public var revision: UInt64 = 0
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// The time of the last change, in milliseconds since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0
  /// The civil day, in days since 1970-01-01.
  public var day: Int32 = 0
  /// The name of the exercise, 1 to 200 characters, compared byte by byte.
  public var exercise = ""
  /// The number of equal sets, 1 to 100; nil: unknown.
  public var sets: UInt32?
  /// The repetitions of each set, 1 to 1,000.
  public var repetitions: UInt32 = 0
  /// The weight in ``unit``, 0 to 2,000 lb or 910 kg.
  public var weight: Double = 0
  /// The unit of ``weight``; required.
  public var unit = WeightUnit.unspecified
  /// The one-rep max by Brzycki in ``unit``, computed by the server; nil above 36 repetitions.
  public var oneRepMax: Double?
  /// Whether the set has more than 12 repetitions, which makes the one-rep max uncertain.
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

/// Creates a set. A client id that was used before for the same content returns the existing set.
public struct CreateSetRequest: Message {
  /// The fields of the set. The server ignores the fields that it sets itself.
  public var set: LiftSet?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateSetRequest",
    .message(1, "set", \.set))
}

/// Requests a set by its id or by its client id.
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
  /// The new values, with the id (or the client id) and the revision that was read.
  public var set: LiftSet?
  /// The proto names of the fields to change: `day`, `exercise`, `sets`, `repetitions`, `weight`,
  /// `unit`.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateSetRequest",
    .message(1, "set", \.set),
    .strings(2, "update_mask", \.updateMask))
}

/// Deletes a set by its id or by its client id.
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

/// Requests a page of the sets of one exercise.
public struct ListSetsRequest: Message {
  /// The name of the exercise, byte by byte.
  public var exercise = ""
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same request and principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSetsRequest",
    .string(1, "exercise", \.exercise),
    .uint32(2, "page_size", \.pageSize),
    .string(3, "page_token", \.pageToken))
}

/// A page of sets, newest first: by day, then by id.
public struct ListSetsResponse: Message {
  /// The sets of the page.
  public var sets: [LiftSet] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSetsResponse",
    .messages(1, "sets", \.sets),
    .string(2, "next_page_token", \.nextPageToken))
}
