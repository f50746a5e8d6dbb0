public import QuiverProtobuf

/// What a principal says of itself.
public struct Profile: Message {
  public var principalID: Int64 = 0
  /// 1 to 50 characters, or empty for none.
  public var displayName = ""
  /// An IANA name, as in `Europe/Zurich`, at most 64 characters; or empty.
  public var timeZone = ""
  public var units = Units.unspecified
  /// From 1; an update names the one that it read.
  public var revision: UInt64 = 0
  /// Since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0
  /// ``displayName``, or "Archer" and the id.
  public var shownName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Profile", .int64(1, "principal_id", \.principalID),
    .string(2, "display_name", \.displayName), .string(3, "time_zone", \.timeZone),
    .enum(4, "units", \.units), .uint64(5, "revision", \.revision),
    .int64(6, "updated_at_ms", \.updatedAtMilliseconds), .string(7, "shown_name", \.shownName))
}

/// Asks for the caller's profile.
public struct GetProfileRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetProfileRequest")
}

/// Asks for other values of the fields that the mask names.
public struct UpdateProfileRequest: Message {
  /// Names the revision that was read.
  public var profile: Profile?
  /// Of `display_name`, `time_zone`, `units`.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateProfileRequest", .message(1, "profile", \.profile),
    .strings(2, "update_mask", \.updateMask))
}

/// What lengths and weights are shown in.
public struct Units: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let metric = Self(rawValue: 1)
  public static let imperial = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.Units", [(0, "UNITS_UNSPECIFIED"), (1, "UNITS_METRIC"), (2, "UNITS_IMPERIAL")])
}
