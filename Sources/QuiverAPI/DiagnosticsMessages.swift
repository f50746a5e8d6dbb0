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

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FailRequest", .uint32(1, "code", \.code), .string(2, "message", \.message),
    .bool(3, "not_processed", \.notProcessed),
    .sint32(4, "retry_after_ms", \.retryAfterMilliseconds),
    .messages(5, "details", \.details), .messages(6, "metadata", \.metadata))
}

/// Never sent: the call fails.
public struct FailResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.FailResponse")
}
