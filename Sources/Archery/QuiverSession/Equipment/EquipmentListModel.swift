public import FoundationEssentials
public import Observation
public import QuiverAPI

/// The items of one type, with what waits to be sent and what was refused marked.
@MainActor
@Observable
public final class EquipmentListModel {
  /// Unspecified until the first load.
  public private(set) var type = EquipmentType.unspecified
  /// Newest first; empty after an error.
  public private(set) var items: [EquipmentListItem] = []
  public private(set) var isLoading = false
  /// Why the items could not be loaded or changed; nil: nothing is wrong.
  public private(set) var errorText: String?
  /// Of when the list is, where the server cannot be reached; nil: it is current.
  public private(set) var staleSince: Date?
  /// Whether archived items are shown too.
  public var includesArchived = false {
    didSet { show() }
  }

  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var hasLoaded = false
  /// Whether the error is one of loading, after which nothing is shown.
  @ObservationIgnored private var hasFailed = false

  /// Follows the session; shows nothing before the first load.
  public init(_ session: OfflineSession) {
    self.session = session
    session.showChanges(in: self) { $0.show() }
  }

  /// Shows the last state of a type at once, sends what waits and asks for the list.
  public func load(_ type: EquipmentType) async {
    if type != self.type { hasLoaded = false }
    self.type = type
    clearError()
    guard let kind = CachedKind.of(type) else {
      return fail(SessionError(.invalid, "there is no such type of equipment"))
    }
    isLoading = true
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchList(kind, store)
    }
    // Another type may have been asked for meanwhile.
    guard self.type == type else { return }
    isLoading = false
    hasLoaded = error == nil
    show()
    guard let error else { return }
    let wasLoaded = (try? session.lastList(kind)) != nil
    if !error.isTransient || !(wasLoaded || !items.isEmpty) { fail(error) }
  }

  /// Deletes an item here, and at the server in its turn; false, with the text, where that does not
  /// go. What a setup holds is refused by the server then, unless it `detaches`.
  @discardableResult
  public func delete(_ id: LocalID, detaches: Bool = false) -> Bool {
    do throws(SessionError) {
      try session.delete(id, detaches: detaches)
      show()
      return true
    } catch {
      errorText = "Failed to delete equipment: \(error)"
      return false
    }
  }

  /// Clears the error; the last state is shown again.
  public func clearError() {
    errorText = nil
    hasFailed = false
    show()
  }

  private func show() {
    guard !hasFailed, let kind = CachedKind.of(type) else { return }
    do throws(SessionError) {
      items = try session.items(of: type, includesArchived: includesArchived)
      let isCurrent = hasLoaded && session.isOnline
      staleSince = isCurrent ? nil : try session.lastList(kind)
    } catch {
      items = []
      guard error.code != .notSignedIn && error.code != .closed else { return }
      fail(error)
    }
  }

  private func fail(_ error: SessionError) {
    hasFailed = true
    items = []
    staleSince = nil
    errorText = "Failed to load equipment: \(error)"
  }
}

extension OfflineSession {
  /// When a kind was listed last; nil: never.
  func lastList(_ kind: CachedKind) throws(SessionError) -> Date? {
    try store().read { (transaction) throws(SessionError) in
      try transaction.answer(kind.listName).map { WallClock.date($0.fetchedAt) }
    }
  }
}
