public import Observation
public import QuiverAPI
public import QuiverRules

/// The weight plan with its milestones and the predicted day of its goal, computed on this device
/// from the plan and the entries, including changes that wait.
@MainActor
@Observable
public final class WeightPlanModel {
  /// The plan; nil: there is none.
  public private(set) var plan: WeightPlan?
  /// Whether the server has the plan that is shown.
  public private(set) var mark = SyncMark.synced
  /// The milestones in the order from start to goal; empty without a plan.
  public private(set) var milestones: [PlanMilestone] = []
  /// When the goal will be reached, or why that cannot be told; nil without a plan.
  public private(set) var prediction: GoalPrediction?
  /// The load state of the plan and the entries.
  public private(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    session.observe(for: self) { model, keys in
      guard !keys.isDisjoint(with: [.weightEntries, .weightPlan, .connection]) else { return }
      await model.refresh()
    }
    Task { [weak self] in await self?.refresh() }
  }

  /// The first milestone that is not reached; nil: all are reached, or there is no plan.
  public var next: PlanMilestone? { milestones.first { $0.reachedOnDay == nil } }

  /// Sends the pending changes, then loads the plan and the entries from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) {
    state = .loading(staleSince: state.staleSince)
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchWeights(store)
    }
    state = .loaded(staleSince: nil)
    await refresh()
    guard let error else { return }
    let wasLoaded = (try? await session.lastWeights()) != nil
    if !error.isTransient || !(wasLoaded || plan != nil) { throw fail(error) }
  }

  /// Replaces the plan on this device, and on the server with the next sync cycle.
  public func set(_ plan: WeightPlan) async throws(SessionError) {
    do throws(SessionError) {
      try await session.setWeightPlan(plan)
    } catch {
      throw error.whileTrying(to: "change weight plan")
    }
    await refresh()
  }

  /// Deletes the plan on this device, and on the server with the next sync cycle.
  public func delete() async throws(SessionError) {
    do throws(SessionError) {
      try await session.deleteWeightPlan()
    } catch {
      throw error.whileTrying(to: "delete weight plan")
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
      let found = try await session.single(WeightPlan.self)
      let weights = found == nil ? [] : try await session.weightEntries()
      let listed = try await session.lastWeights()
      guard reads.finish(read), state.error == nil else { return }
      show(found?.message, weights)
      mark = found?.mark ?? .synced
      state.setStaleSince(session.staleDate(listed.map { WallClock.milliseconds($0) }, state))
    } catch {
      guard reads.finish(read), !error.isBeforeSignInOrAfterClose else { return }
      _ = fail(error)
    }
  }

  private func show(_ plan: WeightPlan?, _ weights: [LocalWeight]) {
    self.plan = plan
    guard let rules = plan?.milestonePlan else {
      (milestones, prediction) = ([], nil)
      return
    }
    let entries = weights.compactMap(\.weighIn).sorted(by: WeighIn.isBefore)
    milestones = rules.crossings(entries).map { crossing in
      PlanMilestone(
        thousandths: crossing.milestoneThousandths, unit: rules.unit,
        entry: crossing.entry.map { LocalID(rawValue: $0.id) }, reachedOnDay: crossing.entry?.day)
    }
    prediction = GoalPrediction(DailyMean.all(of: entries, in: rules.unit), plan: rules)
  }

  private func fail(_ error: SessionError) -> SessionError {
    show(nil, [])
    let error = error.whileTrying(to: "load weight plan")
    state = .failed(error)
    return error
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
