public import Observation
public import QuiverRules

/// The chart of body weight: daily means, their trend, and the way to the goal of the plan.
///
/// It is computed on this device from the entries and the plan, including changes that wait.
@MainActor
@Observable
public final class WeightChartModel: StoredModel {
  /// The chart; it is empty if there are no entries, and after a failed load.
  public var chart: Chart {
    Chart(weights: points, forecast: forecast, goal: goal, in: unit)
  }
  /// The days that are shown, in days since 1970-01-01; nil: all. The trend is computed over all
  /// entries.
  public var days: ClosedRange<Int32>?
  /// The unit in which weights are shown.
  public var unit = MassUnit.pound
  /// The method of the trend.
  public var trend = MovingAverage.exponential(span: MovingAverage.chartSpan)
  /// The load state of the entries.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  private var entries: [WeighIn] = []
  private var plan: MilestonePlan?
  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    startShowing { !$0.isDisjoint(with: [.weightEntries, .weightPlan, .connection]) }
  }

  /// Sends the pending changes, then loads the entries and the plan from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) {
    let session = session
    try await loadContent { (store) throws(SessionError) in
      try await session.fetchWeights(store)
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "weight chart"
  var hasContent: Bool { !entries.isEmpty }

  func read() async throws(SessionError) -> (content: LocalWeights, fetchedAt: Int64?) {
    try await session.localWeights()
  }

  func show(_ content: LocalWeights?) {
    entries = content?.weighIns ?? []
    plan = content?.plan?.message.milestonePlan
  }

  private var points: [WeightChartPoint] {
    let all = WeightChartPoint.all(of: entries, in: unit, trend)
    return days.map { days in all.filter { days.contains($0.day) } } ?? all
  }

  /// The goal in thousandths of ``unit``; nil without a plan.
  private var goal: Double? {
    plan.map { plan in
      Double(
        BodyWeight(thousandths: plan.goalThousandths, unit: plan.unit).thousandths(in: unit))
    }
  }

  /// From the level after the last day to the predicted day of the goal.
  private var forecast: [DailyMean] {
    guard let plan, let goal, let last = points.last else { return [] }
    let means = DailyMean.all(of: entries, in: plan.unit)
    guard case .reached(let day) = GoalPrediction(means, plan: plan), means.last?.day == last.day,
      let level = HoltForecast(DailyMean.all(of: entries, in: unit))?.level
    else { return [] }
    return [
      DailyMean(day: last.day, thousandths: level), DailyMean(day: day, thousandths: goal),
    ]
  }
}

extension Chart {
  fileprivate init(
    weights: [WeightChartPoint], forecast: [DailyMean], goal: Double?, in unit: MassUnit
  ) {
    func point(_ day: Int32, _ thousandths: Double) -> Point {
      let value = thousandths / 1_000
      let shown = BodyWeight.text(thousandths: Int64(thousandths.rounded()))
      return Point(
        x: Double(day), y: value,
        label: "\(CivilDate(dayNumber: day).text): \(shown) \(unit.symbol)")
    }
    var series = [
      Series(label: "Weight", style: .scatter, points: weights.map { point($0.day, $0.mean) }),
      Series(label: "Trend", style: .line, points: weights.map { point($0.day, $0.average) }),
    ]
    if !forecast.isEmpty {
      series.append(
        Series(
          label: "Forecast", style: .forecast,
          points: forecast.map { point($0.day, $0.thousandths) }))
    }
    if let goal, let first = weights.first?.day, let last = weights.last?.day {
      let end = max(last, forecast.last?.day ?? last)
      series.append(
        Series(
          label: "Goal", style: .threshold, points: [point(first, goal), point(end, goal)]))
    }
    self.init(
      series: series, daysLabelled: "Body weight", unit == .pound ? .pound : .kilogram)
  }
}
