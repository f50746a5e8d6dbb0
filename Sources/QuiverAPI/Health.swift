package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Health`: whether a server, or one of its services, takes calls.
public enum Health {
  /// Answers without a token. An unknown service is NOT_FOUND.
  public static let check = Method<HealthCheckRequest, HealthCheckResponse>(
    "quiver.v1.Health/Check", id: 257, needsCaller: false)

  package static let methods = [check.info]
  package static let schema = ServiceSchema(
    "quiver.v1.Health", number: 1, methods.map(\.schema))
}

/// What answers ``Health``.
public protocol HealthHandlers: Sendable {
  func check(
    _ request: HealthCheckRequest, _ call: CallContext
  ) throws(RPCError) -> HealthCheckResponse
}

extension HealthHandlers {
  @inlinable
  public var routes: [Route] { [.synchronous(Health.check, check)] }
}
