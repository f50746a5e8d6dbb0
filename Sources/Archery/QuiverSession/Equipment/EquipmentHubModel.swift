public import Observation
public import QuiverAPI

/// The number of items by type, in groups, including pending changes.
@MainActor
@Observable
public final class EquipmentHubModel: StoredModel {
  /// The three groups with their labels, counts and totals; empty after a failed load.
  public private(set) var groups: [HubGroup] = []
  /// The number of items of all types, without archived ones.
  public private(set) var total: UInt32 = 0
  /// The number of active bow setups.
  public private(set) var setupCount: UInt32 = 0
  /// The load state of the counts.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    startShowing { keys in keys.contains { $0.changesEquipmentCounts } }
  }

  /// Sends the pending changes, then loads the counts from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) {
    let session = session
    try await loadContent { (store) throws(SessionError) in
      try await session.fetchHub(store)
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// The count of a type; 0 if it is not known.
  public func count(of type: EquipmentType) -> UInt32 {
    groups.flatMap(\.counts).first { $0.type == type }?.count ?? 0
  }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "equipment counts"
  var hasContent: Bool { !groups.isEmpty }

  func read() async throws(SessionError) -> (content: HubContent, fetchedAt: Int64?) {
    try await session.store().read { (transaction) throws(SessionError) in
      let known = try transaction.hub()
      let hub = known?.hub
      return (
        HubContent(
          groups: hub?.groups ?? [], total: hub?.total ?? 0, setupCount: hub?.setupCount ?? 0),
        known?.fetchedAt
      )
    }
  }

  func show(_ content: HubContent?) {
    let content = content ?? HubContent()
    (groups, total, setupCount) = (content.groups, content.total, content.setupCount)
  }
}

/// The counts that the model shows.
struct HubContent: Sendable {
  var groups: [HubGroup] = []
  var total: UInt32 = 0
  var setupCount: UInt32 = 0
}

extension ChangeKey {
  fileprivate var changesEquipmentCounts: Bool {
    isEquipment || self == .equipmentCounts || self == .bowSetups || self == .connection
  }
}
