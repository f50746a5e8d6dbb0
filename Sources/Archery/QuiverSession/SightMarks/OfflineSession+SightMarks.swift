public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// Sight marks. Each change is stored on this device first and sent in order;
/// ``delete(_:detaches:)`` deletes them too.
extension OfflineSession {
  /// Creates a mark of a sight or of a setup, which the server need not have yet; assigns a
  /// `client_id` if the mark has none.
  ///
  /// Throws for a value that is not valid, with the path of the field, and for an owner that is
  /// neither a sight nor a setup of this device; nothing is stored then.
  @discardableResult
  public func create(_ mark: SightMark, of owner: LocalID) async throws(SessionError) -> LocalID {
    try await edited { (edits) throws(SessionError) in
      let owner = try edits.transaction.sightMarkOwner(owner.rawValue)
      var mark = mark
      (mark.sightID, mark.sightClientID, mark.setupID, mark.setupClientID) = (0, [], 0, [])
      // The client_id names the owner in every database.
      let id = owner.clientID.isEmpty ? owner.serverID : 0
      if owner.isSetup {
        (mark.setupID, mark.setupClientID) = (id, owner.clientID)
      } else {
        (mark.sightID, mark.sightClientID) = (id, owner.clientID)
      }
      return LocalID(rawValue: try edits.create(Self.kind(SightMark.self), Self.dynamic(mark)))
    }
  }

  /// Stores the fields that differ from this device's mark; does nothing if none do. The owner
  /// stays.
  public func update(_ id: LocalID, to mark: SightMark) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.update(id.rawValue, to: Self.dynamic(mark))
    }
  }

  /// This device's marks of a sight or a setup, by distance; empty if the owner was deleted.
  public func sightMarks(of owner: LocalID) async throws(SessionError) -> [SightMarkItem] {
    try await store().read { (transaction) throws(SessionError) in
      guard let object = try transaction.object(owner.rawValue), object.isVisible else { return [] }
      return try transaction.sightMarks(of: transaction.sightMarkOwner(owner.rawValue))
    }
  }

  /// Fetches the marks of an owner, unless the server does not have it yet.
  func fetchSightMarks(
    of owner: SightMarkOwner, _ store: LocalStore
  ) async throws(SessionError) {
    guard owner.serverID != 0 || !owner.clientID.isEmpty else { return }
    let kind = try Self.kind(SightMark.self)
    var request = ListSightMarksRequest()
    if owner.isSetup {
      request.setupID = owner.serverID
      if owner.serverID == 0 { request.setupClientID = owner.clientID }
    } else {
      request.sightID = owner.serverID
      if owner.serverID == 0 { request.sightClientID = owner.clientID }
    }
    let found = try await call(Equipment.listSightMarks, request).sightMarks
    try await store.write { [limits = configuration.limits] (transaction) throws(SessionError) in
      let items = found.map { mark in
        SeenItem(
          serverID: mark.id, clientID: mark.clientID, title: "", subtitle: "", isArchived: false,
          revision: mark.revision)
      }
      let changed = Set(
        try transaction.takeList(kind, items, limits: limits) { (object) throws(SessionError) in
          guard let bytes = object.serverMessage else { return false }
          return try SightMarkFields.mark(bytes).belongs(to: owner)
        })
      for mark in found where changed.contains(mark.id) {
        try transaction.takeWhole(kind, decoded(kind.schema, mark.serializedBytes()))
      }
    }
  }
}

/// A sight mark as lists show it.
public struct SightMarkItem: Sendable, Equatable, Identifiable {
  /// The id of the mark on this device.
  public let id: LocalID
  /// The mark with its pending changes.
  public let sightMark: SightMark
  /// Whether the server has the state that is shown.
  public let mark: SyncMark
}

extension LocalTransaction {
  /// The sight or the setup under a key; throws if there is none.
  func sightMarkOwner(_ key: Int64) throws(SessionError) -> SightMarkOwner {
    let sight = Int64(QuiverRules.EquipmentType.sight.rawValue)
    guard let object = try object(key), object.isVisible,
      object.kind.number == CachedKind.setupNumber || object.kind.number == sight
    else {
      throw SessionError(.notFound, "this is no sight and no bow setup, or is not here any more")
    }
    return SightMarkOwner(
      isSetup: object.kind.number == CachedKind.setupNumber, serverID: object.serverID,
      clientID: object.clientID)
  }

  /// The marks of an owner by distance in metres, then in the order in which the server, or this
  /// device, made them.
  func sightMarks(of owner: SightMarkOwner) throws(SessionError) -> [SightMarkItem] {
    var found: [(item: SightMarkItem, metres: Double, order: Int64)] = []
    for object in try objects(try OfflineSession.kind(SightMark.self)) where object.isVisible {
      guard let bytes = object.localMessage else { continue }
      let mark = try SightMarkFields.mark(bytes)
      guard mark.belongs(to: owner) else { continue }
      let item = SightMarkItem(
        id: LocalID(rawValue: object.key), sightMark: mark, mark: try self.mark(of: object.key))
      found.append((item, mark.content.metres, object.serverID == 0 ? .max : object.serverID))
    }
    return found.sorted {
      ($0.metres, $0.order, $0.item.id.rawValue) < ($1.metres, $1.order, $1.item.id.rawValue)
    }.map(\.item)
  }
}
