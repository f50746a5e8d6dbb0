public import QuiverProtobuf

/// Requests a new setup.
public struct CreateBowSetupRequest: Message {
  /// The fields of the setup. The server ignores the fields that it sets itself.
  public var bowSetup: BowSetup?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateBowSetupRequest", .message(1, "bow_setup", \.bowSetup))
}

/// Requests a setup by its id or by its client id.
public struct GetBowSetupRequest: Message {
  /// The id of the bow setup; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the bow setup; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The version to show; 0: the latest. A version that does not exist is NOT_FOUND.
  public var version: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetBowSetupRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint32(3, "version", \.version))
}

/// Requests a page of setups.
public struct ListBowSetupsRequest: Message {
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same ``includeInactive`` and principal.
  public var pageToken = ""
  /// Whether inactive setups are included.
  public var includeInactive = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListBowSetupsRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken), .bool(3, "include_inactive", \.includeInactive))
}

/// A page of setups by name, ignoring case, then by id.
public struct ListBowSetupsResponse: Message {
  /// The setups of the page.
  public var setups: [BowSetupItem] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListBowSetupsResponse", .messages(1, "setups", \.setups),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Changes the fields of a setup that the mask names.
public struct UpdateBowSetupRequest: Message {
  /// The new values, with the id (or the client id) and the revision that was read.
  public var bowSetup: BowSetup?
  /// The proto names of the fields to change: `name`, `notes`, `is_active`, `is_default`,
  /// `components`. Components are replaced as a whole. A default setup that becomes inactive is no
  /// longer the default.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateBowSetupRequest", .message(1, "bow_setup", \.bowSetup),
    .strings(2, "update_mask", \.updateMask))
}

/// Deletes a setup with its versions and sight marks.
public struct DeleteBowSetupRequest: Message {
  /// The id of the bow setup; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the bow setup; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteBowSetupRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// The setup was deleted.
public struct DeleteBowSetupResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DeleteBowSetupResponse")
}

/// Requests a copy of a setup.
public struct CopyBowSetupRequest: Message {
  /// The id of the bow setup; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the bow setup; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The version to copy; 0: the latest. Items that were deleted since an older version are
  /// omitted.
  public var version: UInt32 = 0
  /// The name of the copy; empty: the name of the original and " (copy)".
  public var name = ""
  /// The UUIDv7 (16 bytes) of the copy; empty if none.
  public var copyClientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CopyBowSetupRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint32(3, "version", \.version), .string(4, "name", \.name),
    .bytes(5, "copy_client_id", \.copyClientID))
}

/// Makes a setup the default instead of the previous default.
public struct SetDefaultBowSetupRequest: Message {
  /// The id of the bow setup; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the bow setup; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetDefaultBowSetupRequest", .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision))
}

/// Activates a setup.
public struct ActivateBowSetupRequest: Message {
  /// The id of the bow setup; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the bow setup; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ActivateBowSetupRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// Deactivates a setup. A default setup is then no longer the default.
public struct DeactivateBowSetupRequest: Message {
  /// The id of the bow setup; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the bow setup; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeactivateBowSetupRequest", .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision))
}

/// Adds one item as a new version. An item of a type that occurs once replaces the previous one.
public struct AddBowSetupComponentRequest: Message {
  /// The id of the bow setup; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the bow setup; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0
  /// The item to add.
  public var component: SetupComponent?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AddBowSetupComponentRequest", .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision),
    .message(4, "component", \.component))
}

/// Removes one item as a new version.
public struct RemoveBowSetupComponentRequest: Message {
  /// The id of the bow setup; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the bow setup; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0
  /// The id of the item; 0 if ``equipmentClientID`` names it. An item that is not in the setup is
  /// NOT_FOUND.
  public var equipmentID: Int64 = 0
  /// The client id of the item; empty if ``equipmentID`` names it.
  public var equipmentClientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RemoveBowSetupComponentRequest", .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision),
    .int64(4, "equipment_id", \.equipmentID), .bytes(5, "equipment_client_id", \.equipmentClientID))
}
