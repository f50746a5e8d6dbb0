public import QuiverProtobuf

/// Requests the status of a server or of one of its services.
public struct HealthCheckRequest: Message {
  /// The full name of the service, for example `quiver.v1.Equipment`; empty: the whole server.
  public var service = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HealthCheckRequest", .string(1, "service", \.service))
}

/// The status of a server or of a service.
public struct HealthCheckResponse: Message {
  /// Whether it accepts calls.
  public var status = ServingStatus.unspecified
  /// Why it is not serving, for people; empty otherwise.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HealthCheckResponse", .enum(1, "status", \.status), .string(2, "reason", \.reason))
}

/// Whether a server or a service accepts calls.
public struct ServingStatus: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// It accepts calls.
  public static let serving = Self(rawValue: 1)
  /// The server is draining, or its store cannot write.
  public static let notServing = Self(rawValue: 2)
  /// The server does not have the service; only from `Health.watch`.
  public static let serviceUnknown = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.ServingStatus",
    [
      (0, "SERVING_STATUS_UNSPECIFIED"), (1, "SERVING_STATUS_SERVING"),
      (2, "SERVING_STATUS_NOT_SERVING"), (3, "SERVING_STATUS_SERVICE_UNKNOWN"),
    ])
}
