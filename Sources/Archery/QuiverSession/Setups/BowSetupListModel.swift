public import Observation
import QuiverAPI

/// The bow setups by name, with marks for pending changes and those that need attention.
@MainActor
@Observable
public final class BowSetupListModel {
  /// Empty after a failed load.
  public var items: [SetupListItem] {
    includesInactive ? allItems : allItems.filter(\.isActive)
  }
  /// Whether the list includes inactive setups.
  public var includesInactive = false
  /// The load state of the list.
  public private(set) var state = LoadState.idle(staleSince: nil)

  private var allItems: [SetupListItem] = []
  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    session.observe(for: self) { model, keys in
      guard !keys.isDisjoint(with: [.bowSetups, .connection]) else { return }
      await model.refresh()
    }
    Task { [weak self] in await self?.refresh() }
  }

  /// Sends the pending changes, then loads the setups from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) {
    state = .loading(staleSince: state.staleSince)
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchSetups(store)
    }
    state = .loaded(staleSince: nil)
    await refresh()
    guard let error else { return }
    let wasLoaded = state.staleSince != nil || !allItems.isEmpty
    if !error.isTransient || !wasLoaded { throw fail(error) }
  }

  /// Deletes a setup; its items stay.
  public func delete(_ id: LocalID) async throws(SessionError) {
    try await change { (session) async throws(SessionError) in try await session.delete(id) }
  }

  /// Creates a copy of a setup.
  @discardableResult
  public func copy(_ id: LocalID, named name: String = "") async throws(SessionError) -> LocalID {
    try await change { (session) async throws(SessionError) in
      try await session.copySetup(id, named: name)
    }
  }

  /// Makes a setup the default in place of the current one.
  public func makeDefault(_ id: LocalID) async throws(SessionError) {
    try await change { (session) async throws(SessionError) in try await session.makeDefault(id) }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async {
    guard state.error != nil else { return }
    state = .idle(staleSince: nil)
    await refresh()
  }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async {
    let read = reads.start()
    do throws(SessionError) {
      let kind = try OfflineSession.kind(BowSetup.self)
      let (found, listed) = try await session.store().read { (transaction) throws(SessionError) in
        (
          try transaction.setupItems(includesInactive: true),
          try transaction.answer(kind.listName)?.fetchedAt
        )
      }
      guard reads.finish(read), state.error == nil else { return }
      allItems = found
      state.setStaleSince(session.staleDate(listed, state))
    } catch {
      guard reads.finish(read), !error.isBeforeSignInOrAfterClose else { return }
      _ = fail(error)
    }
  }

  private func change<Result>(
    _ body: (OfflineSession) async throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    let result: Result
    do throws(SessionError) {
      result = try await body(session)
    } catch {
      throw error.whileTrying(to: "change bow setups")
    }
    await refresh()
    return result
  }

  private func fail(_ error: SessionError) -> SessionError {
    allItems = []
    let error = error.whileTrying(to: "load bow setups")
    state = .failed(error)
    return error
  }
}
