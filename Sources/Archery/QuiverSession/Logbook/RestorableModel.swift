public import Observation
public import QuiverAPI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What the user deleted or archived and can restore: weight entries of the last 30 days, archived
/// items of equipment, and inactive bow setups.
@MainActor
@Observable
public final class RestorableModel: StoredModel {
  /// Deleted weight entries, the last deletion first.
  public private(set) var entries: [DeletedEntry] = []
  /// Archived items by type, newest first.
  public private(set) var items: [EquipmentListItem] = []
  /// Inactive setups by name.
  public private(set) var setups: [SetupListItem] = []
  /// The load state of the three lists.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    startShowing { keys in
      keys.contains { key in
        key.isEquipment || [.weightEntries, .bowSetups, .connection].contains(key)
      }
    }
  }

  /// Sends the pending changes, then loads the entries, the items and the setups from the server.
  ///
  /// Without a connection this device's state stays. Throws and sets ``state`` to failed for errors
  /// that a retry does not solve, and if nothing was ever loaded.
  public func load() async throws(SessionError) {
    let session = session
    try await loadContent { (store) throws(SessionError) in
      try await session.fetchWeights(store)
      for kind in CachedKind.all where kind.rules != nil {
        try await session.fetchList(kind, store)
      }
      try await session.fetchSetups(store)
    }
  }

  /// Restores a deleted entry, an archived item or an inactive setup on this device, and on the
  /// server with the next sync cycle.
  public func restore(_ id: LocalID) async throws(SessionError) {
    try await change("restore") { (session) async throws(SessionError) in
      try await session.restore(id)
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  /// The three lists.
  struct Content: Sendable {
    var entries: [DeletedEntry] = []
    var items: [EquipmentListItem] = []
    var setups: [SetupListItem] = []
  }

  static let contentName = "what can be restored"
  // Which lists are complete is not known before the first load.
  var hasContent: Bool { false }

  func read() async throws(SessionError) -> (content: Content, fetchedAt: Int64?) {
    let deleted = try await session.weightEntries(isDeleted: true)
    var content = try await session.store().read { (transaction) throws(SessionError) in
      var content = Content()
      for kind in CachedKind.all where kind.rules != nil {
        content.items += try transaction.equipmentItems(kind, includesArchived: true)
          .filter(\.isArchived)
      }
      content.setups = try transaction.setupItems(includesInactive: true).filter { !$0.isActive }
      return content
    }
    content.entries = deleted.map { DeletedEntry($0) }.filter { $0.restorableUntil > Date() }
      .sorted { ($0.restorableUntil, $0.id.rawValue) > ($1.restorableUntil, $1.id.rawValue) }
    return (content, try await session.lastList(OfflineSession.kind(WeightEntry.self)))
  }

  func show(_ content: Content?) {
    let content = content ?? Content()
    (entries, items, setups) = (content.entries, content.items, content.setups)
  }
}

/// A deleted weight entry that can be restored.
public struct DeletedEntry: Sendable, Equatable, Identifiable {
  /// The id of the entry on this device.
  public let id: LocalID
  /// The entry as it was.
  public let entry: WeightEntry
  /// When the server removes the entry permanently, 30 days after the deletion.
  public let restorableUntil: Date
  /// Whether the server has the deletion.
  public let mark: SyncMark

  /// How long a deleted entry can be restored, in milliseconds.
  static let keptMilliseconds: Int64 = 30 * 86_400_000

  init(_ weight: LocalWeight) {
    id = weight.id
    entry = weight.entry
    restorableUntil = WallClock.date(
      weight.entry.deletedAtMilliseconds &+ Self.keptMilliseconds)
    mark = weight.mark
  }
}

extension OfflineSession {
  /// Restores a deleted weight entry, an archived item or an inactive setup; does nothing if it is
  /// neither deleted, archived nor inactive.
  public func restore(_ id: LocalID) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.setArchived(false, id.rawValue)
    }
  }
}
