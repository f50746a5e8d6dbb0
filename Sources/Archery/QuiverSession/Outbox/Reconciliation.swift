import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Applies the server's replies to the outbox, in the caller's transaction.
struct Reconciliation {
  let transaction: LocalTransaction

  /// The result of a refusal.
  enum Verdict {
    /// The user must decide about the row.
    case needsAttention(OutboxRow.State)
    /// The change had its effect before.
    case applied
    /// Nobody else changed what the row changes: it is sent again based on the current revision.
    case rebased
  }

  /// The change had its effect; `response` is the method's reply.
  func applied(_ row: OutboxRow, response: [UInt8]) throws(SessionError) {
    let object = try transaction.object(row.objectKey)
    if row.action == .delete, let object {
      let request = try decoded(row.method.schema.input, row.request)
      if request["detach"] == .bool(true) { try transaction.detach(object) }
    }
    let isGone = row.action == .delete && object?.kind.keepsDeleted != true
    let message: DynamicMessage? =
      isGone ? nil : try decoded(row.method.schema.output, response)
    // A created object starts at revision 1; if others have changed it since, the next row
    // conflicts.
    let revision = row.action.makesObject ? 1 : message?.uint64("revision") ?? 0
    try reconcile(row, now: message, revisionBehind: revision)
  }

  /// The row was refused permanently, unless the server's object shows otherwise.
  func refused(_ row: OutboxRow, _ error: RPCError) throws(SessionError) -> Verdict {
    guard var object = try transaction.object(row.objectKey) else {
      try transaction.delete(row)
      return .applied
    }
    if row.action == .delete && error.code == .notFound {
      try reconcile(row, now: nil, revisionBehind: 0)
      return .applied
    }
    let current = Self.current(in: error, object.kind)
    if error.code == .aborted, let current {
      if try holds(current, what: row) {
        // This change made one revision; more revisions are changes by others.
        try reconcile(row, now: current, revisionBehind: row.baseRevision &+ 1)
        return .applied
      }
      if try canMerge(object, row, current) {
        try rebase(row, on: current.uint64("revision"))
        object.take(current)
        try transaction.refreshLocal(&object)
        return .rebased
      }
    }
    let isGone = Self.isPlanGone(row, error)
    var row = row
    row.state = error.code == .aborted || isGone ? .conflict : .refused
    row.statusCode = Int64(error.code.rawValue)
    row.verdict = error.message
    row.serverObject = current?.serializedBytes()
    try transaction.save(&row)
    try transaction.countingHub(&object) { object throws(SessionError) in
      if let current { object.take(current) }
      let isMissing = error.code == .notFound && !row.action.makesObject
      if isMissing || isGone { object.takeGone() }
    }
    try transaction.refreshLocal(&object)
    return .needsAttention(row.state)
  }

  /// Sends a row that needs attention again, with who agreed to it.
  func retry(_ row: OutboxRow, _ witness: CorrectionWitness?) throws(SessionError) {
    guard row.needsAttention else { return }
    var row = row
    let isAtServer = row.state == .late
    if !isAtServer { try row.name(witness) }
    row.release()
    if isAtServer { row.state = .sent }
    try transaction.save(&row)
    guard !row.action.isScoring else { return }
    try refreshObject(row.objectKey)
  }

  /// Sends a row that needs attention again, based on the server's current revision.
  func overwrite(_ row: OutboxRow, _ witness: CorrectionWitness?) throws(SessionError) {
    guard row.needsAttention else { return }
    guard !row.action.isScoring else { return try overwriteScored(row, witness) }
    switch row.action {
    case .matchEnd: return try overwriteMatchEnd(row, witness)
    case .cardEnd: return try overwriteCardEnd(row, witness)
    case .matchConfirmation, .cardConfirmation:
      throw SessionError(.notPossible, "read the cards, and confirm again what they show")
    default: break
    }
    guard let object = try transaction.object(row.objectKey),
      object.isOnServer || (object.kind.isSingle && row.action == .update)
    else {
      throw SessionError(.notPossible, "the server no longer has it; discard the change")
    }
    try rebase(row, on: object.serverRevision)
    try refreshObject(row.objectKey)
  }

