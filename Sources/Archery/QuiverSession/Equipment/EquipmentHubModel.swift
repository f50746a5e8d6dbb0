public import Observation
public import QuiverAPI

/// The number of items by type, in groups, including pending changes.
@MainActor
@Observable
public final class EquipmentHubModel {
  /// The three groups with their labels, counts and totals; empty after a failed load.
  public private(set) var groups: [HubGroup] = []
  /// The number of items of all types, without archived ones.
  public private(set) var total: UInt32 = 0
  /// The number of active bow setups.
  public private(set) var setupCount: UInt32 = 0
  /// The load state of the counts.
  public private(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    session.observe(for: self) { model, keys in
      guard keys.contains(where: { $0.changesEquipmentCounts }) else { return }
      await model.refresh()
    }
    Task { [weak self] in await self?.refresh() }
  }

  /// Sends the pending changes, then loads the counts from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) {
    state = .loading(staleSince: state.staleSince)
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchHub(store)
    }
    state = .loaded(staleSince: nil)
    await refresh()
    if let error, !(error.isTransient && !groups.isEmpty) { throw fail(error) }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async {
    guard state.error != nil else { return }
    state = .idle(staleSince: nil)
    await refresh()
  }

  /// The count of a type; 0 if it is not known.
  public func count(of type: EquipmentType) -> UInt32 {
    groups.flatMap(\.counts).first { $0.type == type }?.count ?? 0
  }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async {
    let read = reads.start()
    do throws(SessionError) {
      let known = try await session.store().read { (transaction) throws(SessionError) in
        try transaction.hub()
      }
      guard reads.finish(read), state.error == nil else { return }
      groups = known?.hub.groups ?? []
      total = known?.hub.total ?? 0
      setupCount = known?.hub.setupCount ?? 0
      state.setStaleSince(session.staleDate(known?.fetchedAt, state))
    } catch {
      guard reads.finish(read), !error.isBeforeSignInOrAfterClose else { return }
      _ = fail(error)
    }
  }

  private func fail(_ error: SessionError) -> SessionError {
    (groups, total, setupCount) = ([], 0, 0)
    let error = error.whileTrying(to: "load equipment counts")
    state = .failed(error)
    return error
  }
}

extension ChangeKey {
  fileprivate var changesEquipmentCounts: Bool {
    isEquipment || self == .equipmentCounts || self == .bowSetups || self == .connection
  }
}
