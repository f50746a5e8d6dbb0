public import QuiverProtobuf

/// What a principal is.
public struct PrincipalKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let user = Self(rawValue: 1)
  public static let service = Self(rawValue: 2)
  public static let administrator = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.PrincipalKind",
    [
      (0, "PRINCIPAL_KIND_UNSPECIFIED"), (1, "PRINCIPAL_KIND_USER"),
      (2, "PRINCIPAL_KIND_SERVICE"), (3, "PRINCIPAL_KIND_ADMINISTRATOR"),
    ])
}

/// A user, a service or an administrator: whoever may call.
public struct Principal: Message {
  public var id: Int64 = 0
  public var kind = PrincipalKind.unspecified
  /// 1 to 50 characters, or empty where it has none.
  public var displayName = ""
  /// Since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// From 1; an update names the one that it read.
  public var revision: UInt64 = 0
  /// Since 1970-01-01 UTC; nil: it is not disabled.
  public var disabledAtMilliseconds: Int64?
  /// Since 1970-01-01 UTC; nil: it has not deleted its account.
  public var deletedAtMilliseconds: Int64?
  /// ``displayName``, or "Archer" and the id.
  public var shownName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Principal", .int64(1, "id", \.id), .enum(2, "kind", \.kind),
    .string(3, "display_name", \.displayName),
    .int64(4, "created_at_ms", \.createdAtMilliseconds), .uint64(5, "revision", \.revision),
    .optionalInt64(6, "disabled_at_ms", \.disabledAtMilliseconds),
    .optionalInt64(7, "deleted_at_ms", \.deletedAtMilliseconds),
    .string(8, "shown_name", \.shownName))
}

/// Asks for a new principal.
public struct CreatePrincipalRequest: Message {
  public var kind = PrincipalKind.unspecified
  /// 1 to 50 characters.
  public var displayName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreatePrincipalRequest", .enum(1, "kind", \.kind),
    .string(2, "display_name", \.displayName))
}

/// Asks for a page of principals.
public struct ListPrincipalsRequest: Message {
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListPrincipalsRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken))
}

/// A page of principals by id, lowest first.
public struct ListPrincipalsResponse: Message {
  public var principals: [Principal] = []
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListPrincipalsResponse", .messages(1, "principals", \.principals),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Asks for one principal.
public struct GetPrincipalRequest: Message {
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetPrincipalRequest", .int64(1, "id", \.id))
}

/// Asks for other values of the fields that the mask names.
public struct UpdatePrincipalRequest: Message {
  /// Names id and the revision that was read.
  public var principal: Principal?
  /// Of `display_name`.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdatePrincipalRequest", .message(1, "principal", \.principal),
    .strings(2, "update_mask", \.updateMask))
}

/// Asks to refuse a principal's tokens.
public struct DisablePrincipalRequest: Message {
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DisablePrincipalRequest", .int64(1, "id", \.id))
}

/// Asks to take a principal's tokens again.
public struct EnablePrincipalRequest: Message {
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EnablePrincipalRequest", .int64(1, "id", \.id))
}
