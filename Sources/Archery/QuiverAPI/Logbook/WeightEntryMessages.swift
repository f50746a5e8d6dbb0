public import QuiverProtobuf

/// One weight entry.
public struct WeightEntry: Message {
  /// The id of the weight entry, assigned by the server.
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
  /// 1 to 1,500 lb, 0.5 to 680 kg, in thousandths of the unit.
  public var thousandths: Int64 = 0
  /// Required.
  public var unit = WeightUnit.unspecified
  /// Civil day since 1970-01-01; nil in a request: the day of ``measuredAtMilliseconds`` in
  /// `time_zone`.
  public var day: Int32?
  /// Orders the entries of a day; 0 in a request: now; more than 5 minutes ahead of the server:
  /// stored as now; if it determines the day, the year must be 1 to 9999.
  public var measuredAtMilliseconds: Int64 = 0
  /// Set by the server if ``measuredAtMilliseconds`` was too far ahead.
  public var clockAhead = false
  /// At most 4,000 characters.
  public var note = ""
  /// 1 to 75.
  public var bodyFatPercent: Double?
  /// 0: not deleted; a deleted entry can be restored for 30 days.
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

/// Creates an entry. A `client_id` that was used before for the same content returns the existing
/// entry.
public struct CreateWeightEntryRequest: Message {
  /// Fields that the server sets are ignored.
  public var weightEntry: WeightEntry?
  /// IANA name, read where day is absent; empty: the profile's; neither is INVALID_ARGUMENT.
  public var timeZone = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateWeightEntryRequest",
    .message(1, "weight_entry", \.weightEntry),
    .string(2, "time_zone", \.timeZone))
}

/// By id or by ``clientID``, deleted or not.
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
  /// With id (or `client_id`) and the revision that was read.
  public var weightEntry: WeightEntry?
  /// Of thousandths, unit, day, `measured_at_ms`, note, `body_fat_percent`; an absent field is
  /// cleared.
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

/// A page of entries, newest first: by day, `measured_at_ms` and id. A page ends early at about 1
/// MiB.
public struct ListWeightEntriesRequest: Message {
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page; valid only with the same request and principal.
  public var pageToken = ""
  /// Deleted entries instead of the others.
  public var deleted = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListWeightEntriesRequest",
    .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken),
    .bool(3, "deleted", \.deleted))
}

/// A page of entries.
public struct ListWeightEntriesResponse: Message {
  public var entries: [WeightEntry] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListWeightEntriesResponse",
    .messages(1, "entries", \.entries),
    .string(2, "next_page_token", \.nextPageToken))
}
