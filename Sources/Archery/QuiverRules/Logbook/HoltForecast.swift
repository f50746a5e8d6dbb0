/// Holt's linear trend over daily means (double exponential smoothing, C. C. Holt 1957).
///
/// The level starts at the first mean, the trend at the second less the first; each mean after the
/// first is one step.
public struct HoltForecast: Sendable, Equatable {
  /// In thousandths of the shown unit.
  public let level: Double
  /// In thousandths a step, which is a day.
  public let trend: Double

  /// The weight of a new value in the level.
  public static let levelWeight = 0.3
  /// The weight of a new value in the trend.
  public static let trendWeight = 0.1

  /// Nil for fewer than two means.
  public init?(_ means: [DailyMean]) {
    guard means.count >= 2 else { return nil }
    var level = means[0].thousandths
    var trend = means[1].thousandths - means[0].thousandths
    for mean in means.dropFirst() {
      let before = level
      level = Self.levelWeight * mean.thousandths + (1 - Self.levelWeight) * (level + trend)
      trend = Self.trendWeight * (level - before) + (1 - Self.trendWeight) * trend
    }
    self.level = level
    self.trend = trend
  }

  /// The forecast a number of days after the last mean, in thousandths.
  public func value(afterDays days: Int32) -> Double { level + trend * Double(days) }
}

/// When a goal will be reached if the trend continues.
public enum GoalPrediction: Sendable, Equatable {
  /// On that day, rounded up.
  case reached(onDay: Int32)
  /// On no predictable day.
  case none(Reason)

  /// Why there is no day, numbered as in `quiver.v1.NoPrediction`.
  public enum Reason: Int32, CaseIterable, Sendable, Hashable {
    /// Fewer than 7 days have entries.
    case tooFewDays = 1
    /// The trend is zero.
    case flat = 2
    /// The trend goes away from the goal.
    case pointsAway = 3
    /// The level, or the last day, is at the goal or beyond.
    case goalPassed = 4
    /// The goal is more than 730 days off.
    case tooFarOff = 5
  }

  /// Daily means that a prediction needs.
  public static let minimumMeans = 7
  /// The largest number of days of a forecast after the last mean.
  public static let maximumDays = 730.0
  /// What a computed number of days may be above a whole one and still be it.
  private static let tolerance = 1e-9

  /// The prediction for a plan, of daily means in the plan's unit.
  ///
  /// The goal is passed where the level, or the last daily mean itself, is at it or beyond.
  public init(_ means: [DailyMean], plan: MilestonePlan) {
    guard means.count >= Self.minimumMeans, let last = means.last,
      let forecast = HoltForecast(means)
    else {
      self = .none(.tooFewDays)
      return
    }
    let goal = Double(plan.goalThousandths)
    let sign = plan.isLoss ? -1.0 : 1.0
    let remaining = (goal - forecast.level) * sign
    let trend = forecast.trend * sign
    if remaining <= 0 || (goal - last.thousandths) * sign <= 0 {
      self = .none(.goalPassed)
    } else if trend == 0 {
      self = .none(.flat)
    } else if trend < 0 {
      self = .none(.pointsAway)
    } else {
      let days = (remaining / trend - Self.tolerance).rounded(.up)
      guard days <= Self.maximumDays else {
        self = .none(.tooFarOff)
        return
      }
      let day = last.day.addingReportingOverflow(Int32(max(0, days)))
      self = day.overflow ? .none(.tooFarOff) : .reached(onDay: day.partialValue)
    }
  }
}
