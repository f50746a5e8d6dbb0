package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Health`: whether a server, or one of its services, takes calls.
public enum Health {
  /// Answers without a token. An unknown service is NOT_FOUND.
  public static let check = Method<HealthCheckRequest, HealthCheckResponse>(
    "quiver.v1.Health/Check", id: 257, needsCaller: false)

  /// Answers at once, and again at each change, without a token. What the server does not know is
  /// SERVICE_UNKNOWN, and the stream stays open.
  public static let watch = Method<HealthCheckRequest, HealthCheckResponse>(
    "quiver.v1.Health/Watch", id: 258, kind: .serverStreaming, needsCaller: false)

  package static let methods = [check.info, watch.info]
  package static let schema = ServiceSchema(
    "quiver.v1.Health", number: 1, methods.map(\.schema))
}

/// What answers ``Health``.
public protocol HealthHandlers: Sendable {
  func check(
    _ request: HealthCheckRequest, _ call: CallContext
  ) throws(RPCError) -> HealthCheckResponse
  func watch(
    _ request: HealthCheckRequest, _ call: CallContext,
    _ replies: StreamResponder<HealthCheckResponse>)
}

extension HealthHandlers {
  @inlinable
  public var routes: [Route] {
    [.synchronous(Health.check, check), .streamResponding(Health.watch, watch)]
  }
}
