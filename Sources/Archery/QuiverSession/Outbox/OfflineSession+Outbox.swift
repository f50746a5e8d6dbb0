import QuiverSQLite

/// The pending and refused changes, and the user's decisions about them.
extension OfflineSession {
  /// The pending and refused changes, in sending order.
  public func outbox() async throws(SessionError) -> [OutboxEntry] {
    try await store().read { (transaction) throws(SessionError) in try transaction.outboxEntries() }
  }

  /// Sends a refused change again; with a `witness`, who agreed to that correction.
  public func retry(
    _ entry: OutboxEntry.ID, witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    try await decided(entry) { (reconciliation, row) throws(SessionError) in
      try reconciliation.retry(row, witness)
    }
  }

  /// Sends a change in conflict again, based on the server's current object; with a `witness`, who
  /// agreed to that correction.
  ///
  /// Throws if the server's object was deleted.
  public func overwrite(
    _ entry: OutboxEntry.ID, witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    try await decided(entry) { (reconciliation, row) throws(SessionError) in
      try reconciliation.overwrite(row, witness)
    }
  }

  /// Discards a change: the object becomes the server's with the later changes applied. Discarding
  /// the creation of an object discards all its changes.
  ///
  /// Throws for a change that the server may have processed.
  public func discard(_ entry: OutboxEntry.ID) async throws(SessionError) {
    try await decided(entry) { (reconciliation, row) throws(SessionError) in
      try reconciliation.discard(row)
    }
  }

  /// Changes of this sign-in for a database that the server no longer has.
  public func orphanedChanges() async throws(SessionError) -> [OrphanedChanges] {
    let current = identity
    var result: [OrphanedChanges] = []
    for identity in try await directory.former(fingerprint) where identity != current {
      guard await directory.hasStore(identity) else { continue }
      let store = try await LocalStore.open(identity, in: directory, limits: configuration.limits)
      let entries: [OutboxEntry]
      do throws(SessionError) {
        entries = try await store.read { (transaction) throws(SessionError) in
          try transaction.orphanedEntries()
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

  /// Discards the changes for another database.
  public func discardOrphanedChanges(_ identity: StoreIdentity) async throws(SessionError) {
    guard identity != self.identity,
      try await directory.former(fingerprint).contains(identity)
    else {
      throw SessionError(.notFound, "there are no changes of this sign-in")
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
