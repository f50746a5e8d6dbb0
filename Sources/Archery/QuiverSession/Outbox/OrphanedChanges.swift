import QuiverProtobuf
import QuiverRPC

/// Sends the changes that were left behind for a database that the server no longer has, for
/// example after it restored a backup.
extension OfflineSession {
  /// Adds orphaned changes to the outbox of the current database, in their order; returns how many
  /// could not be added.
  ///
  /// Loads the objects of the changes first, which needs a connection, and finds them again by
  /// their client_ids. Changes are based on the current revisions. What cannot be added stays
  /// orphaned: changes of objects that the current database does not have, and scores. Adding is
  /// harmless if it is repeated after a crash.
  @discardableResult
  public func sendOrphanedChanges(_ identity: StoreIdentity) async throws(SessionError) -> Int {
    guard identity != self.identity,
      try await directory.former(fingerprint).contains(identity),
      await directory.hasStore(identity)
    else {
      throw SessionError(.notFound, "nothing of this sign-in was left there")
    }
    let former = try await LocalStore.open(identity, in: directory, limits: configuration.limits)
    let left: Int
    do throws(SessionError) {
      let changes = try await Self.changes(in: former)
      let kinds = changes.compactMap { $0.row.action.makesObject ? nil : $0.object?.kind.number }
      let failure = await load { (store) throws(SessionError) in
        for kind in Set(kinds) { try await self.fetch(kind, store) }
      }
      if let failure { throw failure }
      left = try await Self.move(changes, from: former, to: try store())
    } catch {
      await former.close()
      throw error
    }
    await former.close()
    if left == 0 { try await directory.removeStore(identity) }
    signal.send([.orphanedChanges, .outbox])
    wakeups.send([.outbox])
    return left
  }

  private func fetch(_ number: Int64, _ store: LocalStore) async throws(SessionError) {
    switch number {
    case CachedKind.setupNumber: try await fetchSetups(store)
    case CachedKind.weightEntryNumber: try await fetchWeights(store)
    default:
      if let kind = CachedKind.numbered(number) { try await fetchList(kind, store) }
    }
  }

  private static func changes(
    in former: LocalStore
  ) async throws(SessionError) -> [OrphanedChange] {
    try await former.read { (transaction) throws(SessionError) in
      var changes: [OrphanedChange] = []
      for row in try transaction.outboxRows() {
        changes.append(OrphanedChange(row: row, object: try transaction.object(row.objectKey)))
      }
      return changes
    }
  }

  private static func move(
    _ changes: [OrphanedChange], from former: LocalStore, to current: LocalStore
  ) async throws(SessionError) -> Int {
    let moved = try await current.edit { (edits) throws(SessionError) in
      var moved: [OutboxRow] = []
      for change in changes {
        if try edits.adopt(change) { moved.append(change.row) }
      }
      return moved
    }
    try await former.write { (transaction) throws(SessionError) in
      for row in moved { try transaction.delete(row) }
    }
    return changes.count - moved.count
  }
}

/// A change in the file of another database, with its object there.
struct OrphanedChange: Sendable {
  let row: OutboxRow
  let object: LocalObject?
}

extension Edits {
  /// Adds a change of another database to the outbox; returns false if it has no object here.
  fileprivate func adopt(_ change: OrphanedChange) throws(SessionError) -> Bool {
    guard !change.row.action.isScoring, let object = change.object, !object.clientID.isEmpty else {
      return false
    }
    let known = try transaction.object(clientID: object.clientID)
    if change.row.action.makesObject {
      if known == nil { try adoptCreation(change.row, object) }
      return true
    }
    guard var target = known else { return false }
    var request = try decoded(change.row.method.schema.input, change.row.request)
    request.address(target)
    _ = request.setBaseRevision(target.serverRevision)
    try adopt(change.row, of: &target, request: request)
    return true
  }

  /// A copy is created with its content, since its original has another id here.
  private func adoptCreation(_ row: OutboxRow, _ object: LocalObject) throws(SessionError) {
    guard let method = object.kind.calls[.create], let draft = row.draft else { return }
    var made = LocalObject(kind: object.kind)
    made.clientID = object.clientID
    try transaction.save(&made)
    var request = DynamicMessage(method.schema.input)
    request[1] = .message(try decoded(object.kind.schema, draft))
    var copy = OutboxRow(
      objectKey: made.key, action: .create, method: method, request: request.serializedBytes(),
      draft: draft, idempotencyKey: IdempotencyKey.random().bytes, baseRevision: 0,
      createdAtMilliseconds: row.createdAtMilliseconds)
    try transaction.save(&copy)
    try transaction.refreshLocal(&made)
  }

  private func adopt(
    _ row: OutboxRow, of object: inout LocalObject, request: DynamicMessage
  ) throws(SessionError) {
    var copy = OutboxRow(
      objectKey: object.key, action: row.action, method: row.method,
      request: request.serializedBytes(), draft: nil,
      idempotencyKey: IdempotencyKey.random().bytes, baseRevision: object.serverRevision,
      createdAtMilliseconds: row.createdAtMilliseconds)
    try transaction.save(&copy)
    try transaction.refreshLocal(&object)
  }
}

extension DynamicMessage {
  /// Names an object of this database in a request that was made for another one.
  fileprivate mutating func address(_ object: LocalObject) {
    if schema.field(named: "id") != nil {
      setAddress(object)
    } else if var carried = carriedObject {
      carried.setAddress(object)
      self[1] = .message(carried)
    }
  }

  private mutating func setAddress(_ object: LocalObject) {
    set("id", .int64(object.serverID))
    set("client_id", .bytes(object.serverID == 0 ? object.clientID : []))
  }
}
