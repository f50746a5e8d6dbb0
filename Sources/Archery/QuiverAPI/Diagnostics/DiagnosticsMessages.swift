public import QuiverProtobuf
public import QuiverRPC

/// The request and the response of an echo.
public struct EchoMessage: Message {
  /// Any bytes.
  public var payload: [UInt8] = []
  /// Any text.
  public var text = ""
  /// Any number; ``Diagnostics`` `source` counts its messages in it, from 1.
  public var number: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EchoMessage", .bytes(1, "payload", \.payload), .string(2, "text", \.text),
    .uint64(3, "number", \.number))
}

/// Requests an answer after a delay.
public struct DelayRequest: Message {
  /// The delay in milliseconds; at most 600,000.
  public var delayMilliseconds: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DelayRequest", .uint32(1, "delay_ms", \.delayMilliseconds))
}

/// The answer after a delay.
public struct DelayResponse: Message {
  /// The time left until the deadline when the handler started, in milliseconds; nil without a
  /// deadline.
  public var timeLeftMilliseconds: UInt32?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DelayResponse", .optionalUint32(1, "time_left_ms", \.timeLeftMilliseconds))
}

/// Requests a failure.
public struct FailRequest: Message {
  /// The status code, 1 to 16; others are INVALID_ARGUMENT.
  public var code: UInt32 = 0
  /// The message of the status.
  public var message = ""
  /// Whether the status says that the call had no effect, so that a client may retry it.
  public var notProcessed = false
  /// The push-back of the status in milliseconds; 0: none, -1: do not retry.
  public var retryAfterMilliseconds: Int32 = 0
  /// The details of the status.
  public var details: [DetailMessage] = []
  /// The trailing metadata.
  public var metadata: [MetadataMessage] = []
  /// The number of empty messages of a response stream before the status; at most 10,000.
  public var afterMessages: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FailRequest", .uint32(1, "code", \.code), .string(2, "message", \.message),
    .bool(3, "not_processed", \.notProcessed),
    .sint32(4, "retry_after_ms", \.retryAfterMilliseconds),
    .messages(5, "details", \.details), .messages(6, "metadata", \.metadata),
    .uint32(7, "after_messages", \.afterMessages))
}

/// Never sent: the call fails.
public struct FailResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.FailResponse")
}

/// The number of messages that arrived.
public struct SinkResponse: Message {
  /// The number of messages.
  public var messageCount: UInt64 = 0
  /// The sum of the payloads' sizes in bytes.
  public var payloadBytes: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SinkResponse", .uint64(1, "message_count", \.messageCount),
    .uint64(2, "payload_bytes", \.payloadBytes))
}

/// Requests a stream of messages.
public struct SourceRequest: Message {
  /// The sizes of the payloads in bytes, in order; at most 10,000 of them.
  public var sizes: [UInt32] = []
  /// The number of messages if ``sizes`` is empty. They are numbered from 1.
  public var count: UInt64 = 0
  /// The size of the payload of each of those in bytes; at most 4 MiB.
  public var size: UInt32 = 0
  /// The time between two messages in milliseconds, at most 600,000; 0: no pause.
  public var intervalMilliseconds: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SourceRequest", .uint32s(1, "sizes", \.sizes), .uint64(2, "count", \.count),
    .uint32(3, "size", \.size), .uint32(4, "interval_ms", \.intervalMilliseconds))
}

/// Requests the connections of the caller's principal.
public struct ConnectionsRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.ConnectionsRequest")
}

/// The connections of the caller's principal.
public struct ConnectionsResponse: Message {
  /// The connections, oldest first; at most 1,000.
  public var connections: [ConnectionEntry] = []
  /// The number of all connections of the principal, including those that are not listed.
  public var total: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ConnectionsResponse", .messages(1, "connections", \.connections),
    .uint32(2, "total", \.total))
}

/// One connection of the caller's principal.
public struct ConnectionEntry: Message {
  /// The number of the connection, counted from the start of the server.
  public var id: UInt64 = 0
  /// The address of the peer without its port.
  public var address = ""
  /// The age of the connection in milliseconds.
  public var openedMillisecondsAgo: Int64 = 0
  /// The number of calls in progress.
  public var openCalls: UInt32 = 0
  /// Whether the request came on this connection.
  public var isThis = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ConnectionEntry", .uint64(1, "id", \.id), .string(2, "address", \.address),
    .int64(3, "opened_ms_ago", \.openedMillisecondsAgo), .uint32(4, "open_calls", \.openCalls),
    .bool(5, "is_this", \.isThis))
}
