public import QuiverProtobuf

/// Asks for a new setup.
public struct CreateBowSetupRequest: Message {
  /// What to make; what the server sets is not read.
  public var bowSetup: BowSetup?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateBowSetupRequest", .message(1, "bow_setup", \.bowSetup))
}

/// Asks for a setup by its id or by its client_id.
public struct GetBowSetupRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: the latest.
  public var version: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetBowSetupRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint32(3, "version", \.version))
}

/// Asks for a page of setups.
public struct ListBowSetupsRequest: Message {
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before; bound to ``includeInactive`` and principal.
  public var pageToken = ""
  public var includeInactive = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListBowSetupsRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken), .bool(3, "include_inactive", \.includeInactive))
}

/// A page of setups by name, without regard to case, then by id.
public struct ListBowSetupsResponse: Message {
  public var setups: [BowSetupItem] = []
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListBowSetupsResponse", .messages(1, "setups", \.setups),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Changes the fields of a setup that the mask names.
public struct UpdateBowSetupRequest: Message {
  /// Names its id (or client_id) and the revision that was read.
  public var bowSetup: BowSetup?
  /// Of `name`, `notes`, `is_active`, `is_default` and `components`.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateBowSetupRequest", .message(1, "bow_setup", \.bowSetup),
    .strings(2, "update_mask", \.updateMask))
}

/// Deletes a setup with its versions and sight marks.
public struct DeleteBowSetupRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteBowSetupRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// The setup is gone.
public struct DeleteBowSetupResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DeleteBowSetupResponse")
}

/// Asks for another setup like this one.
public struct CopyBowSetupRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: the latest; of an old one, what was deleted since is left out.
  public var version: UInt32 = 0
  /// Of the copy; empty: the old name and " (copy)".
  public var name = ""
  /// A UUIDv7 of the copy; optional.
  public var copyClientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CopyBowSetupRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint32(3, "version", \.version), .string(4, "name", \.name),
    .bytes(5, "copy_client_id", \.copyClientID))
}

/// Makes a setup the default in place of the one that was.
public struct SetDefaultBowSetupRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetDefaultBowSetupRequest", .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision))
}

/// Brings a setup back into lists.
public struct ActivateBowSetupRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ActivateBowSetupRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint64(3, "revision", \.revision))
}

/// Takes a setup out of lists; the default one is the default no longer.
public struct DeactivateBowSetupRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeactivateBowSetupRequest", .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision))
}

/// Adds one item as a new version; of a single type it replaces the one that was there.
public struct AddBowSetupComponentRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0
  public var component: SetupComponent?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AddBowSetupComponentRequest", .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision),
    .message(4, "component", \.component))
}

/// Takes one item out as a new version.
public struct RemoveBowSetupComponentRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0
  /// Or ``equipmentClientID``.
  public var equipmentID: Int64 = 0
  public var equipmentClientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RemoveBowSetupComponentRequest", .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision),
    .int64(4, "equipment_id", \.equipmentID), .bytes(5, "equipment_client_id", \.equipmentClientID))
}
