public import QuiverProtobuf

/// Requests the schema of the server.
public struct DescribeRequest: Message {
  /// The fingerprint of a response that the caller has. If it is current, the response has only the
  /// fingerprint and ``DescribeResponse/unchanged``. Empty: none.
  public var knownFingerprint: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DescribeRequest", .bytes(1, "known_fingerprint", \.knownFingerprint))
}

/// The schema of the server.
public struct DescribeResponse: Message {
  /// The SHA-256 of ``fileDescriptorSet``, 32 bytes.
  public var fingerprint: [UInt8] = []
  /// Whether the caller's fingerprint is current; nothing else is set then.
  public var unchanged = false
  /// An encoded `google.protobuf.FileDescriptorSet`.
  public var fileDescriptorSet: [UInt8] = []
  /// The methods by id, ascending.
  public var methods: [MethodEntry] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DescribeResponse", .bytes(1, "fingerprint", \.fingerprint),
    .bool(2, "unchanged", \.unchanged),
    .bytes(3, "file_descriptor_set", \.fileDescriptorSet),
    .messages(4, "methods", \.methods))
}

/// One method of the server.
public struct MethodEntry: Message {
  /// The id of the method: 256 x service + 1 to 255.
  public var id: UInt32 = 0
  /// The full name, for example `quiver.v1.Equipment/CreateRiser`.
  public var name = ""
  /// Which sides are streams.
  public var kind = Kind.unspecified
  /// The full name of the request message.
  public var requestType = ""
  /// The full name of the response message.
  public var responseType = ""
  /// Whether the call changes stored data; a unary call then takes an idempotency key.
  public var mutating = false
  /// Whether the call needs no token.
  public var anonymous = false

  /// Which sides of a call are streams: `quiver.v1.MethodKind`.
  public struct Kind: OpenEnum {
    public var rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The value of a field that was not set.
    public static let unspecified = Self(rawValue: 0)
    /// One request and one response.
    public static let unary = Self(rawValue: 1)
    /// A stream of requests and one response.
    public static let clientStreaming = Self(rawValue: 2)
    /// One request and a stream of responses.
    public static let serverStreaming = Self(rawValue: 3)
    /// Streams both ways.
    public static let bidirectional = Self(rawValue: 4)

    public static let schema = EnumSchema(
      "quiver.v1.MethodKind",
      [
        (0, "METHOD_KIND_UNSPECIFIED"), (1, "METHOD_KIND_UNARY"),
        (2, "METHOD_KIND_CLIENT_STREAMING"), (3, "METHOD_KIND_SERVER_STREAMING"),
        (4, "METHOD_KIND_BIDIRECTIONAL"),
      ])
  }

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.MethodEntry", .uint32(1, "id", \.id), .string(2, "name", \.name),
    .enum(3, "kind", \.kind), .string(4, "request_type", \.requestType),
    .string(5, "response_type", \.responseType), .bool(6, "mutating", \.mutating),
    .bool(7, "anonymous", \.anonymous))
}
