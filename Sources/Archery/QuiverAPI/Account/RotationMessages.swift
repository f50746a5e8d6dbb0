public import QuiverProtobuf

/// Requests a token that replaces the token of the connection.
public struct RotateTokenRequest: Message {
  /// The time in milliseconds for which the old token stays valid, 0 to 604,800,000 (7 days); nil:
  /// 3,600,000 (1 hour). The old token never becomes valid for longer than it was.
  public var overlapMilliseconds: Int64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RotateTokenRequest", .optionalInt64(1, "overlap_ms", \.overlapMilliseconds))
}

/// A token that replaces another.
public struct RotateTokenResponse: Message {
  /// The description of the new token.
  public var token: Token?
  /// The new token to call with: `qv_` and 32 random bytes in base64url. The server does not show
  /// it again.
  public var secret = ""
  /// The description of the old token, with the time at which it ends.
  public var oldToken: Token?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RotateTokenResponse", .message(1, "token", \.token),
    .string(2, "secret", \.secret), .message(3, "old_token", \.oldToken))
}
