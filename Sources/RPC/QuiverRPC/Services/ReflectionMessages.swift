public import QuiverProtobuf

/// Asks for the schema of the server.
public struct DescribeRequest: Message {
  /// The fingerprint of an answer that the caller has; the same one answers `unchanged` alone.
  public var knownFingerprint: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DescribeRequest", .bytes(1, "known_fingerprint", \.knownFingerprint))
}

/// The schema of the server: its files, and its methods by id.
public struct DescribeResponse: Message {
  /// SHA-256 of ``fileDescriptorSet``.
  public var fingerprint: [UInt8] = []
  /// The caller has this answer already; nothing else is set beside the fingerprint.
  public var unchanged = false
  /// An encoded `google.protobuf.FileDescriptorSet`.
  public var fileDescriptorSet: [UInt8] = []
  /// By id, lowest first.
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
  public var id: UInt32 = 0
  /// The full name, as in `quiver.v1.Equipment/CreateRiser`.
  public var name = ""
  public var kind = Kind.unspecified
  /// The full name of the message.
  public var requestType = ""
  /// The full name of the message.
  public var responseType = ""
  /// Whether the call changes stored state; a unary call then takes an idempotency key.
  public var mutating = false
  /// Whether a call without a token is answered.
  public var anonymous = false

  /// `quiver.v1.MethodKind`: which sides are streams.
  public struct Kind: OpenEnum {
    public var rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: 0)
    public static let unary = Self(rawValue: 1)
    public static let clientStreaming = Self(rawValue: 2)
    public static let serverStreaming = Self(rawValue: 3)
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
