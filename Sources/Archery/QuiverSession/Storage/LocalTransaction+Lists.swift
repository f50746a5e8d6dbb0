import QuiverProtobuf
import QuiverSQLite

/// An object's entry in a list of the server.
struct SeenItem: Sendable {
  var serverID: Int64
  var clientID: [UInt8]
  var title: String
  var subtitle: String
  var isArchived: Bool
  /// 0 if the list has none.
  var revision: UInt64
}

extension LocalTransaction {
  private static let lastLoad = SQLText("SELECT ifnull(max(seen_in), 0) FROM object")
  private static let hasRows = SQLText("SELECT 1 FROM outbox WHERE object_key = ?1 LIMIT 1")

  /// Replaces the objects of a kind with those of a complete list; returns those to fetch
  /// completely. Objects with pending changes keep their base.
  ///
  /// A list of a part of the kind replaces only the objects that `covers` tells to be in that part.
  func takeList(
    _ kind: CachedKind, _ items: [SeenItem], limits: SessionLimits,
    covers: (LocalObject) throws(SessionError) -> Bool = { _ in true }
  ) throws(SessionError) -> [Int64] {
    let load = (try first(Self.lastLoad) { $0.int64(0) } ?? 0) &+ 1
    var room = limits.maxCachedObjects - (try objectCount())
    var unfetched: [Int64] = []
    for item in items {
      let known = try object(kind, serverID: item.serverID, clientID: item.clientID)
      if known == nil {
        room -= 1
        guard room >= 0 else {
          throw SessionError(.full, "this device keeps at most \(limits.maxCachedObjects) objects")
        }
      }
      var object = known ?? LocalObject(kind: kind)
      object.seenIn = load
      if try hasOutboxRows(object.key) {
        try save(&object)
        continue
      }
      object.take(item)
      try save(&object)
      let isCurrent = item.revision == 0 || item.revision == object.serverRevision
      if object.serverMessage == nil || !isCurrent { unfetched.append(object.serverID) }
    }
    for object in try objects(kind) where object.isOnServer && object.seenIn != load {
      if try covers(object), try !hasOutboxRows(object.key) { try delete(object) }
    }
    return unfetched
  }

  /// Stores a fetched object, unless it has pending changes.
  func takeWhole(_ kind: CachedKind, _ message: DynamicMessage) throws(SessionError) {
    let known = try object(
      kind, serverID: message.int64("id"), clientID: message.bytes("client_id"))
    var object = known ?? LocalObject(kind: kind)
    guard try !hasOutboxRows(object.key) else { return }
    object.take(message)
    try save(&object)
    try refreshLocal(&object)
  }

  /// Deletes an object that a list added while the reply to its creation was in progress; the
  /// object created here stays.
  func removeDouble(of object: LocalObject, serverID: Int64) throws(SessionError) {
    guard let double = try self.object(object.kind, serverID: serverID, clientID: []),
      double.key != object.key
    else { return }
    try delete(double)
  }

  func hasOutboxRows(_ key: Int64) throws(SessionError) -> Bool {
    try first(Self.hasRows, .integer(key)) { _ in true } ?? false
  }
}

extension LocalObject {
  /// Stores the entry of a list; the whole object that was fetched earlier stays.
  fileprivate mutating func take(_ item: SeenItem) {
    serverID = item.serverID
    if clientID.isEmpty { clientID = item.clientID }
    isOnServer = true
    isArchivedOnServer = item.isArchived
    isArchived = item.isArchived
    isVisible = true
    title = item.title
    subtitle = item.subtitle
  }
}
