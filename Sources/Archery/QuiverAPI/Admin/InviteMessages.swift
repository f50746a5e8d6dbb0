public import QuiverProtobuf

/// The description of an invite. Its code is returned once, when it is created.
public struct Invite: Message {
  /// The id of the invite, assigned by the server.
  public var id: Int64 = 0
  /// A description for administrators; at most 200 characters.
  public var label = ""
  /// The number of users that the invite can create, 1 to 1,000.
  public var uses: UInt32 = 0
  /// The number of users that it can still create.
  public var usesLeft: UInt32 = 0
  /// The id of the administrator who created it.
  public var createdBy: Int64 = 0
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// The time of expiry, in milliseconds since 1970-01-01 UTC; nil: it does not expire.
  public var expiresAtMilliseconds: Int64?
  /// The time of revocation, in milliseconds since 1970-01-01 UTC; nil: it is not revoked.
  public var revokedAtMilliseconds: Int64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Invite", .int64(1, "id", \.id), .string(2, "label", \.label),
    .uint32(3, "uses", \.uses), .uint32(4, "uses_left", \.usesLeft),
    .int64(5, "created_by", \.createdBy), .int64(6, "created_at_ms", \.createdAtMilliseconds),
    .optionalInt64(7, "expires_at_ms", \.expiresAtMilliseconds),
    .optionalInt64(8, "revoked_at_ms", \.revokedAtMilliseconds))
}

/// Requests a new invite.
public struct CreateInviteRequest: Message {
  /// A description for administrators; at most 200 characters.
  public var label = ""
  /// The number of users that the invite can create, 1 to 1,000.
  public var uses: UInt32 = 0
  /// The time of expiry, in milliseconds since 1970-01-01 UTC, after the current time; nil: it does
  /// not expire.
  public var expiresAtMilliseconds: Int64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateInviteRequest", .string(1, "label", \.label), .uint32(2, "uses", \.uses),
    .optionalInt64(3, "expires_at_ms", \.expiresAtMilliseconds))
}

/// A new invite with its code.
public struct CreateInviteResponse: Message {
  /// The description of the invite.
  public var invite: Invite?
  /// The code for `Account.redeemInvite`: 16 characters of Crockford's base32 in four
  /// groups. The server does not
  /// show it again.
  public var code = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateInviteResponse", .message(1, "invite", \.invite), .string(2, "code", \.code))
}

/// Requests a page of invites.
public struct ListInvitesRequest: Message {
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. A token of another method,
  /// filter or principal is INVALID_ARGUMENT.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListInvitesRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken))
}

/// A page of invites by id, newest first, including expired and used ones.
public struct ListInvitesResponse: Message {
  /// The invites of the page.
  public var invites: [Invite] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListInvitesResponse", .messages(1, "invites", \.invites),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Revokes an invite.
public struct RevokeInviteRequest: Message {
  /// The id of the invite.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RevokeInviteRequest", .int64(1, "id", \.id))
}
