/// Counts over arrows, of one round or of many.
public struct ShotCounts: Sendable, Equatable {
  /// The number of arrows.
  public private(set) var arrows = 0
  /// The sum of the values.
  public private(set) var score = 0
  /// Arrows of at least min(10, top of their face), X included.
  public private(set) var accurate = 0
  /// Arrows of at least min(9, second value of their face).
  public private(set) var consistent = 0
  /// X counts as X and as 10; an 11 is no ten.
  public private(set) var x = 0
  /// The number of arrows of value exactly 10, including X.
  public private(set) var tens = 0
  /// The number of misses.
  public private(set) var misses = 0

  /// Adds up the parts of rounds.
  public init(_ parts: some Sequence<RoundPart> = EmptyCollection()) {
    for part in parts { add(part) }
  }

  mutating func add(_ part: RoundPart) {
    let histogram = part.rollup.histogram
    for value in histogram.indices where histogram[value] != 0 {
      let count = histogram[value]
      arrows += count
      score += value * count
      if value >= part.floors.accurate { accurate += count }
      if value >= part.floors.consistent { consistent += count }
    }
    x += part.rollup.xCount
    tens += part.rollup.tenCount
    misses += part.rollup.missCount
  }

  /// The mean per arrow; 0 of no arrows.
  public var averageScore: Double { share(of: score) }

  /// In percent; 0 of no arrows.
  public var accuracy: Double { 100 * share(of: accurate) }

  /// In percent; 0 of no arrows.
  public var consistency: Double { 100 * share(of: consistent) }

  /// One metric of the arrows.
  public subscript(metric: SetupMetric) -> Double {
    switch metric {
    case .averageScore: averageScore
    case .accuracy: accuracy
    case .consistency: consistency
    }
  }

  private func share(of count: Int) -> Double {
    arrows > 0 ? Double(count) / Double(arrows) : 0
  }
}

/// What setups are compared by, numbered as in `quiver.v1.ComparisonMetric`.
public enum SetupMetric: Int32, CaseIterable, Sendable, Hashable {
  /// The mean value of an arrow.
  case averageScore = 1
  /// The share of arrows of at least min(10, the face's top value), in percent.
  case accuracy = 2
  /// The share of arrows of at least min(9, the face's second value), in percent.
  case consistency = 3

  /// As it is shown in a sentence.
  public var name: String {
    switch self {
    case .averageScore: "average score"
    case .accuracy: "accuracy"
    case .consistency: "consistency"
    }
  }

  /// What a difference of it is counted in.
  var unit: String {
    switch self {
    case .averageScore: "points per arrow"
    case .accuracy, .consistency: "percentage points"
    }
  }
}
