public import QuiverProtobuf

/// Asks for a code that the caller shows to an organiser.
public struct GetIntroductionCodeRequest: Message {
  /// Creates an empty request.
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.GetIntroductionCodeRequest")
}

/// A code with which an organiser learns the id and the name of who shows it.
public struct IntroductionCode: Message {
  /// The code.
  public var code = ""
  /// When it ends, in milliseconds since 1970-01-01.
  public var expiresAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.IntroductionCode",
    .string(1, "code", \.code), .int64(2, "expires_at_ms", \.expiresAtMilliseconds))
}
