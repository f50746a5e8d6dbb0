public import FoundationEssentials
public import Observation
public import QuiverAPI

/// How much equipment there is of each type, in groups, with what waits to be sent counted.
@MainActor
@Observable
public final class EquipmentHubModel {
  /// The three groups with their labels, counts and totals; empty after an error.
  public private(set) var groups: [HubGroup] = []
  /// Of all types, without archived items.
  public private(set) var total: UInt32 = 0
  /// Active bow setups.
  public private(set) var setupCount: UInt32 = 0
  public private(set) var isLoading = false
  /// Why the counts could not be loaded; nil: nothing is wrong.
  public private(set) var errorText: String?
  /// Of when the counts are, where the server cannot be reached; nil: they are current.
  public private(set) var staleSince: Date?

  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var hasLoaded = false

  /// Shows the last state of this device at once, and follows the session from then on.
  public init(_ session: OfflineSession) {
    self.session = session
    show()
    session.showChanges(in: self) { $0.show() }
  }

  /// Sends what waits and asks for the counts; off line the last state stays.
  public func load() async {
    isLoading = true
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchHub(store)
    }
    isLoading = false
    hasLoaded = error == nil
    errorText = nil
    show()
    if let error, !(error.isTransient && !groups.isEmpty) { fail(error) }
  }

  /// Clears the error; the last state is shown again.
  public func clearError() {
    errorText = nil
    show()
  }

  /// The count of a type; 0 where nothing is known.
  public func count(of type: EquipmentType) -> UInt32 {
    groups.flatMap(\.counts).first { $0.type == type }?.count ?? 0
  }

  private func show() {
    guard errorText == nil else { return }
    do throws(SessionError) {
      let known = try session.store().read { (transaction) throws(SessionError) in
        try transaction.hub()
      }
      groups = known?.hub.groups ?? []
      total = known?.hub.total ?? 0
      setupCount = known?.hub.setupCount ?? 0
      let isCurrent = hasLoaded && session.isOnline
      staleSince = isCurrent ? nil : known.map { WallClock.date($0.fetchedAt) }
    } catch {
      guard error.code != .notSignedIn && error.code != .closed else { return }
      fail(error)
    }
  }

  private func fail(_ error: SessionError) {
    groups = []
    total = 0
    setupCount = 0
    staleSince = nil
    errorText = "Failed to load equipment counts: \(error)"
  }
}
