public import QuiverProtobuf
public import QuiverRPC

/// What an echo is sent and answers.
public struct EchoMessage: Message {
  public var payload: [UInt8] = []
  public var text = ""
  public var number: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EchoMessage", .bytes(1, "payload", \.payload), .string(2, "text", \.text),
    .uint64(3, "number", \.number))
}

/// Asks for an answer after a while.
public struct DelayRequest: Message {
  /// At most 600,000.
  public var delayMilliseconds: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DelayRequest", .uint32(1, "delay_ms", \.delayMilliseconds))
}

/// The answer of a delay.
public struct DelayResponse: Message {
  /// What was left of the call's deadline when the handler started; nil without a deadline.
  public var timeLeftMilliseconds: UInt32?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DelayResponse", .optionalUint32(1, "time_left_ms", \.timeLeftMilliseconds))
}

/// Asks for a failure.
public struct FailRequest: Message {
  /// A status code, 1 to 16; others are INVALID_ARGUMENT.
  public var code: UInt32 = 0
  public var message = ""
  public var notProcessed = false
  /// The server's push-back; 0: none, -1: never.
  public var retryAfterMilliseconds: Int32 = 0
  public var details: [DetailMessage] = []
  public var metadata: [MetadataMessage] = []
  /// Of a reply stream: empty messages before the status, at most 10,000.
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

/// What a sink has counted.
public struct SinkResponse: Message {
  public var messageCount: UInt64 = 0
  /// Of all payloads, in bytes.
  public var payloadBytes: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SinkResponse", .uint64(1, "message_count", \.messageCount),
    .uint64(2, "payload_bytes", \.payloadBytes))
}

/// Asks for a stream of messages.
public struct SourceRequest: Message {
  /// Of the payloads in bytes, in order; at most 10,000 of them.
  public var sizes: [UInt32] = []
  /// Without sizes: so many messages, each with its number from 1.
  public var count: UInt64 = 0
  /// Of the payload of each of those in bytes, at most 4 MiB.
  public var size: UInt32 = 0
  /// Between two messages, at most 600,000; 0: as fast as they are taken.
  public var intervalMilliseconds: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SourceRequest", .uint32s(1, "sizes", \.sizes), .uint64(2, "count", \.count),
    .uint32(3, "size", \.size), .uint32(4, "interval_ms", \.intervalMilliseconds))
}

/// Asks for the connections of the caller's own principal.
public struct ConnectionsRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.ConnectionsRequest")
}

/// Connections, oldest first; at most 1,000.
public struct ConnectionsResponse: Message {
  public var connections: [ConnectionEntry] = []
  /// Of all, shown or not.
  public var total: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ConnectionsResponse", .messages(1, "connections", \.connections),
    .uint32(2, "total", \.total))
}

/// One connection of the caller's principal.
public struct ConnectionEntry: Message {
  /// Since the server's start.
  public var id: UInt64 = 0
  /// The peer's, without its port.
  public var address = ""
  public var openedMillisecondsAgo: Int64 = 0
  public var openCalls: UInt32 = 0
  /// The one that the question came on.
  public var isThis = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ConnectionEntry", .uint64(1, "id", \.id), .string(2, "address", \.address),
    .int64(3, "opened_ms_ago", \.openedMillisecondsAgo), .uint32(4, "open_calls", \.openCalls),
    .bool(5, "is_this", \.isThis))
}
