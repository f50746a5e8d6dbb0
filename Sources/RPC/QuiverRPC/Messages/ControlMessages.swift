public import QuiverProtobuf
import QuiverWire

// The control payloads of `Protos/quiver/v1/wire.proto`, which libprotobuf-c packs and unpacks.

/// The first frame of each side; 0 or absent is a field's default.
package struct Hello: Message {
  package var versionMin: UInt32 = 0
  package var versionMax: UInt32 = 0
  package var software = ""
  package var instanceID: [UInt8] = []
  package var maxFrameBytes: UInt32 = 0
  package var maxMessageBytes: UInt32 = 0
  package var maxConcurrentStreams: UInt32 = 0
  package var initialStreamCredit: UInt64 = 0
  package var initialConnectionCredit: UInt64 = 0
  package var pingFloorMilliseconds: UInt32 = 0
  package var idleTimeoutMilliseconds: UInt32 = 0
  package var compression: [String] = []
  package var schemaFingerprint: [UInt8] = []
  package var authToken: [UInt8] = []
  package var gatewayToken: [UInt8] = []

  package init() {}

  package static let schema = Schema<Self>(
    "quiver.v1.Hello",
    .uint32(1, "version_min", \.versionMin), .uint32(2, "version_max", \.versionMax),
    .string(3, "software", \.software), .bytes(4, "instance_id", \.instanceID),
    .uint32(5, "max_frame_bytes", \.maxFrameBytes),
    .uint32(6, "max_message_bytes", \.maxMessageBytes),
    .uint32(7, "max_concurrent_streams", \.maxConcurrentStreams),
    .uint64(8, "initial_stream_credit", \.initialStreamCredit),
    .uint64(9, "initial_connection_credit", \.initialConnectionCredit),
    .uint32(10, "ping_floor_ms", \.pingFloorMilliseconds),
    .uint32(11, "idle_timeout_ms", \.idleTimeoutMilliseconds),
    .strings(12, "compression", \.compression),
    .bytes(13, "schema_fingerprint", \.schemaFingerprint), .bytes(14, "auth_token", \.authToken),
    .bytes(15, "gateway_token", \.gatewayToken))
}

/// `RequestHead` for libprotobuf-c, against which the hand-written decoder is tested.
package struct RequestHeadMessage: Message {
  package var methodID: UInt32 = 0
  package var methodName = ""
  package var timeoutMilliseconds: UInt32 = 0
  package var idempotencyKey: [UInt8] = []
  package var traceparent: [UInt8] = []
  package var attempt: UInt32 = 0
  package var afterSequence: Int64 = 0
  package var metadata: [MetadataMessage] = []
  package var storeEpoch: UInt64 = 0
  package var creditAtOnce = false

  package init() {}

  package static let schema = Schema<Self>(
    "quiver.v1.RequestHead",
    .uint32(1, "method_id", \.methodID), .string(2, "method_name", \.methodName),
    .uint32(3, "timeout_ms", \.timeoutMilliseconds),
    .bytes(4, "idempotency_key", \.idempotencyKey), .bytes(5, "traceparent", \.traceparent),
    .uint32(6, "attempt", \.attempt), .int64(7, "after_sequence", \.afterSequence),
    .messages(8, "metadata", \.metadata), .fixed64(9, "store_epoch", \.storeEpoch),
    .bool(10, "credit_at_once", \.creditAtOnce))
}

/// One entry of ``Metadata`` as a protobuf message.
public struct MetadataMessage: Message {
  /// The key, 1 to 64 characters of `a-z0-9._-`.
  public var key = ""
  /// The value.
  public var value: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Metadata", .string(1, "key", \.key), .bytes(2, "value", \.value))
}

/// Initial metadata of a reply.
package struct ResponseHead: Message {
  package var metadata: [MetadataMessage] = []

  package init() {}

  package static let schema = Schema<Self>(
    "quiver.v1.ResponseHead", .messages(1, "metadata", \.metadata))
}

/// How a call ended, with trailing metadata.
package struct StatusMessage: Message {
  package var code: UInt32 = 0
  package var message = ""
  package var details: [DetailMessage] = []
  package var metadata: [MetadataMessage] = []
  package var notProcessed = false
  package var retryAfterMilliseconds: Int32 = 0

  package init() {}

  package static let schema = Schema<Self>(
    "quiver.v1.Status",
    .uint32(1, "code", \.code), .string(2, "message", \.message),
    .messages(3, "details", \.details), .messages(4, "metadata", \.metadata),
    .bool(5, "not_processed", \.notProcessed),
    .sint32(6, "retry_after_ms", \.retryAfterMilliseconds))
}

/// One ``RPCError/Detail`` as a protobuf message.
public struct DetailMessage: Message {
  /// The full name of the message, for example `quiver.v1.Riser`.
  public var type = ""
  /// The encoded message.
  public var value: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Detail", .string(1, "type", \.type), .bytes(2, "value", \.value))
}

/// Gives a call up.
package struct CancelMessage: Message {
  package var code: UInt32 = 0
  package var reason = ""

  package init() {}

  package static let schema = Schema<Self>(
    "quiver.v1.Cancel", .uint32(1, "code", \.code), .string(2, "reason", \.reason))
}

/// Ends a connection, or announces its end.
package struct GoAwayMessage: Message {
  package var code: UInt32 = 0
  package var reason = ""
  package var lastStreamID: UInt32 = 0
  package var drainMilliseconds: UInt32 = 0

  package init() {}

  package static let schema = Schema<Self>(
    "quiver.v1.GoAway",
    .uint32(1, "code", \.code), .string(2, "reason", \.reason),
    .uint32(3, "last_stream_id", \.lastStreamID), .uint32(4, "drain_ms", \.drainMilliseconds))
}

/// `Protos/quiver/v1/wire.proto`, for reflection and the parity test.
package enum WireFile {
  package static let messages: [MessageSchema] = [
    Hello.schema.core, RequestHeadMessage.schema.core, MetadataMessage.schema.core,
    ResponseHead.schema.core, StatusMessage.schema.core, DetailMessage.schema.core,
    CancelMessage.schema.core, GoAwayMessage.schema.core,
  ]
}
