/// The plain differences of two setups over all their arrows, B minus A, as they are shown.
public struct SetupDifferences: Sendable, Equatable {
  /// The difference of the mean values of an arrow.
  public let averageScore: Delta
  /// The difference of the accuracies in percentage points.
  public let accuracy: Delta
  /// The difference of the consistencies in percentage points.
  public let consistency: Delta
  /// The difference of the numbers of arrows.
  public let arrowCount: Int
  /// With a sign: more arrows are not better.
  public let arrowCountText: String

  /// Nil if a side has no arrows.
  public init?(_ a: Performance, _ b: Performance) {
    guard a.hasData, b.hasData else { return nil }
    averageScore = Delta(a: a.counts.averageScore, b: b.counts.averageScore)
    accuracy = Delta(a: a.counts.accuracy, b: b.counts.accuracy)
    consistency = Delta(a: a.counts.consistency, b: b.counts.consistency)
    (arrowCount, arrowCountText) = Delta.arrowCount(a: a.counts.arrows, b: b.counts.arrows)
  }

  /// The difference of one metric.
  public subscript(metric: SetupMetric) -> Delta {
    switch metric {
    case .averageScore: averageScore
    case .accuracy: accuracy
    case .consistency: consistency
    }
  }
}
