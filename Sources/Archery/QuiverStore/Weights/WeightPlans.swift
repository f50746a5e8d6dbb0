package import QuiverRules

/// Replaces the plan, if the revision is still current (0 if there was none).
package struct SetWeightPlan: Command {
  private let plan: MilestonePlan
  private let revision: UInt64
  private let prefix: String

  private static let put = Query(
    """
    INSERT INTO weight_plan (principal_id, revision, updated_at_ms, unit, start_thousandths,
      goal_thousandths, step_thousandths, start_day)
    VALUES (?1, ?8, ?2, ?3, ?4, ?5, ?6, ?7)
    ON CONFLICT (principal_id) DO UPDATE SET revision = weight_plan.revision + 1,
      updated_at_ms = ?2,
      unit = ?3, start_thousandths = ?4, goal_thousandths = ?5, step_thousandths = ?6,
      start_day = ?7, deleted_at_ms = NULL
    """)

  /// Validates the plan; `prefix` is its path in the request.
  package init(
    _ plan: MilestonePlan, revision: UInt64, prefix: String = "plan"
  ) throws(StoreError) {
    self.plan = try validating { () throws(RuleViolation) in try plan.validated(prefix: prefix) }
    self.revision = revision
    self.prefix = prefix
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> WeightPlanRecord {
    let principal = transaction.caller.principal
    let current = try transaction.snapshot.weightPlan(principal: principal)
    guard revision == current?.revision ?? 0 else {
      guard let current else {
        throw .invalid(prefix + ".revision", "must be 0, since there is no plan")
      }
      throw .stale(revision, now: current.revision, .weightPlan(current))
    }
    if let current, current.plan == plan { return current }
    try transaction.run(
      Self.put, .integer(principal), .integer(transaction.nowMilliseconds),
      .integer(Int64(plan.unit.rawValue)), .integer(plan.startThousandths),
      .integer(plan.goalThousandths), .integer(plan.stepThousandths),
      .integer(Int64(plan.startDay)), .integer(transaction.snapshot.session.epoch.base + 1))
    try transaction.record(
      current == nil ? .created : .updated, of: .weightPlan, id: principal, principal: principal)
    guard let plan = try transaction.snapshot.weightPlan(principal: principal) else {
      throw StoreError(.internalError, "a weight plan was deleted while it was set")
    }
    return plan
  }
}

/// Deletes the plan; deleting it again changes nothing. Revision 0 matches any revision.
///
/// Its revision stays and the next plan continues it, so that a change for this plan does not
/// affect a later one.
package struct DeleteWeightPlan: Command {
  package static var storesContent: Bool { false }

  private let revision: UInt64

  private static let delete = Query(
    """
    UPDATE weight_plan SET revision = revision + 1, updated_at_ms = ?2, deleted_at_ms = ?2,
      unit = 0, start_thousandths = 0, goal_thousandths = 0, step_thousandths = 0, start_day = 0
    WHERE principal_id = ?1
    """)

  package init(revision: UInt64 = 0) { self.revision = revision }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let principal = transaction.caller.principal
    guard let current = try transaction.snapshot.weightPlan(principal: principal) else { return }
    try transaction.check(revision, of: current.revision, .weightPlan(current))
    try transaction.run(
      Self.delete, .integer(principal), .integer(transaction.nowMilliseconds))
    try transaction.record(.deleted, of: .weightPlan, id: principal, principal: principal)
  }
}

extension Snapshot {
  private static let plan = Query(
    """
    SELECT revision, updated_at_ms, unit, start_thousandths, goal_thousandths, step_thousandths,
      start_day
    FROM weight_plan WHERE principal_id = ?1 AND deleted_at_ms IS NULL
    """)

  /// The principal's plan; nil if it has none.
  package func weightPlan(principal: Int64) throws(StoreError) -> WeightPlanRecord? {
    try first(Self.plan, .integer(principal)) { (row) throws(StoreError) in
      guard let unit = WeightUnit(rawValue: row.int32(2)) else {
        throw StoreError(.dataLoss, "a weight plan has an unknown unit")
      }
      return WeightPlanRecord(
        revision: row.uint64(0), updatedAtMilliseconds: row.int64(1),
        plan: MilestonePlan(
          unit: unit, startThousandths: row.int64(3), goalThousandths: row.int64(4),
          stepThousandths: row.int64(5), startDay: row.int32(6)))
    }
  }

  /// The milestones of the plan and the expected date of its goal; throws `notFound`.
  package func milestones(principal: Int64) throws(StoreError) -> MilestonesRecord {
    guard let plan = try weightPlan(principal: principal) else {
      throw StoreError(.notFound, "there is no weight plan")
    }
    let entries = try weighIns(ofDays: CivilDate.dayRange, principal: principal)
    var crossings: [(Int64, WeightEntryRecord?)] = []
    for crossing in plan.plan.crossings(entries) {
      var record: WeightEntryRecord?
      if let entry = crossing.entry {
        record = try weightEntry(id: entry.id, principal: principal)
      }
      crossings.append((crossing.milestoneThousandths, record))
    }
    let means = DailyMean.all(of: entries, in: plan.plan.unit)
    return MilestonesRecord(
      plan: plan, crossings: crossings, prediction: GoalPrediction(means, plan: plan.plan))
  }
}

/// A plan with its milestones and prediction.
package struct MilestonesRecord: Sendable {
  package let plan: WeightPlanRecord
  /// Each milestone with the first entry that reached it, if there is one.
  package let crossings: [(thousandths: Int64, entry: WeightEntryRecord?)]
  package let prediction: GoalPrediction
}
