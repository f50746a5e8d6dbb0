public import QuiverProtobuf

/// One method with the types of its messages: what a client calls and a server answers.
public struct Method<Request: Message, Response: Message>: Sendable {
  /// The method without its types.
  @usableFromInline
  package let info: MethodInfo

  /// Declares a method.
  ///
  /// - Parameters:
  ///   - name: the full name, as in `quiver.v1.Equipment/CreateRiser`.
  ///   - id: 256 x service + 1 to 255, never reused.
  ///   - kind: which sides are streams.
  ///   - mutating: whether the call changes something, and so takes an idempotency key.
  ///   - needsCaller: false where a call without a token is answered.
  public init(
    _ name: String, id: UInt32, kind: MethodKind = .unary, mutating: Bool = false,
    needsCaller: Bool = true
  ) {
    let short = name.split(separator: "/").last.map(String.init) ?? name
    info = MethodInfo(
      id: id, name: name, kind: kind, isMutating: mutating, needsCaller: needsCaller,
      schema: MethodSchema(id, short, kind, Request.self, Response.self))
  }

  /// The full name, as in `quiver.v1.Equipment/CreateRiser`.
  public var name: String { info.name }
  /// 256 x service + 1 to 255.
  public var id: UInt32 { info.id }
  /// Whether the call changes something, and so takes an idempotency key.
  public var isMutating: Bool { info.isMutating }
}

/// A method without the types of its messages.
@usableFromInline
package struct MethodInfo: Sendable {
  package let id: UInt32
  package let name: String
  package let kind: MethodKind
  package let isMutating: Bool
  package let needsCaller: Bool
  package let schema: MethodSchema

  package init(
    id: UInt32, name: String, kind: MethodKind, isMutating: Bool, needsCaller: Bool,
    schema: MethodSchema
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.isMutating = isMutating
    self.needsCaller = needsCaller
    self.schema = schema
  }
}
