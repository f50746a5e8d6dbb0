public import Observation
public import QuiverAPI

/// The sight marks of one sight or one bow setup; each tells whether its changes wait or need
/// attention.
///
/// An owner has at most 200 marks on the server, which refuses further ones.
@MainActor
@Observable
public final class SightMarkListModel {
  /// The sight or the setup.
  public let owner: LocalID
  /// By distance; empty after a failed load.
  public private(set) var items: [SightMarkItem] = []
  /// The load state of the list.
  public private(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, owner: LocalID) {
    self.session = session
    self.owner = owner
    session.observe(for: self) { model, keys in
      let relevant: Set<ChangeKey> = [
        .sightMarks, .bowSetups, .equipment(.sight), .connection,
      ]
      if !keys.isDisjoint(with: relevant) { await model.refresh() }
    }
    Task { [weak self] in await self?.refresh() }
  }

  /// Sends the pending changes, then loads the marks from the server.
  ///
  /// Without a connection this device's state stays. Throws and sets ``state`` to failed for errors
  /// that a retry does not solve, for example an owner that was deleted.
  public func load() async throws(SessionError) {
    state = .loading(staleSince: state.staleSince)
    let (session, key) = (session, owner.rawValue)
    let error = await session.load { (store) throws(SessionError) in
      let owner = try await store.read { (transaction) throws(SessionError) in
        try transaction.sightMarkOwner(key)
      }
      try await session.fetchSightMarks(of: owner, store)
      try await store.write { (transaction) throws(SessionError) in
        try transaction.keepAnswer(
          "sight marks \(key)", [], fetchedAt: WallClock.nowMilliseconds(), key: .sightMarks)
      }
    }
    state = .loaded(staleSince: nil)
    await refresh()
    if let error, !error.isTransient { throw fail(error) }
  }

  /// Adds a mark on this device, and on the server with the next sync cycle.
  @discardableResult
  public func add(_ mark: SightMark) async throws(SessionError) -> LocalID {
    let owner = owner
    return try await change("add sight mark") { (session) async throws(SessionError) in
      try await session.create(mark, of: owner)
    }
  }

  /// Changes a mark on this device, and on the server with the next sync cycle.
  public func update(_ id: LocalID, to mark: SightMark) async throws(SessionError) {
    try await change("change sight mark") { (session) async throws(SessionError) in
      try await session.update(id, to: mark)
    }
  }

  /// Deletes a mark on this device, and on the server with the next sync cycle.
  public func delete(_ id: LocalID) async throws(SessionError) {
    try await change("delete sight mark") { (session) async throws(SessionError) in
      try await session.delete(id)
    }
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
    let owner = owner
    do throws(SessionError) {
      let found = try await session.sightMarks(of: owner)
      let fetchedAt = try await session.store().read { (transaction) throws(SessionError) in
        try transaction.answer("sight marks \(owner.rawValue)")?.fetchedAt
      }
      guard reads.finish(read), state.error == nil else { return }
      items = found
      state.setStaleSince(session.staleDate(fetchedAt, state))
    } catch {
      guard reads.finish(read), !error.isBeforeSignInOrAfterClose else { return }
      _ = fail(error)
    }
  }

  private func change<Result>(
    _ operation: String, _ body: (OfflineSession) async throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    let result: Result
    do throws(SessionError) {
      result = try await body(session)
    } catch {
      throw error.whileTrying(to: operation)
    }
    await refresh()
    return result
  }

  private func fail(_ error: SessionError) -> SessionError {
    items = []
    let error = error.whileTrying(to: "load sight marks")
    state = .failed(error)
    return error
  }
}
