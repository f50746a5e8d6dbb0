public import Observation

/// The changes that are pending, need attention, or are orphaned.
@MainActor
@Observable
public final class OutboxModel {
  /// The changes in the order of sending.
  public private(set) var entries: [OutboxEntry] = []
  /// Changes for a database that the server no longer has.
  public private(set) var orphanedChanges: [OrphanedChanges] = []
  /// The state of the connection to the server.
  public private(set) var connection = OfflineSession.Connection.untried
  /// Failed if the last ``sync()`` did not send everything, or if the file cannot be read.
  public private(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored private let session: OfflineSession
  /// The identity for which ``orphanedChanges`` was read. The read opens files.
  @ObservationIgnored private var orphansReadFor: StoreIdentity?
  @ObservationIgnored private var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    connection = session.connection
    session.observe(for: self) { model, keys in
      guard !keys.isDisjoint(with: [.outbox, .orphanedChanges, .connection]) else { return }
      if keys.contains(.orphanedChanges) { model.orphansReadFor = nil }
      await model.refresh()
    }
    Task { [weak self] in await self?.refresh() }
  }

  /// The number of changes that wait for a connection.
  public var waitingCount: Int { entries.count { $0.mark == .waiting } }

  /// The number of changes that need the user's decision.
  public var attentionCount: Int { entries.count - waitingCount }

  /// Sends the pending changes. If some remain, throws the reason and sets ``state`` to failed.
  public func sync() async throws(SessionError) {
    state = .loading(staleSince: nil)
    let report = await session.syncNow()
    let error = report.error?.whileTrying(to: "send changes")
    state = error.map { .failed($0) } ?? .loaded(staleSince: nil)
    await refresh()
    if let error { throw error }
  }

  /// Sends a refused change again without modification.
  public func retry(_ entry: OutboxEntry.ID) async throws(SessionError) {
    try await decide { (session) async throws(SessionError) in try await session.retry(entry) }
  }

  /// Sends a change in conflict again, based on the server's current object.
  public func overwrite(_ entry: OutboxEntry.ID) async throws(SessionError) {
    try await decide { (session) async throws(SessionError) in try await session.overwrite(entry) }
  }

  /// Discards a change.
  public func discard(_ entry: OutboxEntry.ID) async throws(SessionError) {
    try await decide { (session) async throws(SessionError) in try await session.discard(entry) }
  }

  /// Sends the orphaned changes of another database to the current one; what has no object there
  /// stays orphaned.
  public func sendOrphanedChanges(_ identity: StoreIdentity) async throws(SessionError) {
    orphansReadFor = nil
    try await decide { (session) async throws(SessionError) in
      _ = try await session.sendOrphanedChanges(identity)
    }
  }

  /// Discards the orphaned changes of another database.
  public func discardOrphanedChanges(_ identity: StoreIdentity) async throws(SessionError) {
    orphansReadFor = nil
    try await decide { (session) async throws(SessionError) in
      try await session.discardOrphanedChanges(identity)
    }
  }

  /// Clears the failure of the last ``sync()``.
  public func clearError() async {
    guard state.error != nil else { return }
    state = .idle(staleSince: nil)
    await refresh()
  }

  /// Reads this device's state; sends nothing to the server.
  public func refresh() async {
    connection = session.connection
    let read = reads.start()
    do throws(SessionError) {
      let found = try await session.outbox()
      if reads.finish(read) { entries = found }
      let identity = session.identity
      guard identity != orphansReadFor else { return }
      orphanedChanges = try await session.orphanedChanges()
      orphansReadFor = identity
    } catch {
      guard !error.isBeforeSignInOrAfterClose else { return }
      state = .failed(error.whileTrying(to: "read the outbox"))
    }
  }

  private func decide(
    _ decision: (OfflineSession) async throws(SessionError) -> Void
  ) async throws(SessionError) {
    do throws(SessionError) {
      try await decision(session)
    } catch {
      throw error.whileTrying(to: "change the outbox")
    }
    await refresh()
  }
}
