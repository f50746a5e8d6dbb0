public import QuiverProtobuf

/// Asks for a token in place of the one of the connection.
public struct RotateTokenRequest: Message {
  /// How long the old token stays valid, in milliseconds: 0 to 604,800,000 (7 days); nil: one hour.
  public var overlapMilliseconds: Int64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RotateTokenRequest", .optionalInt64(1, "overlap_ms", \.overlapMilliseconds))
}

/// A token that replaces another.
public struct RotateTokenResponse: Message {
  /// The new token.
  public var token: Token?
  /// The new token's text, `qv_` and 32 random bytes in base64url; it is not shown again.
  public var secret = ""
  /// The old token, with the time at which it ends.
  public var oldToken: Token?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RotateTokenResponse", .message(1, "token", \.token),
    .string(2, "secret", \.secret), .message(3, "old_token", \.oldToken))
}
