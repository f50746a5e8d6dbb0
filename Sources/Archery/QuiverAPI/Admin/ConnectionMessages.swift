public import QuiverProtobuf

/// Asks for the connections that are open now.
public struct ListConnectionsRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListConnectionsRequest")
}

/// Open connections by id, lowest first; at most 10,000.
public struct ListConnectionsResponse: Message {
  public var connections: [OpenConnection] = []
  /// Of all, shown or not.
  public var openCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListConnectionsResponse", .messages(1, "connections", \.connections),
    .uint32(2, "open_count", \.openCount))
}

/// One connection that is open now.
public struct OpenConnection: Message {
  /// Since the server's start.
  public var id: UInt64 = 0
  /// The peer's, without its port.
  public var address = ""
  /// 0: nobody.
  public var principalID: Int64 = 0
  /// 0: none.
  public var tokenID: Int64 = 0
  public var openCalls: UInt32 = 0
  /// Since 1970-01-01 UTC.
  public var connectedAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.OpenConnection", .uint64(1, "id", \.id), .string(2, "address", \.address),
    .int64(3, "principal_id", \.principalID), .int64(4, "token_id", \.tokenID),
    .uint32(5, "open_calls", \.openCalls), .int64(6, "connected_at_ms", \.connectedAtMilliseconds))
}
