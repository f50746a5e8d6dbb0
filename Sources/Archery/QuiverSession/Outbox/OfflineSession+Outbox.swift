import QuiverSQLite

/// What waits, what was refused, and what its owner decides about it.
extension OfflineSession {
  /// The changes that wait or were refused, in the order of sending.
  public func outbox() async throws(SessionError) -> [OutboxEntry] {
    try await store().read { (transaction) throws(SessionError) in try transaction.outboxEntries() }
  }

  /// Sends a refused change again as it is.
  public func retry(_ entry: OutboxEntry.ID) async throws(SessionError) {
    try await decided(entry) { (reconciliation, row) throws(SessionError) in
      try reconciliation.retry(row)
    }
  }

  /// Sends a change in conflict again, over what the server has by now.
  ///
  /// Throws where the object is gone there.
  public func overwrite(_ entry: OutboxEntry.ID) async throws(SessionError) {
    try await decided(entry) { (reconciliation, row) throws(SessionError) in
      try reconciliation.overwrite(row)
    }
  }

  /// Drops a change: the object is as the server has it, with later changes on top. With the making
  /// of an object all that was done to it goes.
  ///
  /// Throws for a change that the server may have by now.
  public func discard(_ entry: OutboxEntry.ID) async throws(SessionError) {
    try await decided(entry) { (reconciliation, row) throws(SessionError) in
      try reconciliation.discard(row)
    }
  }

  /// Changes that the same sign-in left for a database that the server does not have any more.
  public func orphanedChanges() async throws(SessionError) -> [OrphanedChanges] {
    let current = identity
    var result: [OrphanedChanges] = []
    for identity in try await directory.former(fingerprint) where identity != current {
      guard await directory.hasStore(identity) else { continue }
      let store = try await LocalStore.open(identity, in: directory, limits: configuration.limits)
      let entries: [OutboxEntry]
      do throws(SessionError) {
        entries = try await store.read { (transaction) throws(SessionError) in
          try transaction.outboxEntries()
        }
      } catch {
        await store.close()
        throw error
      }
      await store.close()
      if !entries.isEmpty { result.append(OrphanedChanges(identity: identity, entries: entries)) }
    }
    return result
  }

  /// Removes what was left for another database.
  public func discardOrphanedChanges(_ identity: StoreIdentity) async throws(SessionError) {
    guard identity != self.identity,
      try await directory.former(fingerprint).contains(identity)
    else {
      throw SessionError(.notFound, "nothing of this sign-in was left there")
    }
    try await directory.removeStore(identity)
    signal.send([.orphanedChanges])
  }

  private func decided(
    _ entry: OutboxEntry.ID,
    _ body: @escaping @Sendable (Reconciliation, OutboxRow) throws(SessionError) -> Void
  ) async throws(SessionError) {
    try await store().decide(entry, body)
    wakeups.send([.outbox])
  }
}
