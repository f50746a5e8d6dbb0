import QuiverProtobuf
import QuiverSQLite

/// An object of the local file: the server's last state, and the same with the outbox applied.
struct LocalObject {
  var key: Int64 = 0
  let kind: CachedKind
  /// Empty if it has none.
  var clientID: [UInt8] = []
  /// 0 if it is not known.
  var serverID: Int64 = 0
  /// The revision of ``serverMessage``.
  var serverRevision: UInt64 = 0
  /// The whole object; nil if it was deleted, or is known only from a list.
  var serverMessage: [UInt8]?
  var isOnServer = false
  var isArchivedOnServer = false
  /// Nil if it is known only from a list.
  var localMessage: [UInt8]?
  var isVisible = true
  var isArchived = false
  var title = ""
  var subtitle = ""
  /// The last load that returned it.
  var seenIn: Int64 = 0

  init(kind: CachedKind) { self.kind = kind }

  /// Stores the server's message.
  mutating func take(_ message: DynamicMessage) {
    serverMessage = message.serializedBytes()
    serverRevision = message.uint64("revision")
    serverID = kind.isSingle ? CachedKind.singleID : message.int64("id")
    if clientID.isEmpty { clientID = message.bytes("client_id") }
    isOnServer = true
    isArchivedOnServer = kind.isArchived(message)
  }

  /// Marks it as deleted on the server.
  mutating func takeGone() {
    serverMessage = nil
    isOnServer = false
    if kind.isSingle { serverRevision = 0 }
  }
}

extension LocalTransaction {
  private static let columns = """
    key, kind, client_id, server_id, server_revision, server_message, is_on_server,
    is_put_away_on_server, local_message, is_visible, is_put_away, title, subtitle, seen_in
    """
  private static let byKey = SQLText("SELECT \(columns) FROM object WHERE key = ?1")
  private static let byClientID = SQLText("SELECT \(columns) FROM object WHERE client_id = ?1")
  private static let byServerID = SQLText(
    "SELECT \(columns) FROM object WHERE kind = ?1 AND server_id = ?2")
  private static let ofKind = SQLText("SELECT \(columns) FROM object WHERE kind = ?1")
  private static let count = SQLText("SELECT count(*) FROM object")
  private static let insert = SQLText(
    """
    INSERT INTO object(kind, client_id, server_id, server_revision, server_message, is_on_server,
      is_put_away_on_server, local_message, is_visible, is_put_away, title, subtitle, seen_in)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
    """)
  private static let update = SQLText(
    """
    UPDATE object SET kind = ?1, client_id = ?2, server_id = ?3, server_revision = ?4,
      server_message = ?5, is_on_server = ?6, is_put_away_on_server = ?7, local_message = ?8,
      is_visible = ?9, is_put_away = ?10, title = ?11, subtitle = ?12, seen_in = ?13
    WHERE key = ?14
    """)
  private static let delete = SQLText("DELETE FROM object WHERE key = ?1")

  func object(_ key: Int64) throws(SessionError) -> LocalObject? {
    try first(Self.byKey, .integer(key), map: Self.object) ?? nil
  }

  func object(clientID: [UInt8]) throws(SessionError) -> LocalObject? {
    try first(Self.byClientID, .blob(clientID), map: Self.object) ?? nil
  }

  /// The object to which the server's message belongs.
  func object(
    _ kind: CachedKind, serverID: Int64, clientID: [UInt8]
  ) throws(SessionError) -> LocalObject? {
    let known = try first(
      Self.byServerID, .integer(kind.number), .integer(serverID), map: Self.object)
    if let known = known ?? nil { return known }
    return clientID.isEmpty ? nil : try object(clientID: clientID)
  }

  /// The only object of a kind that has one.
  func single(_ kind: CachedKind) throws(SessionError) -> LocalObject? {
    try object(kind, serverID: CachedKind.singleID, clientID: [])
  }

  func objects(_ kind: CachedKind) throws(SessionError) -> [LocalObject] {
    try all(Self.ofKind, .integer(kind.number), map: Self.object).compactMap(\.self)
  }

  func objectCount() throws(SessionError) -> Int64 {
    try first(Self.count) { $0.int64(0) } ?? 0
  }

  /// Stores an object, and assigns a key to a new one.
  func save(_ object: inout LocalObject) throws(SessionError) {
    note(object.kind.changeKey)
    let values: [LocalValue] = [
      .integer(object.kind.number), .key(object.clientID),
      object.serverID == 0 ? .null : .integer(object.serverID),
      .integer(Int64(clamping: object.serverRevision)), .optional(object.serverMessage),
      .flag(object.isOnServer), .flag(object.isArchivedOnServer), .optional(object.localMessage),
      .flag(object.isVisible), .flag(object.isArchived), .text(object.title),
      .text(object.subtitle), .integer(object.seenIn),
    ]
    if object.key == 0 {
      try run(Self.insert, values)
      object.key = connection.lastInsertedRowID
    } else {
      try run(Self.update, values + [.integer(object.key)])
    }
  }

  func delete(_ object: LocalObject) throws(SessionError) {
    note(object.kind.changeKey)
    try run(Self.delete, .integer(object.key))
  }

  private static func object(_ row: Statement) -> LocalObject? {
    guard let kind = CachedKind.numbered(row.int64(1)) else { return nil }
    var object = LocalObject(kind: kind)
    object.key = row.int64(0)
    object.clientID = row.bytes(2)
    object.serverID = row.int64(3)
    object.serverRevision = UInt64(clamping: row.int64(4))
    object.serverMessage = row.isNull(5) ? nil : row.bytes(5)
    object.isOnServer = row.int64(6) != 0
    object.isArchivedOnServer = row.int64(7) != 0
    object.localMessage = row.isNull(8) ? nil : row.bytes(8)
    object.isVisible = row.int64(9) != 0
    object.isArchived = row.int64(10) != 0
    object.title = row.text(11)
    object.subtitle = row.text(12)
    object.seenIn = row.int64(13)
    return object
  }
}
