import QuiverPlatform

/// How a trend is drawn through daily means.
public enum MovingAverage: Sendable, Hashable {
  /// The exponential moving average with alpha = 2/(span+1), one step a daily mean.
  case exponential(span: Int32)
  /// The same, where a gap of n days counts as n steps: 1-(1-alpha)^n in place of alpha.
  case timeAware(span: Int32)
  /// The trend of The Hacker's Diet: a tenth of the way on each daily mean, unrounded.
  case hackersDiet

  /// The spans that are allowed.
  public static let spans: ClosedRange<Int32> = 2...90
  /// The span of the logbook's rows.
  public static let logbookSpan: Int32 = 7
  /// The span of the chart.
  public static let chartSpan: Int32 = 10

  /// The weight of the latest mean, above 0 and at most 1.
  public var alpha: Double {
    switch self {
    case .exponential(let span), .timeAware(let span): 2 / (Double(max(1, span)) + 1)
    case .hackersDiet: 0.1
    }
  }

  /// How many daily means before the first shown one make the average what a fold from the very
  /// first gives, to 1e-9 of the unit: 16 spans, after which a start weighs less than 1.3e-14.
  public var runInCount: Int64 {
    switch self {
    case .exponential(let span), .timeAware(let span): 16 * Int64(span)
    case .hackersDiet: 16 * 19
    }
  }

  /// The average after each mean, beginning with the first as it is.
  public func values(of means: [DailyMean]) -> [Double] {
    switch self {
    case .exponential, .hackersDiet: Self.fold(means) { _ in alpha }
    case .timeAware: Self.fold(means) { days in days == 1 ? alpha : 1 - pow(1 - alpha, days) }
    }
  }

  /// The recurrence; `alpha` returns the weight of a mean by the number of days since the previous
  /// one.
  static func fold(_ means: [DailyMean], alpha: (Double) -> Double) -> [Double] {
    guard let first = means.first else { return [] }
    var average = first.thousandths
    var day = first.day
    return means.map { mean in
      let weight = alpha(Double(mean.day) - Double(day))
      day = mean.day
      average = weight * mean.thousandths + (1 - weight) * average
      return average
    }
  }
}
