import QuiverProtobuf
import QuiverRPC

/// Changes by the user: the object and its outbox row, in the caller's transaction.
struct Edits {
  let transaction: LocalTransaction
  let limits: SessionLimits
  let nowMilliseconds: Int64

  /// Stores a new object and returns its key.
  func create(_ kind: CachedKind, _ object: DynamicMessage) throws(SessionError) -> Int64 {
    var draft = try kind.normalized(object, isNew: true)
    let clientID = try newClientID(draft.bytes("client_id"))
    draft.set("client_id", .bytes(clientID))
    draft.set("id", .int64(0))
    draft.set("revision", .uint64(0))
    kind.setArchived(kind.rules == nil && kind.isArchived(draft), &draft)
    var made = LocalObject(kind: kind)
    made.clientID = clientID
    var request = try self.request(kind, .create)
    request[1] = .message(draft)
    return try keep(&made, .create, request, draft: draft)
  }

  /// Stores the fields that differ from this device's object; does nothing if none do.
  func update(_ key: Int64, to wanted: DynamicMessage) throws(SessionError) {
    var object = try visibleObject(key)
    guard !(object.kind.keepsDeleted && object.isArchived) else {
      throw SessionError(.notPossible, "this was deleted; restore it first")
    }
    try update(&object, from: try whole(object), to: wanted)
  }

  /// Stores the fields that differ from the only object of a kind; `creates` tells whether it may
  /// be missing.
  func updateSingle(
    _ kind: CachedKind, to wanted: DynamicMessage, creates: Bool
  ) throws(SessionError) {
    var object = try transaction.single(kind) ?? LocalObject(kind: kind)
    object.serverID = CachedKind.singleID
    guard object.isVisible, object.localMessage != nil else {
      guard creates else {
        throw SessionError(.notPossible, "this was never loaded; open it once with a connection")
      }
      return try update(&object, from: DynamicMessage(kind.schema), to: wanted)
    }
    try update(&object, from: try whole(object), to: wanted)
  }

  /// Deletes the only object of a kind; does nothing if there is none.
  func deleteSingle(_ kind: CachedKind) throws(SessionError) {
    guard var object = try transaction.single(kind), object.isVisible,
      object.localMessage != nil
    else { return }
    _ = try keep(&object, .delete, referring(to: object, .delete))
  }

  private func update(
    _ object: inout LocalObject, from current: DynamicMessage, to wanted: DynamicMessage
  ) throws(SessionError) {
    let kind = object.kind
    var wanted = try kind.normalized(wanted, isNew: false)
    let mask = kind.difference(current, wanted)
    guard !mask.isEmpty else { return }
    if try correct(&object, to: wanted, mask) { return }
    wanted.address(object)
    wanted.set("revision", .uint64(object.serverRevision))
    var request = try self.request(kind, .update)
    request[1] = .message(wanted)
    if request.schema.field(named: "update_mask") != nil {
      request.set("update_mask", .list(mask.map { .string($0) }))
    }
    _ = try keep(&object, .update, request)
  }

  /// Deletes an object; `detaches` removes an item from the setups that have it.
  func delete(_ key: Int64, detaches: Bool) throws(SessionError) {
    var object = try visibleObject(key)
    // Deleting what is deleted changes nothing.
    if object.kind.keepsDeleted && object.isArchived { return }
    var request = try referring(to: object, .delete)
    if detaches && object.kind.rules != nil { request.set("detach", .bool(true)) }
    _ = try keep(&object, .delete, request)
  }

  /// Archives or restores an object; does nothing if it has this state already.
  func setArchived(_ isArchived: Bool, _ key: Int64) throws(SessionError) {
    var object = try visibleObject(key)
    guard object.isArchived != isArchived else { return }
    let action: OutboxAction = isArchived ? .archive : .restore
    _ = try keep(&object, action, referring(to: object, action))
  }

  /// Makes a setup the default in place of the current one.
  func makeDefault(_ key: Int64) throws(SessionError) {
    var object = try visibleObject(key)
    guard !object.isArchived else {
      throw SessionError(
        .notPossible, "an inactive setup cannot be the default; activate it first")
    }
    _ = try keep(&object, .makeDefault, referring(to: object, .makeDefault))
  }

  /// Creates a copy of a setup; an empty name becomes the shown name of the original with
  /// " (copy)", as on the server.
  func copy(_ key: Int64, named name: String) throws(SessionError) -> Int64 {
    let source = try visibleObject(key)
    var draft = try whole(source)
    let clientID = try newClientID([])
    let copyName = name.isEmpty ? source.kind.titles(of: draft).title + " (copy)" : name
    draft.set("id", .int64(0))
    draft.set("client_id", .bytes(clientID))
    draft.set("revision", .uint64(0))
    draft.set("name", .string(copyName))
    draft.set("is_default", .bool(false))
    draft.set("is_active", .bool(true))
    var request = try self.request(source.kind, .copy)
    request.refer(to: source)
    request.set("name", .string(copyName))
    request.set("copy_client_id", .bytes(clientID))
    var made = LocalObject(kind: source.kind)
    made.clientID = clientID
    return try keep(&made, .copy, request, draft: draft)
  }

