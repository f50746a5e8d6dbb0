public import FoundationEssentials
public import Observation
public import QuiverAPI

/// What the user deleted or archived and can restore: weight entries of the last 30 days, archived
/// items of equipment, and inactive bow setups.
@MainActor
@Observable
public final class RestorableModel {
  /// Deleted weight entries, the last deletion first.
  public private(set) var entries: [DeletedEntry] = []
  /// Archived items by type, newest first.
  public private(set) var items: [EquipmentListItem] = []
  /// Inactive setups by name.
  public private(set) var setups: [SetupListItem] = []
  /// The load state of the three lists.
  public private(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    session.observe(for: self) { model, keys in
      let isShown = keys.contains { key in
        key.isEquipment || [.weightEntries, .bowSetups, .connection].contains(key)
      }
      if isShown { await model.refresh() }
    }
    Task { [weak self] in await self?.refresh() }
  }

  /// Sends the pending changes, then loads the entries, the items and the setups from the server.
  ///
  /// Without a connection this device's state stays. Throws and sets ``state`` to failed for errors
  /// that a retry does not solve, and if nothing was ever loaded.
  public func load() async throws(SessionError) {
    state = .loading(staleSince: state.staleSince)
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchWeights(store)
      for kind in CachedKind.all where kind.rules != nil {
        try await session.fetchList(kind, store)
      }
      try await session.fetchSetups(store)
    }
    state = .loaded(staleSince: nil)
    await refresh()
    guard let error else { return }
    let wasLoaded = (try? await session.lastWeights()) != nil
    if !(error.isTransient && wasLoaded) { throw fail(error) }
  }

  /// Restores a deleted entry, an archived item or an inactive setup on this device, and on the
  /// server with the next sync cycle.
  public func restore(_ id: LocalID) async throws(SessionError) {
    do throws(SessionError) {
      try await session.restore(id)
    } catch {
      throw error.whileTrying(to: "restore")
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
    let read = reads.start()
    do throws(SessionError) {
      let deleted = try await session.weightEntries(isDeleted: true)
      let (archived, inactive) = try await session.store().read {
        (transaction) throws(SessionError) in
        var items: [EquipmentListItem] = []
        for kind in CachedKind.all where kind.rules != nil {
          items += try transaction.equipmentItems(kind, includesArchived: true).filter(\.isArchived)
        }
        return (items, try transaction.setupItems(includesInactive: true).filter { !$0.isActive })
      }
      let listed = try await session.lastWeights()
      guard reads.finish(read), state.error == nil else { return }
      entries = deleted.map { DeletedEntry($0) }.filter { $0.restorableUntil > Date() }
        .sorted { ($0.restorableUntil, $0.id.rawValue) > ($1.restorableUntil, $1.id.rawValue) }
      (items, setups) = (archived, inactive)
      state.setStaleSince(session.staleDate(listed.map { WallClock.milliseconds($0) }, state))
    } catch {
      guard reads.finish(read), !error.isBeforeSignInOrAfterClose else { return }
      _ = fail(error)
    }
  }

  private func fail(_ error: SessionError) -> SessionError {
    (entries, items, setups) = ([], [], [])
    let error = error.whileTrying(to: "load what can be restored")
    state = .failed(error)
    return error
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
