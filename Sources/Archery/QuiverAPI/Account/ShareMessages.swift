public import QuiverProtobuf

/// A part of a user's data that it shares. Each part is named: there is no value for all.
public struct SharePart: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Items, bow setups and sight marks.
  public static let equipment = Self(rawValue: 1)
  /// The user's own rounds with their arrows, best scores and handicaps; no guests.
  public static let rounds = Self(rawValue: 2)
  /// Statistics and comparisons of bow setups and items.
  public static let comparison = Self(rawValue: 3)
  /// Body weight with its plan.
  public static let weight = Self(rawValue: 4)
  /// Sets of strength training.
  public static let strength = Self(rawValue: 5)
  /// Rounds and exercises by day; body weight only where ``weight`` is shared too.
  public static let trainingLog = Self(rawValue: 6)

  public static let schema = EnumSchema(
    "quiver.v1.SharePart",
    [
      (0, "SHARE_PART_UNSPECIFIED"), (1, "SHARE_PART_EQUIPMENT"), (2, "SHARE_PART_ROUNDS"),
      (3, "SHARE_PART_COMPARISON"), (4, "SHARE_PART_WEIGHT"), (5, "SHARE_PART_STRENGTH"),
      (6, "SHARE_PART_TRAINING_LOG"),
    ])
}

/// Whose shares are listed.
public struct ShareSide: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Both.
  public static let unspecified = Self(rawValue: 0)
  /// What the caller shares.
  public static let given = Self(rawValue: 1)
  /// What others share with the caller.
  public static let received = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.ShareSide",
    [(0, "SHARE_SIDE_UNSPECIFIED"), (1, "SHARE_SIDE_GIVEN"), (2, "SHARE_SIDE_RECEIVED")])
}

/// What a user lets another principal read.
public struct Share: Message {
  /// The id of the share.
  public var id: Int64 = 0
  /// Whose data it is: the id that the reader names in `quiver-user`.
  public var ownerID: Int64 = 0
  /// The owner's name, or `Archer <id>`.
  public var ownerName = ""
  /// Who may read it.
  public var readerID: Int64 = 0
  /// The reader's name, or `Archer <id>`.
  public var readerName = ""
  /// What may be read.
  public var parts: [SharePart] = []
  /// The last day, in the owner's time zone.
  public var untilDay: Int32 = 0
  /// When that day is over, in milliseconds since 1970-01-01.
  public var endsAtMilliseconds: Int64 = 0
  /// When it was granted, in milliseconds since 1970-01-01.
  public var createdAtMilliseconds: Int64 = 0
  /// When the reader read last, to a quarter of an hour, in milliseconds since 1970-01-01; 0:
  /// never.
  public var lastReadAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Share", .int64(1, "id", \.id), .int64(2, "owner_id", \.ownerID),
    .string(3, "owner_name", \.ownerName), .int64(4, "reader_id", \.readerID),
    .string(5, "reader_name", \.readerName), .enums(6, "parts", \.parts),
    .int32(7, "until_day", \.untilDay), .int64(8, "ends_at_ms", \.endsAtMilliseconds),
    .int64(9, "created_at_ms", \.createdAtMilliseconds),
    .int64(10, "last_read_at_ms", \.lastReadAtMilliseconds))
}

/// Lets another principal read parts of the caller's data.
public struct ShareDataRequest: Message {
  /// The code that the reader shows (``Account``'s `getIntroductionCode`).
  public var principalCode = ""
  /// Instead of the code: a share of the caller, which gets these parts and this day.
  public var shareID: Int64 = 0
  /// What may be read; at least one part.
  public var parts: [SharePart] = []
  /// The last day, in the caller's time zone: today to 731 days ahead.
  public var untilDay: Int32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShareDataRequest", .string(1, "principal_code", \.principalCode),
    .int64(2, "share_id", \.shareID), .enums(3, "parts", \.parts),
    .int32(4, "until_day", \.untilDay))
}

/// An invitation to read parts of a user's data, without its code.
public struct ShareInvite: Message {
  /// The id of the invitation.
  public var id: Int64 = 0
  /// What may be read by who accepts it.
  public var parts: [SharePart] = []
  /// Until when, in the owner's time zone.
  public var untilDay: Int32 = 0
  /// When it was made, in milliseconds since 1970-01-01.
  public var createdAtMilliseconds: Int64 = 0
  /// When the code ends, in milliseconds since 1970-01-01.
  public var expiresAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShareInvite", .int64(1, "id", \.id), .enums(2, "parts", \.parts),
    .int32(3, "until_day", \.untilDay), .int64(4, "created_at_ms", \.createdAtMilliseconds),
    .int64(5, "expires_at_ms", \.expiresAtMilliseconds))
}

/// Makes an invitation to read parts of the caller's data.
public struct CreateShareInviteRequest: Message {
  /// What may be read by who accepts it; at least one part.
  public var parts: [SharePart] = []
  /// The last day, in the caller's time zone: today to 731 days ahead.
  public var untilDay: Int32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateShareInviteRequest", .enums(1, "parts", \.parts),
    .int32(2, "until_day", \.untilDay))
}

/// A new invitation with its code.
public struct CreateShareInviteResponse: Message {
  /// The invitation.
  public var invite: ShareInvite?
  /// 16 characters; not shown again.
  public var code = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateShareInviteResponse", .message(1, "invite", \.invite),
    .string(2, "code", \.code))
}

/// Accepts an invitation.
public struct AcceptShareInviteRequest: Message {
  /// 16 characters; case, hyphens and spaces are ignored.
  public var code = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AcceptShareInviteRequest", .string(1, "code", \.code))
}

/// Ends an invitation that nobody has accepted.
public struct EndShareInviteRequest: Message {
  /// The id of the invitation.
  public var inviteID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EndShareInviteRequest", .int64(1, "invite_id", \.inviteID))
}

/// Requests a page of invitations.
public struct ListShareInvitesRequest: Message {
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListShareInvitesRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken))
}

/// A page of invitations in the order of creation.
public struct ListShareInvitesResponse: Message {
  /// The invitations of the page.
  public var invites: [ShareInvite] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListShareInvitesResponse", .messages(1, "invites", \.invites),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Requests a page of shares.
public struct ListSharesRequest: Message {
  /// Only what the caller gives, or only what it receives; unspecified: both.
  public var side = ShareSide.unspecified
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSharesRequest", .enum(1, "side", \.side),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// A page of shares in force, in the order of creation.
public struct ListSharesResponse: Message {
  /// The shares of the page.
  public var shares: [Share] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListSharesResponse", .messages(1, "shares", \.shares),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Ends a share.
public struct EndShareRequest: Message {
  /// The id of the share.
  public var shareID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EndShareRequest", .int64(1, "share_id", \.shareID))
}
