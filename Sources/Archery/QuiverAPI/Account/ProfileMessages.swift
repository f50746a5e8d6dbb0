public import QuiverProtobuf

/// The settings that a principal shows and uses in all of its apps.
public struct Profile: Message {
  /// The id of the principal.
  public var principalID: Int64 = 0
  /// The name that others see: 1 to 50 characters, or empty if none.
  public var displayName = ""
  /// The IANA name of an existing zone, for example `Europe/Zurich`, at most 64 characters; or
  /// empty. The server derives a civil day from an instant in it if a request has no day.
  public var timeZone = ""
  /// The units in which lengths and weights are shown.
  public var units = Units.unspecified
  /// The revision of the object, from 1; each change increments it. An update names the revision
  /// that it read; if the object has another one, the update is ABORTED with the current object as
  /// a detail.
  public var revision: UInt64 = 0
  /// The time of the last change, in milliseconds since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0
  /// ``displayName``, or `Archer <id>` if it is empty.
  public var shownName = ""
  /// The bowstyle of the archer's new rounds, and of classifications that name none.
  public var bowstyle = Bowstyle.unspecified
  /// The gender category for classifications.
  public var gender = ArcherGender.unspecified
  /// The age group for classifications.
  public var ageGroup = AgeGroup.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Profile", .int64(1, "principal_id", \.principalID),
    .string(2, "display_name", \.displayName), .string(3, "time_zone", \.timeZone),
    .enum(4, "units", \.units), .uint64(5, "revision", \.revision),
    .int64(6, "updated_at_ms", \.updatedAtMilliseconds), .string(7, "shown_name", \.shownName),
    .enum(8, "bowstyle", \.bowstyle), .enum(9, "gender", \.gender),
    .enum(10, "age_group", \.ageGroup))
}

/// The request of `Account.getProfile`.
public struct GetProfileRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetProfileRequest")
}

/// Changes the fields of the profile that the mask names.
public struct UpdateProfileRequest: Message {
  /// The new values, with the revision that was read.
  public var profile: Profile?
  /// The proto names of the fields to change: `display_name`, `time_zone`, `units`,
  /// `bowstyle`, `gender`, `age_group`.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateProfileRequest", .message(1, "profile", \.profile),
    .strings(2, "update_mask", \.updateMask))
}

/// The units in which lengths and weights are shown.
public struct Units: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Metric units, for example kilograms.
  public static let metric = Self(rawValue: 1)
  /// Imperial units, for example pounds.
  public static let imperial = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.Units", [(0, "UNITS_UNSPECIFIED"), (1, "UNITS_METRIC"), (2, "UNITS_IMPERIAL")])
}
