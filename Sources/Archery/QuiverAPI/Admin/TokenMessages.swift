public import QuiverProtobuf

/// What is known of a token; the token itself is shown once, when it is made.
public struct Token: Message {
  public var id: Int64 = 0
  public var principalID: Int64 = 0
  /// At most 200 characters.
  public var label = ""
  /// Since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// Since 1970-01-01 UTC; nil: never.
  public var expiresAtMilliseconds: Int64?
  /// Since 1970-01-01 UTC; nil: it is not revoked.
  public var revokedAtMilliseconds: Int64?
  public var principalName = ""
  public var principalKind = PrincipalKind.unspecified
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

/// Asks for a new token of a principal.
public struct CreateTokenRequest: Message {
  public var principalID: Int64 = 0
  /// At most 200 characters.
  public var label = ""
  /// Since 1970-01-01 UTC, and must lie ahead; nil: it never expires.
  public var expiresAtMilliseconds: Int64?
  /// None: all that the principal's kind allows; ``TokenScope/read`` is part of any.
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
  public var token: Token?
  /// `qv_` and 32 random bytes in base64url; not shown again.
  public var secret = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateTokenResponse", .message(1, "token", \.token),
    .string(2, "secret", \.secret))
}

/// Asks for a page of tokens.
public struct ListTokensRequest: Message {
  /// 0: of all principals.
  public var principalID: Int64 = 0
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTokensRequest", .int64(1, "principal_id", \.principalID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// A page of tokens by id, newest first; revoked ones too.
public struct ListTokensResponse: Message {
  public var tokens: [Token] = []
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTokensResponse", .messages(1, "tokens", \.tokens),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Ends a token for good.
public struct RevokeTokenRequest: Message {
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RevokeTokenRequest", .int64(1, "id", \.id))
}

/// What a token lets its bearer do. Every token reads.
public struct TokenScope: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let read = Self(rawValue: 1)
  /// Calls that change something.
  public static let write = Self(rawValue: 2)
  /// The calls of ``Admin``; of administrators alone.
  public static let admin = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.TokenScope",
    [
      (0, "TOKEN_SCOPE_UNSPECIFIED"), (1, "TOKEN_SCOPE_READ"), (2, "TOKEN_SCOPE_WRITE"),
      (3, "TOKEN_SCOPE_ADMIN"),
    ])
}