  /// Replaces the content of the object's last row if the row was refused, and sends it again;
  /// returns false if there is no such row.
  private func correct(
    _ object: inout LocalObject, to wanted: DynamicMessage, _ mask: [String]
  ) throws(SessionError) -> Bool {
    guard var row = try transaction.outboxRows(of: object.key).last, row.state == .refused,
      row.action == .create
        || (row.action == .update && (object.isOnServer || object.kind.isSingle))
    else { return false }
    var request = try decoded(row.method.schema.input, row.request)
    guard var carried = request.carriedObject else { return false }
    for name in mask {
      guard let field = carried.schema.field(named: name) else { continue }
      carried[field.number] = wanted[field.number]
    }
    request[1] = .message(carried)
    if row.action == .create {
      // A new item is never archived; archiving is a separate change.
      guard !mask.contains("archived") else { return false }
      row.draft = carried.serializedBytes()
    } else if request.schema.field(named: "update_mask") != nil {
      let named = request.texts("update_mask")
      let added = mask.filter { !named.contains($0) }
      request.set("update_mask", .list((named + added).map { .string($0) }))
    }
    row.request = request.serializedBytes()
    row.idempotencyKey = IdempotencyKey.random().bytes
    row.release()
    try transaction.save(&row)
    try transaction.refreshLocal(&object)
    return true
  }

  private func keep(
    _ object: inout LocalObject, _ action: OutboxAction, _ request: DynamicMessage,
    draft: DynamicMessage? = nil
  ) throws(SessionError) -> Int64 {
    guard let method = object.kind.calls[action] else { throw Self.impossible(object.kind) }
    guard try transaction.outboxRowCount() < limits.maxOutboxRows else {
      throw SessionError(
        .full, "\(limits.maxOutboxRows) changes wait to be sent; connect before making more")
    }
    if object.key == 0 {
      guard try transaction.objectCount() < limits.maxCachedObjects else {
        throw SessionError(.full, "this device keeps at most \(limits.maxCachedObjects) objects")
      }
      try transaction.save(&object)
    }
    var row = OutboxRow(
      objectKey: object.key, action: action, method: method, request: request.serializedBytes(),
      draft: draft?.serializedBytes(), idempotencyKey: IdempotencyKey.random().bytes,
      baseRevision: object.serverRevision, createdAtMilliseconds: nowMilliseconds)
    try transaction.save(&row)
    try transaction.refreshLocal(&object)
    return object.key
  }

  private func newClientID(_ wanted: [UInt8]) throws(SessionError) -> [UInt8] {
    guard !wanted.isEmpty else { return ClientIDMaker.shared.make(at: nowMilliseconds) }
    guard try transaction.object(clientID: wanted) == nil else {
      throw SessionError(.notPossible, "an object with this client_id exists")
    }
    return wanted
  }

  private func visibleObject(_ key: Int64) throws(SessionError) -> LocalObject {
    guard let object = try transaction.object(key), object.isVisible else {
      throw SessionError(.notFound, "this object no longer exists")
    }
    return object
  }

  private func whole(_ object: LocalObject) throws(SessionError) -> DynamicMessage {
    guard let bytes = object.localMessage else {
      throw SessionError(
        .notPossible, "this has only been seen in a list; open it once with a connection")
    }
    return try decoded(object.kind.schema, bytes)
  }

  private func referring(
    to object: LocalObject, _ action: OutboxAction
  ) throws(SessionError) -> DynamicMessage {
    var request = try self.request(object.kind, action)
    request.refer(to: object)
    _ = request.setBaseRevision(object.serverRevision)
    return request
  }

  private func request(
    _ kind: CachedKind, _ action: OutboxAction
  ) throws(SessionError) -> DynamicMessage {
    guard let method = kind.calls[action] else { throw Self.impossible(kind) }
    return DynamicMessage(method.schema.input)
  }

  private static func impossible(_ kind: CachedKind) -> SessionError {
    SessionError(.notPossible, "a \(kind.label) cannot be changed in this way")
  }
}

extension DynamicMessage {
  /// Names an object by the server's id, or by its client_id until that is known.
  fileprivate mutating func refer(to object: LocalObject) {
    guard !object.kind.isSingle else { return }
    if object.serverID != 0 {
      set("id", .int64(object.serverID))
    } else {
      set("client_id", .bytes(object.clientID))
    }
  }
}
