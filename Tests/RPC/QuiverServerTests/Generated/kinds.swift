// swift-format-ignore-file
// Made by protoc-gen-quiver-swift from kinds.proto.

public import QuiverServer

/// Methods of the four kinds.
public enum Kinds: RPCService {
  /// The methods of ``Kinds``.
  public struct Methods: Sendable {
    /// Returns its request.
    public let echo = UnaryMethod<Everything, Everything>(
      "test.kinds.v1.Kinds/Echo", id: 11265, mutating: true)
    /// `Down`.
    public let down = ServerStreamingMethod<Everything, Part>(
      "test.kinds.v1.Kinds/Down", id: 11266)
    /// `Up`.
    public let up = ClientStreamingMethod<Part, Everything>(
      "test.kinds.v1.Kinds/Up", id: 11267, anonymous: true)
    /// `Both`.
    public let both = BidirectionalMethod<Part, Part>(
      "test.kinds.v1.Kinds/Both", id: 11268)
  }

  /// The methods of the service.
  public static let methods = Methods()
}

/// Calls the methods of ``Kinds``.
public struct KindsClient: Sendable {
  /// What makes the calls.
  public let caller: any MethodCaller

  /// Creates a client of the service.
  public init(_ caller: any MethodCaller) { self.caller = caller }

  /// Returns its request.
  public func echo(
    _ request: Everything, options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Everything {
    try await caller.call(Kinds.methods.echo, request, options: options)
  }

  /// `Down`.
  public func down(
    _ request: Everything, options: CallOptions = CallOptions()
  ) throws(RPCError) -> ReplyStream<Part> {
    try caller.stream(Kinds.methods.down, request, options: options)
  }

  /// `Up`.
  public func up(
    options: CallOptions = CallOptions()
  ) throws(RPCError) -> StreamingCall<Part, Everything> {
    try caller.open(Kinds.methods.up, options: options)
  }

  /// `Both`.
  public func both(
    options: CallOptions = CallOptions()
  ) throws(RPCError) -> StreamingCall<Part, Part> {
    try caller.open(Kinds.methods.both, options: options)
  }
}

/// Answers the methods of ``Kinds``.
public protocol KindsHandlers: Sendable {
  /// Returns its request.
  func echo(
    _ request: Everything, _ call: CallContext
  ) async throws -> Everything

  /// `Down`.
  func down(
    _ request: Everything, _ call: CallContext, _ replies: ReplyWriter<Part>
  ) async throws

  /// `Up`.
  func up(
    _ requests: RequestStream<Part>, _ call: CallContext
  ) async throws -> Everything

  /// `Both`.
  func both(
    _ requests: RequestStream<Part>, _ call: CallContext, _ replies: ReplyWriter<Part>
  ) async throws
}

extension KindsHandlers {
  /// The service with these handlers.
  public var service: Service {
    Service(
      Kinds.self,
      [
        .handle(Kinds.methods.echo, echo),
        .handle(Kinds.methods.down, down),
        .handle(Kinds.methods.up, up),
        .handle(Kinds.methods.both, both),
      ])
  }
}

/// A part of a message.
public struct Part: Message {
  /// Its place, from 1.
  public var index: UInt32 = 0
  /// The field `color`.
  public var color = Color(rawValue: 0)

  /// A message with every field at its default.
  public init() {}

  /// The fields.
  public static let schema = Schema<Self>(
    "test.kinds.v1.Part",
    .uint32(1, "index", \.index),
    .enum(2, "color", \.color))
}

/// Fields of all types.
public struct Everything: Message {
  /// The field `double`.
  public var double: Double = 0
  /// The field `float`.
  public var float: Float = 0
  /// The field `long_number`.
  public var longNumber: Int64 = 0
  /// The field `unsigned_long`.
  public var unsignedLong: UInt64 = 0
  /// The field `small`.
  public var small: Int32 = 0
  /// The field `fixed_long`.
  public var fixedLong: UInt64 = 0
  /// The field `fixed_small`.
  public var fixedSmall: UInt32 = 0
  /// The field `is_set`.
  public var isSet: Bool = false
  /// The field `client_id`.
  public var clientID: String = ""
  /// The field `data`.
  public var data: [UInt8] = []
  /// The field `count`.
  public var count: UInt32 = 0
  /// The field `signed_fixed`.
  public var signedFixed: Int32 = 0
  /// The field `signed_fixed_long`.
  public var signedFixedLong: Int64 = 0
  /// The field `zigzag`.
  public var zigzag: Int32 = 0
  /// The field `zigzag_long`.
  public var zigzagLong: Int64 = 0
  /// The field `color`.
  public var color = Color(rawValue: 0)
  /// The field `part`.
  public var part: Part?
  /// The field `numbers`.
  public var numbers: [Int32] = []
  /// The field `texts`.
  public var texts: [String] = []
  /// The field `blobs`.
  public var blobs: [[UInt8]] = []
  /// The field `parts`.
  public var parts: [Part] = []
  /// The field `colors`.
  public var colors: [Color] = []
  /// The field `maybe`.
  public var maybe: Int32?
  /// The field `maybe_text`.
  public var maybeText: String?
  /// The field `maybe_color`.
  public var maybeColor: Color?
  /// The name is a word of the language.
  public var `default`: String = ""

  /// A message with every field at its default.
  public init() {}

  /// The fields.
  public static let schema = Schema<Self>(
    "test.kinds.v1.Everything",
    .double(1, "double", \.double),
    .float(2, "float", \.float),
    .int64(3, "long_number", \.longNumber),
    .uint64(4, "unsigned_long", \.unsignedLong),
    .int32(5, "small", \.small),
    .fixed64(6, "fixed_long", \.fixedLong),
    .fixed32(7, "fixed_small", \.fixedSmall),
    .bool(8, "is_set", \.isSet),
    .string(9, "client_id", \.clientID),
    .bytes(10, "data", \.data),
    .uint32(11, "count", \.count),
    .sfixed32(12, "signed_fixed", \.signedFixed),
    .sfixed64(13, "signed_fixed_long", \.signedFixedLong),
    .sint32(14, "zigzag", \.zigzag),
    .sint64(15, "zigzag_long", \.zigzagLong),
    .enum(16, "color", \.color),
    .message(17, "part", \.part),
    .int32s(18, "numbers", \.numbers),
    .strings(19, "texts", \.texts),
    .byteStrings(20, "blobs", \.blobs),
    .messages(21, "parts", \.parts),
    .enums(22, "colors", \.colors),
    .optionalInt32(23, "maybe", \.maybe),
    .optionalString(24, "maybe_text", \.maybeText),
    .optionalEnum(25, "maybe_color", \.maybeColor),
    .string(26, "default", \.`default`))
}

/// A color of a ring.
public struct Color: OpenEnum {
  /// The number, known or not.
  public var rawValue: Int32

  /// The value with a number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value `COLOR_UNSPECIFIED`.
  public static let unspecified = Self(rawValue: 0)
  /// The innermost.
  public static let gold = Self(rawValue: 1)
  /// The value `COLOR_RED`.
  public static let red = Self(rawValue: 2)

  /// Name and values.
  public static let schema = EnumSchema(
    "test.kinds.v1.Color",
    [
      (0, "COLOR_UNSPECIFIED"),
      (1, "COLOR_GOLD"),
      (2, "COLOR_RED"),
    ])
}
