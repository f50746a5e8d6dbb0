public import QuiverProtobuf

/// Requests a page of the audit.
public struct ListAuditRequest: Message {
  /// Only rows from this time on, in milliseconds since 1970-01-01 UTC; nil: from the first.
  public var fromMilliseconds: Int64?
  /// Only rows before this time, in milliseconds since 1970-01-01 UTC; nil: to the newest.
  public var untilMilliseconds: Int64?
  /// Only rows whose actor or principal this is; 0: all.
  public var principalID: Int64 = 0
  /// Only rows about this kind of object; empty: all.
  public var objectKind = ""
  /// Only rows about the object with this id; 0: all.
  public var objectID: Int64 = 0
  /// Only rows with this action, or with a point at its end, all that begin so; empty: all.
  public var action = ""
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. A token of another method,
  /// filter or principal is INVALID_ARGUMENT.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListAuditRequest", .optionalInt64(1, "from_ms", \.fromMilliseconds),
    .optionalInt64(2, "until_ms", \.untilMilliseconds), .int64(3, "principal_id", \.principalID),
    .string(4, "object_kind", \.objectKind), .int64(5, "object_id", \.objectID),
    .string(6, "action", \.action), .uint32(7, "page_size", \.pageSize),
    .string(8, "page_token", \.pageToken))
}

/// A page of the audit, newest first. It can have fewer rows than its size, or none, although
/// another page follows.
public struct ListAuditResponse: Message {
  /// The rows of the page.
  public var entries: [AuditEntry] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListAuditResponse", .messages(1, "entries", \.entries),
    .string(2, "next_page_token", \.nextPageToken))
}

/// A row of the audit: who changed what, and when. After the erasure of an account its texts are
/// empty.
public struct AuditEntry: Message {
  /// The number of the row, from 1, without gaps.
  public var sequence: Int64 = 0
  /// The time of the change, in milliseconds since 1970-01-01 UTC.
  public var atMilliseconds: Int64 = 0
  /// The id of the principal that called: a service where it acted for a user.
  public var actorID: Int64 = 0
  /// The id of the principal for whom it was done; 0: the server itself.
  public var principalID: Int64 = 0
  /// The id of the caller's token; 0: none.
  public var tokenID: Int64 = 0
  /// The action, for example `token.revoke`.
  public var action = ""
  /// The kind of the object, for example `token`.
  public var objectKind = ""
  /// The id of the object.
  public var objectID: Int64 = 0
  /// The id of the object's parent, for example the event of a participant; 0: none.
  public var topicID: Int64 = 0
  /// The object before the change, in a form that the action defines.
  public var before: [UInt8] = []
  /// The object after the change, in a form that the action defines.
  public var after: [UInt8] = []
  /// The device that the caller named.
  public var device = ""
  /// The reason that the caller gave.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AuditEntry", .int64(1, "sequence", \.sequence),
    .int64(2, "at_ms", \.atMilliseconds), .int64(3, "actor_id", \.actorID),
    .int64(4, "principal_id", \.principalID), .int64(5, "token_id", \.tokenID),
    .string(6, "action", \.action), .string(7, "object_kind", \.objectKind),
    .int64(8, "object_id", \.objectID), .int64(9, "topic_id", \.topicID),
    .bytes(10, "before", \.before), .bytes(11, "after", \.after),
    .string(12, "device", \.device), .string(13, "reason", \.reason))
}
