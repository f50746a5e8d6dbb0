public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverSQLite

/// An item of equipment as lists show it.
public struct EquipmentListItem: Sendable, Equatable, Identifiable {
  /// The id of the item on this device.
  public let id: LocalID
  /// The id that the server assigned; 0: the server does not know the item yet.
  public let serverID: Int64
  /// The UUIDv7 (16 bytes) that identifies the item on all devices; empty if none.
  public let clientID: [UInt8]
  /// The type of the item.
  public let type: EquipmentType
  /// The first text to show.
  public let displayBrand: String
  /// The second text to show.
  public let displayModel: String
  /// Whether the item is archived.
  public let isArchived: Bool
  /// Whether the server has the state that is shown.
  public let mark: SyncMark
}

/// A bow setup as lists show it.
public struct SetupListItem: Sendable, Equatable, Identifiable {
  /// The id of the setup on this device.
  public let id: LocalID
  /// The id that the server assigned; 0: the server does not know the setup yet.
  public let serverID: Int64
  /// The UUIDv7 (16 bytes) that identifies the setup on all devices; empty if none.
  public let clientID: [UInt8]
  /// The name to show; "Unnamed setup" if it has none.
  public let name: String
  /// Whether the setup is active.
  public let isActive: Bool
  /// Whether it is the default setup.
  public let isDefault: Bool
  /// Whether the server has the state that is shown.
  public let mark: SyncMark
}

extension LocalTransaction {
  private static let items = SQLText(
    """
    SELECT o.key, ifnull(o.server_id, 0), o.client_id, o.title, o.subtitle, o.is_put_away,
      ifnull((SELECT max(max(b.state, 1)) FROM outbox b WHERE b.object_key = o.key), 0)
    FROM object o WHERE o.kind = ?1 AND o.is_visible AND (?2 OR NOT o.is_put_away)
    ORDER BY o.server_id IS NOT NULL, o.server_id DESC, o.key DESC
    """)
  private static let pendingDefault = SQLText(
    """
    SELECT object_key FROM outbox WHERE action = ?1 AND state < 2 ORDER BY sequence DESC LIMIT 1
    """)

  /// The items of a type, newest first: those that the server does not have yet, then by server id.
  func equipmentItems(
    _ kind: CachedKind, includesArchived: Bool
  ) throws(SessionError) -> [EquipmentListItem] {
    let type = EquipmentType(rawValue: Int32(clamping: kind.number))
    return try all(Self.items, .integer(kind.number), .flag(includesArchived)) { row in
      EquipmentListItem(
        id: LocalID(rawValue: row.int64(0)), serverID: row.int64(1), clientID: row.bytes(2),
        type: type, displayBrand: row.text(3), displayModel: row.text(4),
        isArchived: row.int64(5) != 0, mark: SyncMark(rawValue: row.int64(6)) ?? .waiting)
    }
  }

  /// The setups by name, then in the order in which this device created them.
  func setupItems(includesInactive: Bool) throws(SessionError) -> [SetupListItem] {
    guard let kind = CachedKind.numbered(CachedKind.setupNumber) else { return [] }
    let chosen = try first(Self.pendingDefault, .integer(OutboxAction.makeDefault.rawValue)) {
      $0.int64(0)
    }
    var items: [SetupListItem] = []
    for object in try objects(kind) where object.isVisible {
      guard includesInactive || !object.isArchived else { continue }
      let message = try object.localMessage.map { (bytes) throws(SessionError) in
        try decoded(kind.schema, bytes)
      }
      let marks = try outboxRows(of: object.key).map { max($0.state.rawValue, 1) }
      let isDefault = chosen.map { $0 == object.key } ?? (message?["is_default"] == .bool(true))
      items.append(
        SetupListItem(
          id: LocalID(rawValue: object.key), serverID: object.serverID,
          clientID: object.clientID, name: object.title, isActive: !object.isArchived,
          isDefault: isDefault, mark: SyncMark(rawValue: marks.max() ?? 0) ?? .waiting))
    }
    return items.sorted {
      ($0.name.lowercased(), $0.id.rawValue) < ($1.name.lowercased(), $1.id.rawValue)
    }
  }
}
