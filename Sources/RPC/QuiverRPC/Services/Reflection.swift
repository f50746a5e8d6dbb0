/// The service `quiver.v1.Reflection`: the schema of a server, for programs that were built without
/// it.
public enum Reflection: RPCService {
  /// The methods of ``Reflection``.
  public struct Methods: Sendable {
    /// Returns the files, messages and methods of the server.
    public let describe = UnaryMethod<DescribeRequest, DescribeResponse>(
      "quiver.v1.Reflection/Describe", id: 513)
  }

  /// The methods of the service.
  public static let methods = Methods()
}
