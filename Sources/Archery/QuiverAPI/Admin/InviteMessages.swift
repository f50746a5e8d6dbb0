public import QuiverProtobuf

/// What is known of an invite; its code is shown once, when it is made.
public struct Invite: Message {
  public var id: Int64 = 0
  /// At most 200 characters.
  public var label = ""
  /// 1 to 1,000: how many users it makes.
  public var uses: UInt32 = 0
  public var usesLeft: UInt32 = 0
  /// A principal's id.
  public var createdBy: Int64 = 0
  /// Since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// Since 1970-01-01 UTC; nil: never.
  public var expiresAtMilliseconds: Int64?
  /// Since 1970-01-01 UTC; nil: it is not revoked.
  public var revokedAtMilliseconds: Int64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Invite", .int64(1, "id", \.id), .string(2, "label", \.label),
    .uint32(3, "uses", \.uses), .uint32(4, "uses_left", \.usesLeft),
    .int64(5, "created_by", \.createdBy), .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .optionalInt64(7, "expires_at_ms", \.expiresAtMilliseconds),
    .optionalInt64(8, "revoked_at_ms", \.revokedAtMilliseconds))
}

/// Asks for a new invite.
public struct CreateInviteRequest: Message {
  /// At most 200 characters.
  public var label = ""
  /// 1 to 1,000.
  public var uses: UInt32 = 0
  /// Since 1970-01-01 UTC, and must lie ahead; nil: never.
  public var expiresAtMilliseconds: Int64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateInviteRequest", .string(1, "label", \.label), .uint32(2, "uses", \.uses),
    .optionalInt64(3, "expires_at_ms", \.expiresAtMilliseconds))
}

/// A new invite with its code.
public struct CreateInviteResponse: Message {
  public var invite: Invite?
  /// 8 characters of Crockford's base32; not shown again.
  public var code = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateInviteResponse", .message(1, "invite", \.invite), .string(2, "code", \.code))
}

/// Asks for a page of invites.
public struct ListInvitesRequest: Message {
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListInvitesRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken))
}

/// A page of invites by id, newest first; ended ones too.
public struct ListInvitesResponse: Message {
  public var invites: [Invite] = []
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListInvitesResponse", .messages(1, "invites", \.invites),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Ends an invite for good.
public struct RevokeInviteRequest: Message {
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RevokeInviteRequest", .int64(1, "id", \.id))
}
