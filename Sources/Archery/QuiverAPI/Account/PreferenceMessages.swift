public import QuiverProtobuf

/// A value that an app stores for its user on the server.
public struct Preference: Message {
  /// The key: 1 to 64 characters of `a-z`, `0-9`, `.`, `_` and `-`.
  public var key = ""
  /// The value; at most 4,096 bytes of UTF-8.
  public var value = ""
  /// The time of the last change, in milliseconds since 1970-01-01 UTC.
  public var updatedAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Preference", .string(1, "key", \.key), .string(2, "value", \.value),
    .int64(3, "updated_at_ms", \.updatedAtMilliseconds))
}

/// The request of `Account.getPreferences`.
public struct GetPreferencesRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetPreferencesRequest")
}

/// All preferences of the caller.
public struct GetPreferencesResponse: Message {
  /// The preferences by key; at most 200.
  public var preferences: [Preference] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetPreferencesResponse", .messages(1, "preferences", \.preferences))
}

/// Sets the value of one preference.
public struct SetPreferenceRequest: Message {
  /// The key and the new value.
  public var preference: Preference?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetPreferenceRequest", .message(1, "preference", \.preference))
}

/// Deletes one preference.
public struct DeletePreferenceRequest: Message {
  /// The key of the preference.
  public var key = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeletePreferenceRequest", .string(1, "key", \.key))
}

/// The preference was deleted.
public struct DeletePreferenceResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeletePreferenceResponse")
}
