import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Sends the changes that were left behind for a database that the server no longer has, for
/// example after it restored a backup. What that database had acknowledged is sent by itself.
extension OfflineSession {
  /// Adds orphaned changes to the outbox of the current database, in their order; returns how many
  /// could not be added.
  ///
  /// Loads the objects of the changes first, which needs a connection, and finds them again by
  /// their client_ids. Changes are based on the current revisions; corrections of arrows that were
  /// lost become their records. What cannot be added stays orphaned: changes of objects and events
  /// that the current database does not have. Adding is harmless if it is repeated after a crash.
  @discardableResult
  public func sendOrphanedChanges(_ identity: StoreIdentity) async throws(SessionError) -> Int {
    guard identity != self.identity,
      try await directory.former(fingerprint).contains(identity),
      await directory.hasStore(identity)
    else {
      throw SessionError(.notFound, "there are no changes of this sign-in")
    }
    let former = try await LocalStore.open(identity, in: directory, limits: configuration.limits)
    let left: Int
    do throws(SessionError) {
      let changes = try await Self.changes(in: former)
      let events = try await former.write { (transaction) throws(SessionError) in
        try transaction.acknowledgedEvents(former.limits) + transaction.orphanedEvents()
      }
      let failure = await load { (store) throws(SessionError) in
        try await self.fetchObjects(of: changes, store)
        for event in events { try await self.fetchOrphaned(event, store) }
      }
      if let failure { throw failure }
      left = try await Self.move(changes, events, from: former, to: try store())
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

  /// Loads the objects that the changes do not create themselves.
  private func fetchObjects(
    of changes: [OrphanedChange], _ store: LocalStore
  ) async throws(SessionError) {
    let objects = changes.compactMap { $0.row.action.makesObject ? nil : $0.object }
    for number in Set(objects.map(\.kind.number)) {
      switch number {
      case CachedKind.setupNumber: try await fetchSetups(store)
      case CachedKind.weightEntryNumber, CachedKind.weightPlanNumber: try await fetchWeights(store)
      case CachedKind.profileNumber: try await fetchProfile(store)
      case CachedKind.liftSetNumber, CachedKind.sightMarkNumber:
        for object in objects where object.kind.number == number {
          try await fetchOne(object, store)
        }
      default:
        if let kind = CachedKind.numbered(number) { try await fetchList(kind, store) }
      }
    }
  }

  /// Loads a set, or the marks of an owner, under the names that they have in every database.
  private func fetchOne(_ object: LocalObject, _ store: LocalStore) async throws(SessionError) {
    do throws(SessionError) {
      if object.kind.number == CachedKind.liftSetNumber {
        var request = GetSetRequest()
        request.clientID = object.clientID
        let set = try await call(Logbook.getSet, request)
        let message = try decoded(object.kind.schema, set.serializedBytes())
        try await store.write { (transaction) throws(SessionError) in
          try transaction.takeWhole(object.kind, message)
        }
      } else if let owner = try object.localMessage.map(SightMarkFields.mark)?.owner {
        try await fetchSightMarks(of: owner, store)
      }
    } catch {
      // What the current database does not have stays orphaned.
      guard error.code == .call(.notFound) else { throw error }
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

  /// Returns how many of the changes and of the rows of the events stay.
  @discardableResult
  static func move(
    _ changes: [OrphanedChange], _ events: [OrphanedEvent], from former: LocalStore,
    to current: LocalStore
  ) async throws(SessionError) -> Int {
    let (moved, acknowledged) = try await current.edit { (edits) throws(SessionError) in
      var moved: [OutboxRow] = []
      var acknowledged: [OutboxRow] = []
      for change in changes {
        if try edits.adopt(change) { moved.append(change.row) }
      }
      for event in events {
        let rows = try edits.adopt(event)
        if event.isAcknowledged { acknowledged += rows } else { moved += rows }
      }
      return (moved, acknowledged)
    }
    try await former.write { (transaction) throws(SessionError) in
      for row in moved { try transaction.delete(row) }
      try transaction.deleteAcknowledged(acknowledged)
    }
    let count = events.reduce(changes.count) { $0 + ($1.isAcknowledged ? $1.rows.count : 0) }
    return count - moved.count - acknowledged.count
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
    guard !change.row.action.isScoring, let object = change.object else { return false }
    if object.kind.isSingle { return try adoptSingle(change.row, object.kind) }
    guard !object.clientID.isEmpty else { return false }
    let known = try transaction.object(clientID: object.clientID)
    if change.row.action.makesObject {
      if known == nil { try adoptCreation(change.row, object) }
      return true
    }
    guard let target = known else { return false }
    try adopt(change.row, of: target)
    return true
  }

  /// A change of the only object of a kind; returns false if it exists on the server always, and
  /// was not loaded.
  private func adoptSingle(
    _ row: OutboxRow, _ kind: CachedKind
  ) throws(SessionError) -> Bool {
    if let known = try transaction.single(kind) {
      try adopt(row, of: known)
      return true
    }
    guard kind.number == CachedKind.weightPlanNumber else { return false }
    var made = LocalObject(kind: kind)
    made.serverID = CachedKind.singleID
    try transaction.save(&made)
    try adopt(row, of: made)
    return true
  }

  private func adopt(_ row: OutboxRow, of object: LocalObject) throws(SessionError) {
    var target = object
    var request = try decoded(row.method.schema.input, row.request)
    request.readdress(target)
    _ = request.setBaseRevision(target.serverRevision)
    try adopt(row, of: &target, request: request)
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
  fileprivate mutating func readdress(_ object: LocalObject) {
    if schema.field(named: "id") != nil {
      address(object)
    } else if var carried = carriedObject {
      carried.address(object)
      self[1] = .message(carried)
    }
  }
}
