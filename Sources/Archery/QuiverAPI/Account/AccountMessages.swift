public import QuiverProtobuf

/// Asks who calls.
public struct WhoAmIRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WhoAmIRequest")
}

/// Who calls, and by what right.
public struct WhoAmIResponse: Message {
  public var principal: Principal?
  /// 0: the caller is known by other means.
  public var tokenID: Int64 = 0
  public var scopes: [TokenScope] = []
  /// Since 1970-01-01 UTC; nil: never.
  public var tokenExpiresAtMilliseconds: Int64?
  /// Another one: nothing that was read before holds.
  public var storeEpoch: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WhoAmIResponse", .message(1, "principal", \.principal),
    .int64(2, "token_id", \.tokenID), .enums(3, "scopes", \.scopes),
    .optionalInt64(4, "token_expires_at_ms", \.tokenExpiresAtMilliseconds),
    .fixed64(5, "store_epoch", \.storeEpoch))
}

/// Asks for a user and its token.
public struct RedeemInviteRequest: Message {
  /// 8 characters; case, hyphens and blanks do not count.
  public var code = ""
  /// 1 to 50 characters, or empty for none.
  public var displayName = ""
  /// At most 200 characters.
  public var tokenLabel = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RedeemInviteRequest", .string(1, "code", \.code),
    .string(2, "display_name", \.displayName), .string(3, "token_label", \.tokenLabel))
}

/// A user that an invite has made.
public struct RedeemInviteResponse: Message {
  public var principal: Principal?
  public var token: Token?
  /// `qv_` and 32 random bytes in base64url; not shown again.
  public var secret = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RedeemInviteResponse", .message(1, "principal", \.principal),
    .message(2, "token", \.token), .string(3, "secret", \.secret))
}
