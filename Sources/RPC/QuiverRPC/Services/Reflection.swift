package import QuiverProtobuf

/// `quiver.v1.Reflection`: what a server offers, so that a program can call what it was not built
/// with.
public enum Reflection {
  public static let describe = UnaryMethod<DescribeRequest, DescribeResponse>(
    "quiver.v1.Reflection/Describe", id: 513)

  package static let methods = [describe.info]
  package static let schema = ServiceSchema(
    "quiver.v1.Reflection", number: 2, methods.map(\.schema))
}
