public import QuiverProtobuf

/// The request of `Account.whoAmI`.
public struct WhoAmIRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WhoAmIRequest")
}

/// The caller and its permissions.
public struct WhoAmIResponse: Message {
  /// The caller.
  public var principal: Principal?
  /// The id of the caller's token; 0 if the caller was identified without a token, for example by a
  /// client certificate.
  public var tokenID: Int64 = 0
  /// The permissions of the caller's token.
  public var scopes: [TokenScope] = []
  /// The time when the token expires, in milliseconds since 1970-01-01 UTC; nil: it does not
  /// expire.
  public var tokenExpiresAtMilliseconds: Int64?
  /// The random number of the server's database. If it changes, the database was replaced or
  /// restored, and data read before is no longer valid.
  public var storeEpoch: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WhoAmIResponse", .message(1, "principal", \.principal),
    .int64(2, "token_id", \.tokenID), .enums(3, "scopes", \.scopes),
    .optionalInt64(4, "token_expires_at_ms", \.tokenExpiresAtMilliseconds),
    .fixed64(5, "store_epoch", \.storeEpoch))
}

/// The request of `Account.redeemInvite`.
public struct RedeemInviteRequest: Message {
  /// The code of the invite: 16 characters, or 8 of an older one; case, hyphens and spaces are
  /// ignored.
  public var code = ""
  /// The name of the new user: 1 to 50 characters, or empty if none.
  public var displayName = ""
  /// A label for the new token, for example the name of the device; at most 200 characters.
  public var tokenLabel = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RedeemInviteRequest", .string(1, "code", \.code),
    .string(2, "display_name", \.displayName), .string(3, "token_label", \.tokenLabel))
}

/// The user that was created, and its token.
public struct RedeemInviteResponse: Message {
  /// The new user.
  public var principal: Principal?
  /// The description of the new token.
  public var token: Token?
  /// The token to call with: `qv_` and 32 random bytes in base64url. The server does not show it
  /// again.
  public var secret = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RedeemInviteResponse", .message(1, "principal", \.principal),
    .message(2, "token", \.token), .string(3, "secret", \.secret))
}
