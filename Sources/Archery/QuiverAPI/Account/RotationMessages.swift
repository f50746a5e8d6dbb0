public import QuiverProtobuf

/// Asks for a token in place of the one of the connection.
public struct RotateTokenRequest: Message {
  /// How long the old token stays valid, 0 to 604800000 (7 days); nil: 3600000 (1 hour). It never
  /// becomes valid for longer than it was.
  public var overlapMilliseconds: Int64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RotateTokenRequest", .optionalInt64(1, "overlap_ms", \.overlapMilliseconds))
}

/// A token that replaces another.
public struct RotateTokenResponse: Message {
  /// The new one.
  public var token: Token?
  /// Qv_ and 32 random bytes in base64url; not shown again.
  public var secret = ""
  /// With the `expires_at_ms` at which it ends.
  public var oldToken: Token?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RotateTokenResponse", .message(1, "token", \.token),
    .string(2, "secret", \.secret), .message(3, "old_token", \.oldToken))
}
