public import QuiverProtobuf

/// What a device says of itself. The server shows it and decides nothing by it.
public struct DeviceReport: Message {
  /// That it has not been able to send.
  public var waitingOperations: UInt32 = 0
  /// By its clock; 0: nothing waits.
  public var waitingSinceMilliseconds: Int64 = 0
  /// At most 50 characters.
  public var pageVersion = ""
  /// At most 100; absent: not known.
  public var batteryPercent: UInt32?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeviceReport",
    .uint32(1, "waiting_operations", \.waitingOperations),
    .int64(2, "waiting_since_ms", \.waitingSinceMilliseconds),
    .string(3, "page_version", \.pageVersion),
    .optionalUint32(4, "battery_percent", \.batteryPercent))
}

/// A scoring device that has joined with a secret of its own.
public struct EventDevice: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the principal.
  public var principalID: Int64 = 0
  /// As it named itself when it joined last.
  public var device = ""
  /// For the first time.
  public var joinedAtMilliseconds: Int64 = 0
  /// Exact to an hour.
  public var lastCallAtMilliseconds: Int64 = 0
  /// 0: it may score; later operations of it are LATE for 7 days.
  public var endedAtMilliseconds: Int64 = 0
  /// Absent: none.
  public var report: DeviceReport?
  /// 0: not yet.
  public var reportedAtMilliseconds: Int64 = 0
  /// How many leases it has.
  public var leaseCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EventDevice",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "principal_id", \.principalID),
    .string(3, "device", \.device), .int64(4, "joined_at_ms", \.joinedAtMilliseconds),
    .int64(5, "last_call_at_ms", \.lastCallAtMilliseconds),
    .int64(6, "ended_at_ms", \.endedAtMilliseconds), .message(7, "report", \.report),
    .int64(8, "reported_at_ms", \.reportedAtMilliseconds), .uint32(9, "lease_count", \.leaseCount))
}

/// Requests the devices of an event.
public struct ListEventDevicesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventDevicesRequest",
    .int64(1, "tournament_id", \.tournamentID))
}

/// The devices of an event.
public struct ListEventDevicesResponse: Message {
  /// By principal id; at most 2,000.
  public var devices: [EventDevice] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventDevicesResponse",
    .messages(1, "devices", \.devices))
}

/// Ends a device.
public struct EndDeviceRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the principal.
  public var principalID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EndDeviceRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "principal_id", \.principalID))
}

/// The device has ended.
public struct EndDeviceResponse: Message {

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EndDeviceResponse")
}

/// What is open at the target of a plate.
public struct TargetChoice: Message {
  /// 0: a match.
  public var sessionID: Int64 = 0
  /// 0: a session.
  public var matchID: Int64 = 0
  /// Of the session, or of both sides of the match.
  public var name = ""
  /// 0: not known.
  public var startsAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TargetChoice",
    .int64(1, "session_id", \.sessionID), .int64(2, "match_id", \.matchID),
    .string(3, "name", \.name), .int64(4, "starts_at_ms", \.startsAtMilliseconds))
}

/// Requests the codes of plates.
public struct CreatePlateCodesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// 0: the targets of all sessions and matches.
  public var firstTarget: UInt32 = 0
  /// At most 200 targets.
  public var lastTarget: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreatePlateCodesRequest",
    .int64(1, "tournament_id", \.tournamentID), .uint32(2, "first_target", \.firstTarget),
    .uint32(3, "last_target", \.lastTarget))
}

/// The codes of plates.
public struct CreatePlateCodesResponse: Message {
  /// By target.
  public var codes: [TargetCode] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreatePlateCodesResponse",
    .messages(1, "codes", \.codes))
}

/// Says how the calling device is.
public struct ReportDeviceRequest: Message {
  /// What it says.
  public var report: DeviceReport?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ReportDeviceRequest",
    .message(1, "report", \.report))
}

/// The report is stored.
public struct ReportDeviceResponse: Message {

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ReportDeviceResponse")
}
