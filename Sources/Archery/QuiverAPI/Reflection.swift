package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Reflection`: what a server offers, so that a program can call what it was not built
/// with.
public enum Reflection {
  public static let describe = Method<DescribeRequest, DescribeResponse>(
    "quiver.v1.Reflection/Describe", id: 513)

  package static let methods = [describe.info]
  package static let schema = ServiceSchema(
    "quiver.v1.Reflection", number: 2, methods.map(\.schema))
}

/// What answers ``Reflection``.
public protocol ReflectionHandlers: Sendable {
  func describe(
    _ request: DescribeRequest, _ call: CallContext
  ) throws(RPCError) -> DescribeResponse
}

extension ReflectionHandlers {
  @inlinable
  public var routes: [Route] { [.synchronous(Reflection.describe, describe)] }
}
