public import QuiverProtobuf

/// One entry of body weight.
public struct WeightEntry: Message {
  /// The id of the entry, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the entry; empty if none. It is unique per
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
  /// The weight in thousandths of ``unit``: 1 to 1,500 lb or 0.5 to 680 kg.
  public var thousandths: Int64 = 0
  /// The unit of the weight, in which the entry was made; required.
  public var unit = WeightUnit.unspecified
  /// The civil day, in days since 1970-01-01; always set by the server. Nil in a request: the day
  /// of ``measuredAtMilliseconds`` in the request's time zone.
  public var day: Int32?
  /// The time of the measurement, in milliseconds since 1970-01-01 UTC, which orders the entries of
  /// a day. 0 in a request: now. A time more than 5 minutes ahead of the server is stored as now.
  /// If it determines the day, its year must be 1 to 9999.
  public var measuredAtMilliseconds: Int64 = 0
  /// Whether the client's time was too far ahead and was replaced; set by the server.
  public var clockAhead = false
  /// A note; at most 4,000 characters.
  public var note = ""
  /// The body fat in percent, 1 to 75; nil: unknown.
  public var bodyFatPercent: Double?
  /// The time of deletion, in milliseconds since 1970-01-01 UTC; 0: not deleted. A deleted entry
  /// can be restored for 30 days.
  public var deletedAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WeightEntry",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision),
    .int64(4, "created_at_ms", \.createdAtMilliseconds),
    .int64(5, "updated_at_ms", \.updatedAtMilliseconds),
    .int64(6, "thousandths", \.thousandths),
    .enum(7, "unit", \.unit),
    .optionalInt32(8, "day", \.day),
    .int64(9, "measured_at_ms", \.measuredAtMilliseconds),
    .bool(10, "clock_ahead", \.clockAhead),
    .string(11, "note", \.note),
    .optionalDouble(12, "body_fat_percent", \.bodyFatPercent),
    .int64(13, "deleted_at_ms", \.deletedAtMilliseconds))
}

/// Creates an entry. A client id that was used before for the same content returns the existing
/// entry.
public struct CreateWeightEntryRequest: Message {
  /// The fields of the entry. The server ignores the fields that it sets itself.
  public var weightEntry: WeightEntry?
  /// The IANA name of the time zone that determines the day if the entry has none; empty: the
  /// profile's. Without either the call is INVALID_ARGUMENT.
  public var timeZone = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateWeightEntryRequest",
    .message(1, "weight_entry", \.weightEntry),
    .string(2, "time_zone", \.timeZone))
}

/// Requests an entry by its id or by its client id, deleted or not.
public struct GetWeightEntryRequest: Message {
  /// The id of the weight entry; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the weight entry; empty if ``id`` names it.
  public var clientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetWeightEntryRequest",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID))
}

/// Changes the fields of an entry that the mask names.
public struct UpdateWeightEntryRequest: Message {
  /// The new values, with the id (or the client id) and the revision that was read.
  public var weightEntry: WeightEntry?
  /// The proto names of the fields to change: `thousandths`, `unit`, `day`, `measured_at_ms`,
  /// `note`, `body_fat_percent`. A named field that is absent is cleared.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateWeightEntryRequest",
    .message(1, "weight_entry", \.weightEntry),
    .strings(2, "update_mask", \.updateMask))
}

/// Deletes an entry. Deleting a deleted entry changes nothing.
public struct DeleteWeightEntryRequest: Message {
  /// The id of the weight entry; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the weight entry; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteWeightEntryRequest",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// Restores a deleted entry, within 30 days. Restoring an entry that is not deleted changes
/// nothing.
public struct RestoreWeightEntryRequest: Message {
  /// The id of the weight entry; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the weight entry; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RestoreWeightEntryRequest",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// Requests a page of entries.
public struct ListWeightEntriesRequest: Message {
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same request and principal.
  public var pageToken = ""
  /// Whether deleted entries are listed instead of the others.
  public var deleted = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListWeightEntriesRequest",
    .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken),
    .bool(3, "deleted", \.deleted))
}

/// A page of entries, newest first: by day, time and id. A page ends early at about 1 MiB.
public struct ListWeightEntriesResponse: Message {
  /// The entries of the page.
  public var entries: [WeightEntry] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListWeightEntriesResponse",
    .messages(1, "entries", \.entries),
    .string(2, "next_page_token", \.nextPageToken))
}
