public import QuiverProtobuf

/// One thing that a principal's programs keep for it.
public struct Preference: Message {
  /// 1 to 64 characters of `a-z0-9._-`.
  public var key = ""
  /// At most 4,096 bytes.
  public var value = ""
  /// Since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Preference", .string(1, "key", \.key), .string(2, "value", \.value),
    .int64(3, "updated_at_ms", \.updatedAtMilliseconds))
}

/// Asks for all preferences of the caller.
public struct GetPreferencesRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetPreferencesRequest")
}

/// All preferences of the caller, by key.
public struct GetPreferencesResponse: Message {
  public var preferences: [Preference] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetPreferencesResponse", .messages(1, "preferences", \.preferences))
}

/// Asks to keep a value in place of the one before.
public struct SetPreferenceRequest: Message {
  public var preference: Preference?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetPreferenceRequest", .message(1, "preference", \.preference))
}

/// Asks to forget what is kept under a key.
public struct DeletePreferenceRequest: Message {
  public var key = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeletePreferenceRequest", .string(1, "key", \.key))
}

/// It is forgotten.
public struct DeletePreferenceResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeletePreferenceResponse")
}
