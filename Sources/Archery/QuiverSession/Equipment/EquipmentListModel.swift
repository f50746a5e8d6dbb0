import FoundationEssentials
public import Observation
public import QuiverAPI

/// The items of one type, with marks for pending changes and those that need attention.
@MainActor
@Observable
public final class EquipmentListModel {
  /// Unspecified until the first load.
  public private(set) var type = EquipmentType.unspecified
  /// Newest first; empty after a failed load.
  public var items: [EquipmentListItem] {
    includesArchived ? allItems : allItems.filter { !$0.isArchived }
  }
  /// Whether the list includes archived items.
  public var includesArchived = false
  /// The load state of the list.
  public private(set) var state = LoadState.idle(staleSince: nil)

  private var allItems: [EquipmentListItem] = []
  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var reads = ReadOrder()

  /// Observes the session; shows nothing before the first load.
  public init(_ session: OfflineSession) {
    self.session = session
    session.observe(for: self) { model, keys in
      guard keys.contains(.connection) || keys.contains(.equipment(model.type)) else { return }
      await model.refresh()
    }
  }

  /// Shows this device's items of a type, sends the pending changes, and loads the list.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load(_ type: EquipmentType) async throws(SessionError) {
    if type != self.type { allItems = [] }
    self.type = type
    guard let kind = CachedKind.of(type) else {
      throw fail(SessionError(.invalid, "there is no such type of equipment", field: "type"))
    }
    state = .loading(staleSince: state.staleSince)
    await refresh()
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchList(kind, store)
    }
    // The user may have opened another type in the meantime.
    guard self.type == type else { return }
    state = .loaded(staleSince: nil)
    await refresh()
    guard let error, self.type == type else { return }
    let wasLoaded = (try? await session.lastList(kind)) != nil
    if !error.isTransient || !(wasLoaded || !allItems.isEmpty) { throw fail(error) }
  }

  /// Deletes an item on this device, and on the server with the next sync cycle.
  ///
  /// The server refuses to delete an item that is part of a setup, unless `detaches` is set.
  public func delete(_ id: LocalID, detaches: Bool = false) async throws(SessionError) {
    do throws(SessionError) {
      try await session.delete(id, detaches: detaches)
    } catch {
      throw error.whileTrying(to: "delete equipment")
    }
    await refresh()
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async {
    guard state.error != nil else { return }
    state = .idle(staleSince: nil)
    await refresh()
  }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async {
    let type = type
    guard let kind = CachedKind.of(type) else { return }
    let read = reads.start()
    do throws(SessionError) {
      let (found, listed) = try await session.store().read { (transaction) throws(SessionError) in
        (
          try transaction.equipmentItems(kind, includesArchived: true),
          try transaction.answer(kind.listName)?.fetchedAt
        )
      }
      guard type == self.type, reads.finish(read), state.error == nil else { return }
      allItems = found
      state.setStaleSince(session.staleDate(listed, state))
    } catch {
      guard type == self.type, reads.finish(read), !error.isBeforeSignInOrAfterClose else {
        return
      }
      _ = fail(error)
    }
  }

  private func fail(_ error: SessionError) -> SessionError {
    allItems = []
    let error = error.whileTrying(to: "load equipment")
    state = .failed(error)
    return error
  }
}

extension OfflineSession {
  /// When the server last sent the list of a kind; nil if it never did.
  func lastList(_ kind: CachedKind) async throws(SessionError) -> Date? {
    try await store().read { (transaction) throws(SessionError) in
      try transaction.answer(kind.listName).map { WallClock.date($0.fetchedAt) }
    }
  }

  /// The date to show for content last confirmed at `fetchedAt`; nil if the content is current.
  func staleDate(_ fetchedAt: Int64?, _ state: LoadState) -> Date? {
    if case .loaded = state, isOnline { return nil }
    return fetchedAt.map { WallClock.date($0) }
  }
}

extension SessionError {
  /// Whether the local file cannot be read only because nobody has signed in or the session is
  /// closed.
  var isBeforeSignInOrAfterClose: Bool { code == .notSignedIn || code == .closed }
}
