public import Observation
public import QuiverAPI

/// The sight marks of one sight or one bow setup; each tells whether its changes wait or need
/// attention.
///
/// An owner has at most 200 marks on the server, which refuses further ones.
@MainActor
@Observable
public final class SightMarkListModel: StoredModel {
  /// The sight or the setup.
  public let owner: LocalID
  /// By distance; empty after a failed load.
  public private(set) var items: [SightMarkItem] = []
  /// The load state of the list.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, owner: LocalID) {
    self.session = session
    self.owner = owner
    startShowing {
      !$0.isDisjoint(with: [.sightMarks, .bowSetups, .equipment(.sight), .connection])
    }
  }

  /// Sends the pending changes, then loads the marks from the server.
  ///
  /// Without a connection this device's state stays. Throws and sets ``state`` to failed for errors
  /// that a retry does not solve, for example an owner that was deleted.
  public func load() async throws(SessionError) {
    let (session, key) = (session, owner.rawValue)
    try await loadContent { (store) throws(SessionError) in
      let owner = try await store.read { (transaction) throws(SessionError) in
        try transaction.sightMarkOwner(key)
      }
      try await session.fetchSightMarks(of: owner, store)
      try await store.write { (transaction) throws(SessionError) in
        try transaction.keepAnswer(
          "sight marks \(key)", [], fetchedAt: WallClock.nowMilliseconds(), key: .sightMarks)
      }
    }
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
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "sight marks"
  // An owner without marks is content too.
  var hasContent: Bool { true }

  func read() async throws(SessionError) -> (content: [SightMarkItem], fetchedAt: Int64?) {
    let owner = owner
    let fetchedAt = try await session.store().read { (transaction) throws(SessionError) in
      try transaction.answer("sight marks \(owner.rawValue)")?.fetchedAt
    }
    return (try await session.sightMarks(of: owner), fetchedAt)
  }

  func show(_ content: [SightMarkItem]?) { items = content ?? [] }
}
