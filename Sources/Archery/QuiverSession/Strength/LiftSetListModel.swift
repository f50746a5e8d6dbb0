public import Observation
public import QuiverAPI

/// The sets of one exercise, newest first, with marks for pending changes and those that need
/// attention.
///
/// The device keeps the newest ``SessionLimits/maxFetchedObjects`` sets of each exercise that was
/// opened.
@MainActor
@Observable
public final class LiftSetListModel: StoredModel {
  /// The name of the exercise; empty before the first load.
  public private(set) var exercise = ""
  /// Newest first; empty after a failed load.
  public private(set) var items: [LiftSetItem] = []
  /// Whether the server has older sets that this device does not show.
  public private(set) var isCut = false
  /// The load state of the list.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Observes the session; shows nothing before the first load.
  public init(_ session: OfflineSession) {
    self.session = session
    startObserving { _, keys in !keys.isDisjoint(with: [.strengthSets, .connection]) }
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
    try await loadContent { (store) throws(SessionError) in
      try await session.fetchLiftSets(of: exercise, store)
    }
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
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  /// The sets of the exercise, and whether the server has older ones.
  struct Content: Sendable {
    var items: [LiftSetItem] = []
    var isCut = false
  }

  static let contentName = "strength sets"
  var selection: String { exercise }
  var hasContent: Bool { !items.isEmpty }

  func read() async throws(SessionError) -> (content: Content, fetchedAt: Int64?) {
    let exercise = exercise
    let items = try await session.liftSets(of: exercise)
    let listed = try await session.lastLiftSets(of: exercise)
    return (Content(items: items, isCut: listed?.isCut ?? false), listed?.fetchedAt)
  }

  func show(_ content: Content?) {
    (items, isCut) = (content?.items ?? [], content?.isCut ?? false)
  }
}
