/// The service `quiver.v1.Health`: whether a server, or one of its services, accepts calls.
public enum Health: RPCService {
  /// The methods of ``Health``.
  public struct Methods: Sendable {
    /// Returns the status. It needs no token. An unknown service is NOT_FOUND.
    public let check = UnaryMethod<HealthCheckRequest, HealthCheckResponse>(
      "quiver.v1.Health/Check", id: 257, anonymous: true)

    /// Sends the status at once and after each change. It needs no token. For an unknown service
    /// the status is ``ServingStatus/serviceUnknown``, and the stream stays open.
    public let watch = ServerStreamingMethod<HealthCheckRequest, HealthCheckResponse>(
      "quiver.v1.Health/Watch", id: 258, anonymous: true)
  }

  /// The methods of the service.
  public static let methods = Methods()
}
