public import QuiverProtobuf

/// What an official may do. The organiser who created the event has all rights.
public struct EventRole: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Changes the structure, and all that the others do.
  public static let organiser = Self(rawValue: 1)
  /// States and places of entries, disqualifications, notices and pauses of the shooting.
  public static let judge = Self(rawValue: 2)
  /// Sees a private event.
  public static let scorer = Self(rawValue: 3)
  /// Sees a private event, and licences.
  public static let results = Self(rawValue: 4)
  /// Sees a private event, and notes who has come.
  public static let checkIn = Self(rawValue: 5)

  public static let schema = EnumSchema(
    "quiver.v1.EventRole",
    [
      (0, "EVENT_ROLE_UNSPECIFIED"), (1, "EVENT_ROLE_ORGANISER"), (2, "EVENT_ROLE_JUDGE"),
      (3, "EVENT_ROLE_SCORER"), (4, "EVENT_ROLE_RESULTS"),
      (5, "EVENT_ROLE_CHECK_IN"),
    ])
}

/// An official of an event.
public struct EventOfficial: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the principal.
  public var principalID: Int64 = 0
  /// The shown name.
  public var displayName = ""
  /// The role.
  public var role = EventRole.unspecified
  /// Made by CreateOfficialCode: its token is for this event alone.
  public var isBound = false
  /// Of such a one; 0: not yet.
  public var signedInAtMilliseconds: Int64 = 0
  /// Of such a one, exact to an hour; before it signed in, when its code was made.
  public var lastCallAtMilliseconds: Int64 = 0
  /// Of such a one: unless it calls before, or signs in.
  public var endsAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EventOfficial",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "principal_id", \.principalID),
    .string(3, "display_name", \.displayName), .enum(4, "role", \.role),
    .bool(5, "is_bound", \.isBound), .int64(6, "signed_in_at_ms", \.signedInAtMilliseconds),
    .int64(7, "last_call_at_ms", \.lastCallAtMilliseconds),
    .int64(8, "ends_at_ms", \.endsAtMilliseconds))
}

/// Appoints somebody who needs no account.
public struct CreateOfficialCodeRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The role.
  public var role = EventRole.unspecified
  /// 1 to 50 characters.
  public var displayName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateOfficialCodeRequest",
    .int64(1, "tournament_id", \.tournamentID), .enum(2, "role", \.role),
    .string(3, "display_name", \.displayName))
}

/// An official who has not signed in yet, with the code for that.
public struct CreateOfficialCodeResponse: Message {
  /// The official.
  public var official: EventOfficial?
  /// U- and 16 characters in groups of four; case and hyphens do not matter.
  public var code = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateOfficialCodeResponse",
    .message(1, "official", \.official), .string(2, "code", \.code))
}

/// Signs in by a code.
public struct SignInOfficialRequest: Message {
  /// Of CreateOfficialCode.
  public var code = ""
  /// 32 random bytes.
  public var deviceSecret: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SignInOfficialRequest",
    .string(1, "code", \.code), .bytes(2, "device_secret", \.deviceSecret))
}

/// Gives a principal a role.
public struct SetEventOfficialRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the principal.
  public var principalID: Int64 = 0
  /// The role.
  public var role = EventRole.unspecified
  /// The code that the principal shows, instead of its id.
  public var principalCode = ""
  /// The role that the principal has, as it was read, or unspecified for none: another one is
  /// ABORTED; nil: any.
  public var expectedRole: EventRole?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetEventOfficialRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "principal_id", \.principalID),
    .enum(3, "role", \.role), .string(4, "principal_code", \.principalCode),
    .optionalEnum(5, "expected_role", \.expectedRole))
}

/// Removes the role of a principal.
public struct RemoveEventOfficialRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the principal.
  public var principalID: Int64 = 0
  /// The role, as it was read: another one is ABORTED; unspecified: any.
  public var expectedRole = EventRole.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RemoveEventOfficialRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "principal_id", \.principalID),
    .enum(3, "expected_role", \.expectedRole))
}

/// The principal has no role.
public struct RemoveEventOfficialResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RemoveEventOfficialResponse")
}

/// Requests all officials of an event.
public struct ListEventOfficialsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventOfficialsRequest",
    .int64(1, "tournament_id", \.tournamentID))
}

/// All officials of an event.
public struct ListEventOfficialsResponse: Message {
  /// The officials; by principal id; at most 200.
  public var officials: [EventOfficial] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventOfficialsResponse",
    .messages(1, "officials", \.officials))
}
