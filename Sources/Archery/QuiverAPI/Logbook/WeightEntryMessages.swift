public import QuiverProtobuf

/// One weighing.
public struct WeightEntry: Message {
  /// From the server.
  public var id: Int64 = 0
  /// UUIDv7, made by the client; optional; stays as it was made.
  public var clientID: [UInt8] = []
  /// From 1; an update names the one that it read.
  public var revision: UInt64 = 0
  public var createdAtMilliseconds: Int64 = 0
  public var updatedAtMilliseconds: Int64 = 0
  /// 1 to 1,500 lb, 0.5 to 680 kg, in thousandths of the unit.
  public var thousandths: Int64 = 0
  /// Required.
  public var unit = WeightUnit.unspecified
  /// Civil day since 1970-01-01; absent in a request: the day of measured_at_ms in time_zone.
  public var day: Int32?
  /// Orders the entries of a day; 0 in a request: now; more than 5 minutes ahead of the server it
  /// is stored as now.
  public var measuredAtMilliseconds: Int64 = 0
  /// Set by the server where measured_at_ms was too far ahead.
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

/// Asks for a new entry. With a client_id that was used before for the same content it answers the
/// entry that was made then.
public struct CreateWeightEntryRequest: Message {
  /// What the server sets is not read.
  public var weightEntry: WeightEntry?
  /// IANA name, read where day is absent; empty: the profile's; neither is INVALID_ARGUMENT.
  public var timeZone = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateWeightEntryRequest",
    .message(1, "weight_entry", \.weightEntry),
    .string(2, "time_zone", \.timeZone))
}

/// By id or by client_id, deleted or not.
public struct GetWeightEntryRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetWeightEntryRequest",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID))
}

/// Changes the fields of an entry that the mask names.
public struct UpdateWeightEntryRequest: Message {
  /// Names id (or client_id) and the revision that was read.
  public var weightEntry: WeightEntry?
  /// Of thousandths, unit, day, measured_at_ms, note, body_fat_percent; one that is absent is
  /// cleared.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateWeightEntryRequest",
    .message(1, "weight_entry", \.weightEntry),
    .strings(2, "update_mask", \.updateMask))
}

/// Deletes an entry; done twice is done.
public struct DeleteWeightEntryRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteWeightEntryRequest",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// Brings a deleted entry back, for 30 days; done twice is done.
public struct RestoreWeightEntryRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RestoreWeightEntryRequest",
    .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// Asks for a page of entries, newest first: by day, measured_at_ms and id.
public struct ListWeightEntriesRequest: Message {
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before; bound to the rest of the request and to the principal.
  public var pageToken = ""
  /// Deleted entries in place of the others.
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
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListWeightEntriesResponse",
    .messages(1, "entries", \.entries),
    .string(2, "next_page_token", \.nextPageToken))
}
