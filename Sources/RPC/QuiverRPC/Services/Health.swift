/// `quiver.v1.Health`: whether a server, or one of its services, takes calls.
public enum Health: RPCService {
  public struct Methods: Sendable {
    /// Answers without a token. An unknown service is NOT_FOUND.
    public let check = UnaryMethod<HealthCheckRequest, HealthCheckResponse>(
      "quiver.v1.Health/Check", id: 257, anonymous: true)

    /// Answers at once, and again at each change, without a token. What the server does not know is
    /// SERVICE_UNKNOWN, and the stream stays open.
    public let watch = ServerStreamingMethod<HealthCheckRequest, HealthCheckResponse>(
      "quiver.v1.Health/Watch", id: 258, anonymous: true)
  }

  public static let methods = Methods()
}
