public import QuiverProtobuf

/// A method with the types of its messages and its kind: what a client calls and a server answers.
///
/// The kind is part of the type, so that a stream cannot be called as a unary method. Declarations
/// use ``UnaryMethod``, ``ServerStreamingMethod``, ``ClientStreamingMethod`` and
/// ``BidirectionalMethod``.
public struct Method<Kind: TypedMethodKind, Request: Message, Response: Message>: Sendable {
  /// The method without its types.
  @usableFromInline
  package let info: MethodInfo

  /// Declares a method.
  ///
  /// - Parameters:
  ///   - name: the full name, as in `quiver.v1.Equipment/CreateRiser`.
  ///   - id: 256 x service + 1 to 255, never reused.
  ///   - mutating: whether the call changes stored state. A token without the scope `write` may not
  ///     call it, and a unary call takes an idempotency key.
  ///   - anonymous: whether a call without a token is answered.
  public init(_ name: String, id: UInt32, mutating: Bool = false, anonymous: Bool = false) {
    info = MethodInfo(
      name, id: id, kind: Kind.value, mutating: mutating, anonymous: anonymous, Request.self,
      Response.self)
  }

  /// A method with the properties of `info`, whatever its kind.
  package init(info: MethodInfo) { self.info = info }

  /// The full name, as in `quiver.v1.Equipment/CreateRiser`.
  public var name: String { info.name }
  /// 256 x service + 1 to 255.
  public var id: UInt32 { info.id }
  /// Whether the call changes stored state.
  public var isMutating: Bool { info.isMutating }
}

/// A method with one request and one reply.
public typealias UnaryMethod<Request: Message, Response: Message> =
  Method<UnaryKind, Request, Response>
/// A method with one request and a stream of replies.
public typealias ServerStreamingMethod<Request: Message, Response: Message> =
  Method<ServerStreamingKind, Request, Response>
/// A method with a stream of requests and one reply.
public typealias ClientStreamingMethod<Request: Message, Response: Message> =
  Method<ClientStreamingKind, Request, Response>
/// A method with streams both ways.
public typealias BidirectionalMethod<Request: Message, Response: Message> =
  Method<BidirectionalKind, Request, Response>

/// A `MethodKind` as a type.
public protocol TypedMethodKind: Sendable {
  /// The kind as a value.
  static var value: MethodKind { get }
}

/// The kind of a method whose request is a stream.
public protocol StreamingRequestKind: TypedMethodKind {}

/// `MethodKind.unary` as a type.
public enum UnaryKind: TypedMethodKind {
  /// `MethodKind.unary`.
  public static var value: MethodKind { .unary }
}

/// `MethodKind.serverStreaming` as a type.
public enum ServerStreamingKind: TypedMethodKind {
  /// `MethodKind.serverStreaming`.
  public static var value: MethodKind { .serverStreaming }
}

/// `MethodKind.clientStreaming` as a type.
public enum ClientStreamingKind: StreamingRequestKind {
  /// `MethodKind.clientStreaming`.
  public static var value: MethodKind { .clientStreaming }
}

/// `MethodKind.bidirectional` as a type.
public enum BidirectionalKind: StreamingRequestKind {
  /// `MethodKind.bidirectional`.
  public static var value: MethodKind { .bidirectional }
}

/// A method without the types of its messages.
@usableFromInline
package struct MethodInfo: Sendable {
  package let id: UInt32
  /// The full name, as in `quiver.v1.Equipment/CreateRiser`.
  package let name: String
  package let kind: MethodKind
  package let isMutating: Bool
  package let isAnonymous: Bool
  /// Whether the replies are those of a watch: each begins with a ``WatchSpan``.
  package let isWatch: Bool
  package let schema: MethodSchema

  package init(
    id: UInt32, name: String, kind: MethodKind, isMutating: Bool, isAnonymous: Bool,
    isWatch: Bool = false, schema: MethodSchema
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.isMutating = isMutating
    self.isAnonymous = isAnonymous
    self.isWatch = isWatch
    self.schema = schema
  }

  /// The method of a name, with the schemas of its messages.
  package init<Request: Message, Response: Message>(
    _ name: String, id: UInt32, kind: MethodKind, mutating: Bool = false, anonymous: Bool = false,
    _: Request.Type, _: Response.Type
  ) {
    let short = name.split(separator: "/").last.map(String.init) ?? name
    self.init(
      id: id, name: name, kind: kind, isMutating: mutating, isAnonymous: anonymous,
      isWatch: Response.self is any WatchMessage.Type,
      schema: MethodSchema(
        id: id, name: short, kind: kind, isMutating: mutating, isAnonymous: anonymous,
        input: Request.schema.core, output: Response.schema.core))
  }

  /// The full name of the service, as in `quiver.v1.Equipment`.
  package var serviceName: String { String(name.prefix { $0 != "/" }) }
}
