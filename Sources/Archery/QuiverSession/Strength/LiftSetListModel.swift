public import Observation
public import QuiverAPI

/// The sets of one exercise, newest first, with marks for pending changes and those that need
/// attention.
///
/// The device keeps the newest ``SessionLimits/maxFetchedObjects`` sets of each exercise that was
/// opened.
@MainActor
@Observable
public final class LiftSetListModel {
  /// The name of the exercise; empty before the first load.
  public private(set) var exercise = ""
  /// Newest first; empty after a failed load.
  public private(set) var items: [LiftSetItem] = []
  /// Whether the server has older sets that this device does not show.
  public private(set) var isCut = false
  /// The load state of the list.
  public private(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var reads = ReadOrder()

  /// Observes the session; shows nothing before the first load.
  public init(_ session: OfflineSession) {
    self.session = session
    session.observe(for: self) { model, keys in
      guard !keys.isDisjoint(with: [.strengthSets, .connection]) else { return }
      await model.refresh()
    }
  }

  /// Shows this device's sets of an exercise, sends the pending changes, and loads the list.
  ///
  /// Without a connection this device's state stays. Throws and sets ``state`` to failed for errors
  /// that a retry does not solve, and if there is neither a connection nor a set.
  public func load(_ exercise: String) async throws(SessionError) {
    if !exercise.utf8.elementsEqual(self.exercise.utf8) { items = [] }
    self.exercise = exercise
    state = .loading(staleSince: state.staleSince)
    await refresh()
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchLiftSets(of: exercise, store)
    }
    // The user may have opened another exercise in the meantime.
    guard self.exercise == exercise else { return }
    state = .loaded(staleSince: nil)
    await refresh()
    guard let error, self.exercise == exercise else { return }
    let wasLoaded = (try? await session.lastLiftSets(of: exercise)) != nil
    if !error.isTransient || !(wasLoaded || !items.isEmpty) { throw fail(error) }
  }

  /// Adds a set on this device, and on the server with the next sync cycle.
  @discardableResult
  public func add(_ set: LiftSet) async throws(SessionError) -> LocalID {
    try await change("add strength set") { (session) async throws(SessionError) in
      try await session.create(set)
    }
  }

  /// Changes a set on this device, and on the server with the next sync cycle.
  public func update(_ id: LocalID, to set: LiftSet) async throws(SessionError) {
    try await change("change strength set") { (session) async throws(SessionError) in
      try await session.update(id, to: set)
    }
  }

  /// Deletes a set on this device, and on the server with the next sync cycle.
  public func delete(_ id: LocalID) async throws(SessionError) {
    try await change("delete strength set") { (session) async throws(SessionError) in
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
    let exercise = exercise
    guard !exercise.isEmpty else { return }
    let read = reads.start()
    do throws(SessionError) {
      let found = try await session.liftSets(of: exercise)
      let listed = try await session.lastLiftSets(of: exercise)
      guard exercise == self.exercise, reads.finish(read), state.error == nil else { return }
      items = found
      isCut = listed?.isCut ?? false
      state.setStaleSince(session.staleDate(listed?.fetchedAt, state))
    } catch {
      guard exercise == self.exercise, reads.finish(read), !error.isBeforeSignInOrAfterClose
      else { return }
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
    (items, isCut) = ([], false)
    let error = error.whileTrying(to: "load strength sets")
    state = .failed(error)
    return error
  }
}
