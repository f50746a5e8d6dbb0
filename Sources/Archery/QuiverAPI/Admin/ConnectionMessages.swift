public import QuiverProtobuf

/// Requests the connections that are open now.
public struct ListConnectionsRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListConnectionsRequest")
}

/// The open connections.
public struct ListConnectionsResponse: Message {
  /// The connections by id, ascending; at most 10,000.
  public var connections: [OpenConnection] = []
  /// The number of all open connections, including those that are not listed.
  public var openCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListConnectionsResponse", .messages(1, "connections", \.connections),
    .uint32(2, "open_count", \.openCount))
}

/// One open connection.
public struct OpenConnection: Message {
  /// The number of the connection, counted from the start of the server.
  public var id: UInt64 = 0
  /// The address of the peer without its port.
  public var address = ""
  /// The id of the caller; 0: anonymous.
  public var principalID: Int64 = 0
  /// The id of the caller's token; 0: none.
  public var tokenID: Int64 = 0
  /// The number of calls in progress.
  public var openCalls: UInt32 = 0
  /// The time when it was opened, in milliseconds since 1970-01-01 UTC.
  public var connectedAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.OpenConnection", .uint64(1, "id", \.id), .string(2, "address", \.address),
    .int64(3, "principal_id", \.principalID), .int64(4, "token_id", \.tokenID),
    .uint32(5, "open_calls", \.openCalls), .int64(6, "connected_at_ms", \.connectedAtMilliseconds))
}
