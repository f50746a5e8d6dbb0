public import Observation
public import QuiverAPI
public import QuiverRules

/// The weight plan with its milestones and the predicted day of its goal, computed on this device
/// from the plan and the entries, including changes that wait.
@MainActor
@Observable
public final class WeightPlanModel: StoredModel {
  /// The plan; nil: there is none.
  public private(set) var plan: WeightPlan?
  /// Whether the server has the plan that is shown.
  public private(set) var mark = SyncMark.synced
  /// The milestones in the order from start to goal; empty without a plan.
  public private(set) var milestones: [PlanMilestone] = []
  /// When the goal will be reached, or why that cannot be predicted; nil without a plan.
  public private(set) var prediction: GoalPrediction?
  /// The load state of the plan and the entries.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    startShowing { !$0.isDisjoint(with: [.weightEntries, .weightPlan, .connection]) }
  }

  /// The first milestone that is not reached; nil: all are reached, or there is no plan.
  public var next: PlanMilestone? { milestones.first { $0.reachedOnDay == nil } }

  /// Sends the pending changes, then loads the plan and the entries from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) {
    let session = session
    try await loadContent { (store) throws(SessionError) in
      try await session.fetchWeights(store)
    }
  }

  /// Replaces the plan on this device, and on the server with the next sync cycle.
  public func set(_ plan: WeightPlan) async throws(SessionError) {
    try await change("change weight plan") { (session) async throws(SessionError) in
      try await session.setWeightPlan(plan)
    }
  }

  /// Deletes the plan on this device, and on the server with the next sync cycle.
  public func delete() async throws(SessionError) {
    try await change("delete weight plan") { (session) async throws(SessionError) in
      try await session.deleteWeightPlan()
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "weight plan"
  var hasContent: Bool { plan != nil }

  func read() async throws(SessionError) -> (content: LocalWeights, fetchedAt: Int64?) {
    try await session.localWeights()
  }

  func show(_ content: LocalWeights?) {
    (plan, mark) = (content?.plan?.message, content?.plan?.mark ?? .synced)
    guard let rules = plan?.milestonePlan, let entries = content?.weighIns else {
      (milestones, prediction) = ([], nil)
      return
    }
    milestones = rules.crossings(entries).map { crossing in
      PlanMilestone(
        thousandths: crossing.milestoneThousandths, unit: rules.unit,
        entry: crossing.entry.map { LocalID(rawValue: $0.id) }, reachedOnDay: crossing.entry?.day)
    }
    prediction = GoalPrediction(DailyMean.all(of: entries, in: rules.unit), plan: rules)
  }
}

/// A milestone of a weight plan.
public struct PlanMilestone: Sendable, Equatable, Identifiable {
  /// The weight in thousandths of ``unit``.
  public let thousandths: Int64
  /// The unit of the plan.
  public let unit: MassUnit
  /// The id on this device of the first entry that was at it or beyond; nil: not reached.
  public let entry: LocalID?
  /// The civil day of that entry, in days since 1970-01-01; nil: not reached.
  public let reachedOnDay: Int32?

  public var id: Int64 { thousandths }
}
