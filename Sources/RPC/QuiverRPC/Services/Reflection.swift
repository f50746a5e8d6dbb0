/// `quiver.v1.Reflection`: what a server offers, so that a program can call what it was not built
/// with.
public enum Reflection: RPCService {
  public struct Methods: Sendable {
    public let describe = UnaryMethod<DescribeRequest, DescribeResponse>(
      "quiver.v1.Reflection/Describe", id: 513)
  }

  public static let methods = Methods()
}
