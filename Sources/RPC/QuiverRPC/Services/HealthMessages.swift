public import QuiverProtobuf

/// Asks about a server or one of its services.
public struct HealthCheckRequest: Message {
  /// The service's full name, as in `quiver.v1.Equipment`; empty: the server as a whole.
  public var service = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HealthCheckRequest", .string(1, "service", \.service))
}

/// Whether calls are taken.
public struct HealthCheckResponse: Message {
  public var status = ServingStatus.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.HealthCheckResponse", .enum(1, "status", \.status))
}

/// Whether a server or a service takes calls.
public struct ServingStatus: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let serving = Self(rawValue: 1)
  /// Draining, or the store does not write.
  public static let notServing = Self(rawValue: 2)
  /// Of a watch.
  public static let serviceUnknown = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.ServingStatus",
    [
      (0, "SERVING_STATUS_UNSPECIFIED"), (1, "SERVING_STATUS_SERVING"),
      (2, "SERVING_STATUS_NOT_SERVING"), (3, "SERVING_STATUS_SERVICE_UNKNOWN"),
    ])
}
