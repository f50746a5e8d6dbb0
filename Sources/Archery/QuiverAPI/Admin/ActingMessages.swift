public import QuiverProtobuf

/// That a service may act for a user: its calls that name the user in the metadata `quiver-user`
/// are the user's.
public struct ActingGrant: Message {
  /// A principal's id, of the kind service.
  public var serviceID: Int64 = 0
  /// A principal's id, of the kind user.
  public var userID: Int64 = 0
  /// The id of the administrator.
  public var grantedBy: Int64 = 0
  /// Since 1970-01-01 UTC.
  public var grantedAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ActingGrant", .int64(1, "service_id", \.serviceID), .int64(2, "user_id", \.userID),
    .int64(3, "granted_by", \.grantedBy), .int64(4, "granted_at_ms", \.grantedAtMilliseconds))
}

/// Lets a service act for a user.
public struct GrantActingRequest: Message {
  public var serviceID: Int64 = 0
  public var userID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GrantActingRequest", .int64(1, "service_id", \.serviceID),
    .int64(2, "user_id", \.userID))
}

/// Ends that a service may act for a user.
public struct RevokeActingRequest: Message {
  public var serviceID: Int64 = 0
  public var userID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RevokeActingRequest", .int64(1, "service_id", \.serviceID),
    .int64(2, "user_id", \.userID))
}

/// Asks for a page of grants.
public struct ListActingGrantsRequest: Message {
  /// 0: of all services.
  public var serviceID: Int64 = 0
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListActingGrantsRequest", .int64(1, "service_id", \.serviceID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// A page of grants, in the order in which they were made.
public struct ListActingGrantsResponse: Message {
  public var grants: [ActingGrant] = []
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListActingGrantsResponse", .messages(1, "grants", \.grants),
    .string(2, "next_page_token", \.nextPageToken))
}
