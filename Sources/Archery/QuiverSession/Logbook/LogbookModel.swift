public import Observation
public import QuiverAPI
public import QuiverRules

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The weight log by month, computed from the entries on this device, including pending ones.
@MainActor
@Observable
public final class LogbookModel: StoredModel {
  /// The months with rows, newest first; empty after a failed load.
  public private(set) var sections: [LogbookSection] = []
  /// The reason why there are no sections; nil if there are some, and after a failed load.
  public private(set) var emptiness: Emptiness?
  /// The load state of the log.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  /// Whether there is a plan with milestones to show.
  public var hasPlan: Bool { plan != nil }
  /// Selects the rows to show. It does not change the rows' values, and is not stored.
  public var filter = WeightFilter() {
    didSet { arrange() }
  }
  /// The display unit of weights.
  public var unit = MassUnit.pound {
    didSet { arrange() }
  }

  private var weights: [LocalWeight] = []
  private var plan: MilestonePlan?
  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// The reason why there is nothing to show.
  public enum Emptiness: Sendable, Equatable {
    /// There are no entries.
    case noEntries
    /// There are entries, but none matches the filter.
    case nothingMatches
  }

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    startShowing { !$0.isDisjoint(with: [.weightEntries, .weightPlan, .connection]) }
  }

  /// Sends the pending changes, then loads the entries from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) {
    let session = session
    try await loadContent { (store) throws(SessionError) in
      try await session.fetchWeights(store)
    }
  }

  /// Adds an entry on this device, and on the server with the next sync cycle.
  @discardableResult
  public func add(
    _ entry: WeightEntry, timeZone: String = ""
  ) async throws(SessionError) -> LocalID {
    try await change("add weight entry") { (session) async throws(SessionError) in
      try await session.create(entry, timeZone: timeZone)
    }
  }

  /// Changes an entry on this device, and on the server with the next sync cycle.
  public func update(_ id: LocalID, to entry: WeightEntry) async throws(SessionError) {
    try await change("change weight entry") { (session) async throws(SessionError) in
      try await session.update(id, to: entry)
    }
  }

  /// Deletes an entry on this device, and on the server with the next sync cycle.
  public func delete(_ id: LocalID) async throws(SessionError) {
    try await change("delete weight entry") { (session) async throws(SessionError) in
      try await session.delete(id)
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "weight entries"
  var hasContent: Bool { !weights.isEmpty }

  func read() async throws(SessionError) -> (content: LocalWeights, fetchedAt: Int64?) {
    try await session.localWeights()
  }

  func show(_ content: LocalWeights?) {
    (weights, plan) = (content?.entries ?? [], content?.plan?.message.milestonePlan)
    arrange()
    if content == nil { emptiness = nil }
  }

  private func arrange() {
    guard state.error == nil else { return }
    sections = LogbookSection.all(of: weights, plan, in: unit, filter)
    emptiness = sections.isEmpty ? (weights.isEmpty ? .noEntries : .nothingMatches) : nil
  }
}

/// The weight entries of this device, and the plan.
struct LocalWeights: Sendable {
  var entries: [LocalWeight]
  /// Nil: there is none.
  var plan: (message: WeightPlan, mark: SyncMark)?

  /// The entries with a known unit, oldest first.
  var weighIns: [WeighIn] { entries.compactMap(\.weighIn).sorted(by: WeighIn.isBefore) }
}

extension OfflineSession {
  /// The weight entries of this device with the plan, and when the server last sent them; nil if it
  /// never did.
  func localWeights() async throws(SessionError) -> (content: LocalWeights, fetchedAt: Int64?) {
    let plan = try await single(WeightPlan.self)
    let weights = LocalWeights(entries: try await weightEntries(), plan: plan)
    return (weights, try await lastList(Self.kind(WeightEntry.self)))
  }
}
