public import Observation
import QuiverAPI

/// The bow setups by name, with marks for pending changes and those that need attention.
@MainActor
@Observable
public final class BowSetupListModel: StoredModel {
  /// Empty after a failed load.
  public var items: [SetupListItem] {
    includesInactive ? allItems : allItems.filter(\.isActive)
  }
  /// Whether the list includes inactive setups.
  public var includesInactive = false
  /// The load state of the list.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  private var allItems: [SetupListItem] = []
  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    startShowing { !$0.isDisjoint(with: [.bowSetups, .connection]) }
  }

  /// Sends the pending changes, then loads the setups from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) {
    let session = session
    try await loadContent { (store) throws(SessionError) in
      try await session.fetchSetups(store)
    }
  }

  /// Deletes a setup; its items stay.
  public func delete(_ id: LocalID) async throws(SessionError) {
    try await change(Self.operation) { (session) async throws(SessionError) in
      try await session.delete(id)
    }
  }

  /// Creates a copy of a setup.
  @discardableResult
  public func copy(_ id: LocalID, named name: String = "") async throws(SessionError) -> LocalID {
    try await change(Self.operation) { (session) async throws(SessionError) in
      try await session.copySetup(id, named: name)
    }
  }

  /// Makes a setup the default in place of the current one.
  public func makeDefault(_ id: LocalID) async throws(SessionError) {
    try await change(Self.operation) { (session) async throws(SessionError) in
      try await session.makeDefault(id)
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "bow setups"
  private static let operation = "change bow setups"
  var hasContent: Bool { !allItems.isEmpty }

  func read() async throws(SessionError) -> (content: [SetupListItem], fetchedAt: Int64?) {
    let kind = try OfflineSession.kind(BowSetup.self)
    return try await session.store().read { (transaction) throws(SessionError) in
      (
        try transaction.setupItems(includesInactive: true),
        try transaction.answer(kind.listName)?.fetchedAt
      )
    }
  }

  func show(_ content: [SetupListItem]?) { allItems = content ?? [] }
}
