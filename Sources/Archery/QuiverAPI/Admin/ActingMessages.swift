public import QuiverProtobuf

/// The permission of a service to act for a user.
///
/// Calls of the service with the user's id in the metadata key `quiver-user` have the user's
/// permissions.
public struct ActingGrant: Message {
  /// The id of a principal of the kind service.
  public var serviceID: Int64 = 0
  /// The id of a principal of the kind user.
  public var userID: Int64 = 0
  /// The id of the administrator who granted it.
  public var grantedBy: Int64 = 0
  /// The time of the grant, in milliseconds since 1970-01-01 UTC.
  public var grantedAtMilliseconds: Int64 = 0
  /// What the service may call for the user.
  public var scopes: [ActingScope] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ActingGrant", .int64(1, "service_id", \.serviceID), .int64(2, "user_id", \.userID),
    .int64(3, "granted_by", \.grantedBy), .int64(4, "granted_at_ms", \.grantedAtMilliseconds),
    .enums(5, "scopes", \.scopes))
}

/// What a service may call for a user. Calls of other methods are PERMISSION_DENIED; no scope
/// includes ``Admin`` or ``Account``'s `rotateToken`.
public struct ActingScope: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// What changes nothing, except `exportMyData`; part of every grant.
  public static let read = Self(rawValue: 1)
  /// Changes by ``Equipment`` and ``Comparison``.
  public static let equipment = Self(rawValue: 2)
  /// Changes by ``Rounds`` and ``Tournament``.
  public static let scoring = Self(rawValue: 3)
  /// Changes by ``Logbook``.
  public static let logbook = Self(rawValue: 4)
  /// Changes by ``Account``, its deletion included, and `exportMyData`.
  public static let account = Self(rawValue: 5)

  public static let schema = EnumSchema(
    "quiver.v1.ActingScope",
    [
      (0, "ACTING_SCOPE_UNSPECIFIED"), (1, "ACTING_SCOPE_READ"), (2, "ACTING_SCOPE_EQUIPMENT"),
      (3, "ACTING_SCOPE_SCORING"), (4, "ACTING_SCOPE_LOGBOOK"), (5, "ACTING_SCOPE_ACCOUNT"),
    ])
}

/// Allows a service to act for a user.
public struct GrantActingRequest: Message {
  /// The id of a principal of the kind service.
  public var serviceID: Int64 = 0
  /// The id of a principal of the kind user.
  public var userID: Int64 = 0
  /// What the service may call for the user; empty: all but `account`. `read` is always included.
  public var scopes: [ActingScope] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GrantActingRequest", .int64(1, "service_id", \.serviceID),
    .int64(2, "user_id", \.userID), .enums(3, "scopes", \.scopes))
}

/// Removes the permission of a service to act for a user.
public struct RevokeActingRequest: Message {
  /// The id of the service.
  public var serviceID: Int64 = 0
  /// The id of the user.
  public var userID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RevokeActingRequest", .int64(1, "service_id", \.serviceID),
    .int64(2, "user_id", \.userID))
}

/// Requests a page of grants.
public struct ListActingGrantsRequest: Message {
  /// Only the grants of this service; 0: of all services.
  public var serviceID: Int64 = 0
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. A token of another method,
  /// filter or principal is INVALID_ARGUMENT.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListActingGrantsRequest", .int64(1, "service_id", \.serviceID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// A page of grants in the order of creation.
public struct ListActingGrantsResponse: Message {
  /// The grants of the page.
  public var grants: [ActingGrant] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListActingGrantsResponse", .messages(1, "grants", \.grants),
    .string(2, "next_page_token", \.nextPageToken))
}
