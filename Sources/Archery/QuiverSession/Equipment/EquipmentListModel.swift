public import Observation
public import QuiverAPI

/// The items of one type, with marks for pending changes and those that need attention.
@MainActor
@Observable
public final class EquipmentListModel: StoredModel {
  /// Unspecified until the first load.
  public private(set) var type = EquipmentType.unspecified
  /// Newest first; empty after a failed load.
  public var items: [EquipmentListItem] {
    includesArchived ? allItems : allItems.filter { !$0.isArchived }
  }
  /// Whether the list includes archived items.
  public var includesArchived = false
  /// The load state of the list.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  private var allItems: [EquipmentListItem] = []
  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Observes the session; shows nothing before the first load.
  public init(_ session: OfflineSession) {
    self.session = session
    startObserving { model, keys in
      keys.contains(.connection) || keys.contains(.equipment(model.type))
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
    try await loadContent { (store) throws(SessionError) in
      try await session.fetchList(kind, store)
    }
  }

  /// Deletes an item on this device, and on the server with the next sync cycle.
  ///
  /// The server refuses to delete an item that is part of a setup, unless `detaches` is set.
  public func delete(_ id: LocalID, detaches: Bool = false) async throws(SessionError) {
    try await change("delete equipment") { (session) async throws(SessionError) in
      try await session.delete(id, detaches: detaches)
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "equipment"
  var selection: String { "\(type.rawValue)" }
  var hasContent: Bool { !allItems.isEmpty }

  func read() async throws(SessionError) -> (content: [EquipmentListItem], fetchedAt: Int64?) {
    guard let kind = CachedKind.of(type) else { return ([], nil) }
    return try await session.store().read { (transaction) throws(SessionError) in
      (
        try transaction.equipmentItems(kind, includesArchived: true),
        try transaction.answer(kind.listName)?.fetchedAt
      )
    }
  }

  func show(_ content: [EquipmentListItem]?) { allItems = content ?? [] }
}
