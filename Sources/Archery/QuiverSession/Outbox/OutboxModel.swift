public import Observation

/// What waits to be sent, what was refused, and what was left for another database.
@MainActor
@Observable
public final class OutboxModel {
  /// In the order of sending.
  public private(set) var entries: [OutboxEntry] = []
  /// Changes that were never sent because the server has another database by now.
  public private(set) var orphanedChanges: [OrphanedChanges] = []
  public private(set) var connection = OfflineSession.Connection.untried
  public private(set) var isSyncing = false
  /// Why something could not be done; nil: nothing is wrong.
  public private(set) var errorText: String?

  @ObservationIgnored private let session: OfflineSession
  /// The identity for which ``orphanedChanges`` was read. The read opens files.
  @ObservationIgnored private var lookedUpFor: StoreIdentity?

  /// Follows the session from now on.
  public init(_ session: OfflineSession) {
    self.session = session
    show()
    session.showChanges(in: self) { $0.show() }
  }

  /// Changes that wait for a connection.
  public var waitingCount: Int { entries.count { $0.mark == .waiting } }

  /// Changes about which their owner has to decide.
  public var attentionCount: Int { entries.count - waitingCount }

  /// Sends what waits.
  public func sync() async {
    isSyncing = true
    let report = await session.syncNow()
    isSyncing = false
    errorText = report.error.map { "Failed to send changes: \($0)" }
    show()
  }

  /// Sends a refused change again as it is.
  @discardableResult
  public func retry(_ entry: OutboxEntry.ID) -> Bool {
    decided { () throws(SessionError) in try session.retry(entry) }
  }

  /// Sends a change in conflict again, over what the server has by now.
  @discardableResult
  public func overwrite(_ entry: OutboxEntry.ID) -> Bool {
    decided { () throws(SessionError) in try session.overwrite(entry) }
  }

  /// Drops a change.
  @discardableResult
  public func discard(_ entry: OutboxEntry.ID) -> Bool {
    decided { () throws(SessionError) in try session.discard(entry) }
  }

  /// Removes what was left for another database.
  @discardableResult
  public func discardOrphanedChanges(_ identity: StoreIdentity) -> Bool {
    lookedUpFor = nil
    return decided { () throws(SessionError) in try session.discardOrphanedChanges(identity) }
  }

  public func clearError() { errorText = nil }

  private func decided(_ decision: () throws(SessionError) -> Void) -> Bool {
    do throws(SessionError) {
      try decision()
      show()
      return true
    } catch {
      errorText = "Failed to change what waits: \(error)"
      return false
    }
  }

  private func show() {
    connection = session.connection
    do throws(SessionError) {
      entries = try session.outbox()
      guard session.identity != lookedUpFor else { return }
      orphanedChanges = try session.orphanedChanges()
      lookedUpFor = session.identity
    } catch {
      guard error.code != .notSignedIn && error.code != .closed else { return }
      errorText = "Failed to read what waits: \(error)"
    }
  }
}
