public import QuiverProtobuf

/// Requests the limits of the server, or the quotas of a principal.
public struct ListLimitsRequest: Message {
  /// The principal whose quotas are requested; 0: the limits of the server.
  public var principalID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListLimitsRequest", .int64(1, "principal_id", \.principalID))
}

/// Limits with what uses them now.
public struct ListLimitsResponse: Message {
  /// The limits, in the order of `docs/limits.md`.
  public var limits: [LimitUse] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListLimitsResponse", .messages(1, "limits", \.limits))
}

/// A limit with what uses it.
public struct LimitUse: Message {
  /// The name, as in `docs/limits.md`.
  public var name = ""
  /// The value: bytes, milliseconds or a count, as the name says.
  public var value: Int64 = 0
  /// What uses it now; nil: it counts for each connection, call or principal.
  public var used: Int64?
  /// How often it was reached since the server started; 0 where that is not counted.
  public var reachedCount: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.LimitUse", .string(1, "name", \.name), .int64(2, "value", \.value),
    .optionalInt64(3, "used", \.used), .uint64(4, "reached_count", \.reachedCount))
}
