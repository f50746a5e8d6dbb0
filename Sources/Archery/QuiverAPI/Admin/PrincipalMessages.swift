public import QuiverProtobuf

/// The kind of a principal.
public struct PrincipalKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// A person who uses apps.
  public static let user = Self(rawValue: 1)
  /// A program that calls for itself, and for users where an administrator granted it.
  public static let service = Self(rawValue: 2)
  /// A person who manages principals and the server. It cannot read the data of users.
  public static let administrator = Self(rawValue: 3)
  /// A scoring device of one event, which joined without a token.
  public static let device = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.PrincipalKind",
    [
      (0, "PRINCIPAL_KIND_UNSPECIFIED"), (1, "PRINCIPAL_KIND_USER"),
      (2, "PRINCIPAL_KIND_SERVICE"), (3, "PRINCIPAL_KIND_ADMINISTRATOR"),
      (4, "PRINCIPAL_KIND_DEVICE"),
    ])
}

/// A user, a service or an administrator, identified by its tokens.
public struct Principal: Message {
  /// The id of the principal, assigned by the server.
  public var id: Int64 = 0
  /// Whether it is a user, a service or an administrator.
  public var kind = PrincipalKind.unspecified
  /// The name that others see: 1 to 50 characters, or empty if none.
  public var displayName = ""
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// The revision of the object, from 1; each change increments it. An update names the revision
  /// that it read; if the object has another one, the update is ABORTED with the current object as
  /// a detail.
  public var revision: UInt64 = 0
  /// The time when it was disabled, in milliseconds since 1970-01-01 UTC; nil: it is not disabled.
  public var disabledAtMilliseconds: Int64?
  /// The time when it deleted its account, in milliseconds since 1970-01-01 UTC; nil: it did not.
  public var deletedAtMilliseconds: Int64?
  /// ``displayName``, or `Archer <id>` if it is empty.
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

/// Requests a new principal.
public struct CreatePrincipalRequest: Message {
  /// Whether it is a user, a service or an administrator; required.
  public var kind = PrincipalKind.unspecified
  /// The name that others see: 1 to 50 characters, or empty if none.
  public var displayName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreatePrincipalRequest", .enum(1, "kind", \.kind),
    .string(2, "display_name", \.displayName))
}

/// Requests a page of principals.
public struct ListPrincipalsRequest: Message {
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. A token of another method,
  /// filter or principal is INVALID_ARGUMENT.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListPrincipalsRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken))
}

/// A page of principals by id, ascending.
public struct ListPrincipalsResponse: Message {
  /// The principals of the page.
  public var principals: [Principal] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListPrincipalsResponse", .messages(1, "principals", \.principals),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Requests one principal.
public struct GetPrincipalRequest: Message {
  /// The id of the principal.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetPrincipalRequest", .int64(1, "id", \.id))
}

/// Changes the fields of a principal that the mask names.
public struct UpdatePrincipalRequest: Message {
  /// The new values, with the id and the revision that was read.
  public var principal: Principal?
  /// The proto names of the fields to change: `display_name`.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdatePrincipalRequest", .message(1, "principal", \.principal),
    .strings(2, "update_mask", \.updateMask))
}

/// Disables a principal: its tokens are rejected.
public struct DisablePrincipalRequest: Message {
  /// The id of the principal.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DisablePrincipalRequest", .int64(1, "id", \.id))
}

/// Enables a principal: its tokens are accepted again.
public struct EnablePrincipalRequest: Message {
  /// The id of the principal.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EnablePrincipalRequest", .int64(1, "id", \.id))
}
