import FoundationEssentials
public import Observation
public import QuiverAPI

/// The items of one type, with marks for changes that wait or need attention.
@MainActor
@Observable
public final class EquipmentListModel {
  /// Unspecified until the first load.
  public private(set) var type = EquipmentType.unspecified
  /// Newest first; empty after a failed load.
  public var items: [EquipmentListItem] {
    includesArchived ? allItems : allItems.filter { !$0.isArchived }
  }
  /// Whether archived items are shown too.
  public var includesArchived = false
  public private(set) var state = LoadState.idle(staleSince: nil)

  private var allItems: [EquipmentListItem] = []
  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var reads = ReadOrder()

  /// Follows the session; shows nothing before the first load.
  public init(_ session: OfflineSession) {
    self.session = session
    session.observe(for: self) { model, keys in
      guard keys.contains(.connection) || keys.contains(.equipment(model.type)) else { return }
      await model.refresh()
    }
  }

  /// Shows the state of this device for a type, sends the changes that wait, and loads the list.
  ///
  /// Without a connection the state of this device stays. Throws, with ``state`` failed, where
  /// there is none, and for errors that a retry does not cure.
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
    // Another type may have been asked for meanwhile.
    guard self.type == type else { return }
    state = .loaded(staleSince: nil)
    await refresh()
    guard let error, self.type == type else { return }
    let wasLoaded = (try? await session.lastList(kind)) != nil
    if !error.isTransient || !(wasLoaded || !allItems.isEmpty) { throw fail(error) }
  }

  /// Deletes an item on this device, and at the server when it is reached.
  ///
  /// The server rejects the deletion of an item that is part of a setup, unless it `detaches`.
  public func delete(_ id: LocalID, detaches: Bool = false) async throws(SessionError) {
    do throws(SessionError) {
      try await session.delete(id, detaches: detaches)
    } catch {
      throw error.whileTrying(to: "delete equipment")
    }
    await refresh()
  }

  /// Shows the state of this device again after a failed load.
  public func clearError() async {
    guard state.error != nil else { return }
    state = .idle(staleSince: nil)
    await refresh()
  }

  /// Reads the state of this device; asks no server. Does nothing after a failed load.
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
  /// When the server last sent the list of a kind; nil: never.
  func lastList(_ kind: CachedKind) async throws(SessionError) -> Date? {
    try await store().read { (transaction) throws(SessionError) in
      try transaction.answer(kind.listName).map { WallClock.date($0.fetchedAt) }
    }
  }

  /// The date to show for content that the server last confirmed then: nil where it is current.
  func staleDate(_ fetchedAt: Int64?, _ state: LoadState) -> Date? {
    if case .loaded = state, isOnline { return nil }
    return fetchedAt.map { WallClock.date($0) }
  }
}

extension SessionError {
  /// Whether the local file could only not be read because there is none yet, or none any more.
  var isBeforeSignInOrAfterClose: Bool { code == .notSignedIn || code == .closed }
}
