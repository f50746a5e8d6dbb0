import QuiverSQLite

/// What waits, what was refused, and what its owner decides about it.
extension OfflineSession {
  /// The changes that wait or were refused, in the order of sending.
  public func outbox() throws(SessionError) -> [OutboxEntry] {
    try store().read { (transaction) throws(SessionError) in try transaction.outboxEntries() }
  }

  /// Sends a refused change again as it is.
  public func retry(_ entry: OutboxEntry.ID) throws(SessionError) {
    try decided(entry) { (reconciliation, row) throws(SessionError) in try reconciliation.retry(row)
    }
  }

  /// Sends a change in conflict again, over what the server has by now.
  ///
  /// Throws where the object is gone there.
  public func overwrite(_ entry: OutboxEntry.ID) throws(SessionError) {
    try decided(entry) { (reconciliation, row) throws(SessionError) in
      try reconciliation.overwrite(row)
    }
  }

  /// Drops a change: the object is as the server has it, with later changes on top. With the making
  /// of an object all that was done to it goes.
  ///
  /// Throws for a change that the server may have by now.
  public func discard(_ entry: OutboxEntry.ID) throws(SessionError) {
    try decided(entry) { (reconciliation, row) throws(SessionError) in
      try reconciliation.discard(row)
    }
  }

  /// Changes that the same sign-in left for a database that the server does not have any more.
  public func orphanedChanges() throws(SessionError) -> [OrphanedChanges] {
    let current = identity
    var result: [OrphanedChanges] = []
    for identity in try directory.former(fingerprint) where identity != current {
      guard directory.hasStore(identity) else { continue }
      let store = try LocalStore(identity, in: directory, limits: configuration.limits)
      defer { store.close() }
      let entries = try store.read { (transaction) throws(SessionError) in
        try transaction.outboxEntries()
      }
      if !entries.isEmpty { result.append(OrphanedChanges(identity: identity, entries: entries)) }
    }
    return result
  }

  /// Removes what was left for another database.
  public func discardOrphanedChanges(_ identity: StoreIdentity) throws(SessionError) {
    guard identity != self.identity, try directory.former(fingerprint).contains(identity) else {
      throw SessionError(.notFound, "nothing of this sign-in was left there")
    }
    try directory.removeStore(identity)
    signal.send()
  }

  private func decided(
    _ entry: OutboxEntry.ID,
    _ body: (Reconciliation, OutboxRow) throws(SessionError) -> Void
  ) throws(SessionError) {
    try store().decide(entry, body)
    signal.send()
    wakeups.send()
  }
}
