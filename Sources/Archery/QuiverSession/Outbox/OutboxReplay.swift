import QuiverProtobuf
import QuiverRPC

extension LocalTransaction {
  /// Computes the local side of an object: the server's object with the outbox's rows applied in
  /// order.
  ///
  /// An object that neither the server nor the outbox has is deleted.
  func refreshLocal(_ object: inout LocalObject) throws(SessionError) {
    let rows = try outboxRows(of: object.key)
    guard object.isOnServer || !rows.isEmpty else { return try delete(object) }
    var replay = OutboxReplay(object)
    replay.message = try object.serverMessage.map { bytes throws(SessionError) in
      try decoded(object.kind.schema, bytes)
    }
    for row in rows { try replay.apply(row) }
    object.isVisible = replay.isVisible
    object.isArchived = replay.isArchived
    object.localMessage = replay.message?.serializedBytes()
    if let message = replay.message {
      (object.title, object.subtitle) = object.kind.titles(of: message)
    }
    try save(&object)
  }
}

/// An object to which the rows of the outbox are applied.
private struct OutboxReplay {
  let kind: CachedKind
  var message: DynamicMessage?
  var isVisible: Bool
  var isArchived: Bool

  init(_ object: LocalObject) {
    kind = object.kind
    // An object with a change that needs attention stays visible, even if it was deleted on the
    // server.
    isVisible = object.isOnServer || !object.kind.isSingle
    isArchived = object.isArchivedOnServer
  }

  mutating func apply(_ row: OutboxRow) throws(SessionError) {
    switch row.action {
    case .create, .copy:
      if let draft = row.draft { message = try decoded(kind.schema, draft) }
      if let message { isArchived = kind.isArchived(message) }
    case .update:
      let request = try decoded(row.method.schema.input, row.request)
      guard let wanted = request.carriedObject else { return }
      var result = message ?? wanted
      for name in request.changedFields(of: kind) {
        guard let field = result.schema.field(named: name) else { continue }
        result[field.number] = wanted[field.number]
      }
      message = result
      isVisible = true
      isArchived = kind.isArchived(result)
    case .delete:
      guard kind.keepsDeleted else {
        isVisible = row.needsAttention
        return
      }
      guard !row.needsAttention, var result = message else { return }
      kind.setArchived(true, &result, at: row.createdAtMilliseconds)
      message = result
      isArchived = true
    case .archive, .restore:
      isArchived = row.action == .archive
      if var result = message {
        kind.setArchived(isArchived, &result)
        message = result
      }
    case .makeDefault:
      message?.set("is_default", .bool(true))
    case .startRounds, .addGuest, .addEntries, .score, .setConditions, .matchEnd,
      .matchConfirmation, .cardEnd, .cardConfirmation:
      break
    }
  }
}
