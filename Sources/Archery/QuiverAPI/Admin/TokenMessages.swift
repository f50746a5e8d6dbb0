public import QuiverProtobuf

/// The description of a token. The token itself is returned once, when it is created.
public struct Token: Message {
  /// The id of the token, assigned by the server.
  public var id: Int64 = 0
  /// The id of the principal that the token identifies.
  public var principalID: Int64 = 0
  /// A description of the token, for example the name of a device; at most 200 characters.
  public var label = ""
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// The time of expiry, in milliseconds since 1970-01-01 UTC; nil: it does not expire.
  public var expiresAtMilliseconds: Int64?
  /// The time of revocation, in milliseconds since 1970-01-01 UTC; nil: it is not revoked.
  public var revokedAtMilliseconds: Int64?
  /// The shown name of the principal.
  public var principalName = ""
  /// The kind of the principal.
  public var principalKind = PrincipalKind.unspecified
  /// The permissions of the token.
  public var scopes: [TokenScope] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Token", .int64(1, "id", \.id), .int64(2, "principal_id", \.principalID),
    .string(3, "label", \.label), .int64(4, "created_at_ms", \.createdAtMilliseconds),
    .optionalInt64(5, "expires_at_ms", \.expiresAtMilliseconds),
    .optionalInt64(6, "revoked_at_ms", \.revokedAtMilliseconds),
    .string(7, "principal_name", \.principalName),
    .enum(8, "principal_kind", \.principalKind), .enums(9, "scopes", \.scopes))
}

/// Requests a new token of a principal.
public struct CreateTokenRequest: Message {
  /// The id of the principal that the token identifies.
  public var principalID: Int64 = 0
  /// A description of the token; at most 200 characters.
  public var label = ""
  /// The time of expiry, in milliseconds since 1970-01-01 UTC, after the current time; nil: it does
  /// not expire.
  public var expiresAtMilliseconds: Int64?
  /// The permissions; empty: all that the kind of the principal allows. ``TokenScope/read`` is part
  /// of any.
  public var scopes: [TokenScope] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateTokenRequest", .int64(1, "principal_id", \.principalID),
    .string(2, "label", \.label),
    .optionalInt64(3, "expires_at_ms", \.expiresAtMilliseconds),
    .enums(4, "scopes", \.scopes))
}

/// A new token with its secret.
public struct CreateTokenResponse: Message {
  /// The description of the token.
  public var token: Token?
  /// The token to call with: `qv_` and 32 random bytes in base64url. The server does not show it
  /// again.
  public var secret = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateTokenResponse", .message(1, "token", \.token),
    .string(2, "secret", \.secret))
}

/// Requests a page of tokens.
public struct ListTokensRequest: Message {
  /// Only the tokens of this principal; 0: of all principals.
  public var principalID: Int64 = 0
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. A token of another method,
  /// filter or principal is INVALID_ARGUMENT.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTokensRequest", .int64(1, "principal_id", \.principalID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// A page of tokens by id, newest first, including revoked tokens.
public struct ListTokensResponse: Message {
  /// The tokens of the page.
  public var tokens: [Token] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTokensResponse", .messages(1, "tokens", \.tokens),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Revokes a token.
public struct RevokeTokenRequest: Message {
  /// The id of the token.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RevokeTokenRequest", .int64(1, "id", \.id))
}

/// A permission of a token. Every token may read. A method that changes data needs ``write``,
/// otherwise it is PERMISSION_DENIED.
public struct TokenScope: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Methods that do not change data; part of every token.
  public static let read = Self(rawValue: 1)
  /// Methods that change data.
  public static let write = Self(rawValue: 2)
  /// The methods of ``Admin``; only for administrators.
  public static let admin = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.TokenScope",
    [
      (0, "TOKEN_SCOPE_UNSPECIFIED"), (1, "TOKEN_SCOPE_READ"), (2, "TOKEN_SCOPE_WRITE"),
      (3, "TOKEN_SCOPE_ADMIN"),
    ])
}