  /// Discards a row that the server did not receive, or refused, with the rows that depend on it.
  func discard(_ row: OutboxRow) throws(SessionError) {
    guard row.state != .sent else {
      throw SessionError(
        .notPossible, "the server may have this change already; wait for its reply")
    }
    guard !row.action.isScoring else { return try discardScored(row) }
    switch row.action {
    case .matchEnd: return try discardMatchEnd(row)
    case .cardEnd: return try discardCardEnd(row)
    default: break
    }
    let rows = row.action.makesObject ? try transaction.outboxRows(of: row.objectKey) : [row]
    for row in rows { try transaction.delete(row) }
    try refreshObject(row.objectKey)
  }

  private func reconcile(
    _ row: OutboxRow, now message: DynamicMessage?, revisionBehind: UInt64
  ) throws(SessionError) {
    try transaction.delete(row)
    guard var object = try transaction.object(row.objectKey) else { return }
    if let message {
      try transaction.removeDouble(of: object, serverID: message.int64("id"))
    }
    try transaction.countingHub(&object) { object throws(SessionError) in
      if let message { object.take(message) } else { object.takeGone() }
    }
    for behind in try transaction.outboxRows(of: object.key) {
      var behind = behind
      var request = try decoded(behind.method.schema.input, behind.request)
      guard request.setBaseRevision(revisionBehind) else { continue }
      behind.request = request.serializedBytes()
      behind.baseRevision = revisionBehind
      try transaction.save(&behind)
    }
    try transaction.refreshLocal(&object)
  }

  private func rebase(_ row: OutboxRow, on revision: UInt64) throws(SessionError) {
    var row = row
    var request = try decoded(row.method.schema.input, row.request)
    _ = request.setBaseRevision(revision)
    row.request = request.serializedBytes()
    row.baseRevision = revision
    // A different request needs a different key.
    row.idempotencyKey = IdempotencyKey.random().bytes
    row.release()
    try transaction.save(&row)
  }

  private func refreshObject(_ key: Int64) throws(SessionError) {
    guard var object = try transaction.object(key) else { return }
    try transaction.refreshLocal(&object)
  }

  /// Whether the server's object has the values that the row set.
  private func holds(
    _ current: DynamicMessage, what row: OutboxRow
  ) throws(SessionError) -> Bool {
    switch row.action {
    case .create, .copy, .startRounds, .addGuest, .addEntries, .score, .setConditions, .matchEnd,
      .matchConfirmation, .cardEnd, .cardConfirmation:
      return false
    case .update:
      let request = try decoded(row.method.schema.input, row.request)
      guard let wanted = request.carriedObject, let kind = CachedKind.of(current.schema) else {
        return false
      }
      return request.changedFields(of: kind).allSatisfy { current[$0] == wanted[$0] }
    case .archive, .restore, .delete:
      guard let kind = CachedKind.of(current.schema) else { return false }
      return kind.isArchived(current) == (row.action != .restore)
        && (row.action != .delete || kind.keepsDeleted)
    case .makeDefault:
      return current["is_default"] == .bool(true)
    }
  }

  /// Whether no field that the row changes has changed since the row's base was read, so that both
  /// changes stay. A deletion needs that no field has changed.
  private func canMerge(
    _ object: LocalObject, _ row: OutboxRow, _ current: DynamicMessage
  ) throws(SessionError) -> Bool {
    guard object.serverRevision == row.baseRevision, let bytes = object.serverMessage else {
      return false
    }
    let read = try decoded(object.kind.schema, bytes)
    // Another default setup, for example, changes the revision only.
    let changed = object.kind.difference(read, current).filter { $0 != "is_default" }
    guard !changed.isEmpty else { return true }
    switch row.action {
    case .update:
      // A request without a mask replaces the whole object, whose fields depend on each other.
      let request = try decoded(row.method.schema.input, row.request)
      return Set(changed).isDisjoint(with: request.changedFields(of: object.kind))
    case .archive, .restore, .makeDefault:
      return object.kind.isArchived(read) == object.kind.isArchived(current)
    default: return false
    }
  }

  /// Whether the plan that the row replaces was deleted: then only a plan without a revision is
  /// valid.
  private static func isPlanGone(_ row: OutboxRow, _ error: RPCError) -> Bool {
    row.method.id == Logbook.setWeightPlan.info.id && row.baseRevision != 0
      && error.code == .invalidArgument
  }

  private static func current(in error: RPCError, _ kind: CachedKind) -> DynamicMessage? {
    guard let detail = error.details.first(where: { $0.type == kind.schema.name }) else {
      return nil
    }
    return try? decoded(kind.schema, detail.value)
  }
}
