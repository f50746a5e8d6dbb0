/// How sure the differences of two setups are.
public struct PairInference: Sendable, Equatable {
  /// One of each metric, in the order of `ComparisonMetric.allCases`.
  public private(set) var metrics: [MetricComparison]
  public let tenRateA: TenRate?
  public let tenRateB: TenRate?
  /// Whether both shoot to the same place, by the diameter of the face, smaller faces first.
  public let places: [PlaceComparison]
  /// On the handicap scale, where smaller is better; nil where a side has no complete round.
  public private(set) var handicap: MetricComparison?

  public init(_ a: ComparedSide, _ b: ComparedSide, method: InferenceMethod = .welch) {
    let names = (a: a.name, b: b.name)
    metrics = ComparisonMetric.allCases.map { metric in
      MetricComparison(
        a.roundMeans(of: metric), b.roundMeans(of: metric), names: names, unit: metric.unit,
        method: method)
    }
    tenRateA = TenRate(a.counts)
    tenRateB = TenRate(b.counts)
    let diameters = Set(a.performance.positions.map(\.diameterCM))
      .intersection(b.performance.positions.map(\.diameterCM))
    places = diameters.sorted().map { diameter in
      let of = (a.centroids(diameterCM: diameter), b.centroids(diameterCM: diameter))
      return PlaceComparison(diameterCM: diameter, of.0, of.1)
    }
    // Welch always: the design asks for no other on this scale.
    let (handicapsA, handicapsB) = (a.handicaps.map(Double.init), b.handicaps.map(Double.init))
    handicap =
      handicapsA.isEmpty || handicapsB.isEmpty
      ? nil
      : MetricComparison(
        handicapsA, handicapsB, names: names, unit: "points of handicap", smallerIsBetter: true,
        method: .welch)
  }

  public subscript(metric: ComparisonMetric) -> MetricComparison {
    metrics[Int(metric.rawValue) - 1]
  }

  /// Of several pairs of one comparison, each metric's p adjusted over the pairs.
  public static func adjusted(_ pairs: [PairInference]) -> [PairInference] {
    guard pairs.count > 1 else { return pairs }
    var adjusted = pairs
    for index in ComparisonMetric.allCases.indices {
      let p = HolmCorrection.adjusted(pairs.map { $0.metrics[index].difference?.p })
      for pair in pairs.indices {
        adjusted[pair].metrics[index].judge(adjustedP: p[pair], isAdjusted: true)
      }
    }
    let p = HolmCorrection.adjusted(pairs.map { $0.handicap?.difference?.p })
    for pair in pairs.indices {
      adjusted[pair].handicap?.judge(adjustedP: p[pair], isAdjusted: true)
    }
    return adjusted
  }
}

/// Whether two setups shoot to the same place on faces of one diameter.
public struct PlaceComparison: Sendable, Equatable {
  public let diameterCM: Double
  /// Rounds with positions on such faces.
  public let roundsA: Int
  public let roundsB: Int
  /// Nil where there are too few rounds or the centroids lie on one line.
  public let test: HotellingTest?
  public let verdict: PlaceVerdict

  init(diameterCM: Double, _ a: [ShotPoint], _ b: [ShotPoint]) {
    self.diameterCM = diameterCM
    roundsA = a.count
    roundsB = b.count
    test = HotellingTest(a, b)
    if min(a.count, b.count) < ComparisonVerdict.enoughRounds {
      verdict = .tooLittleData
    } else if let test {
      verdict = test.p < ComparisonVerdict.significance ? .apart : .noDifference
    } else {
      verdict = .noVariation
    }
  }
}

/// What is said of two places, numbered as in `quiver.v1.PlaceVerdict`.
public enum PlaceVerdict: Int32, CaseIterable, Sendable, Hashable {
  case tooLittleData = 1
  case noDifference = 2
  /// They shoot to different places.
  case apart = 3
  /// The rounds' centroids lie on one line, which gives no measure of chance.
  case noVariation = 4

  /// In words.
  public var words: String {
    switch self {
    case .tooLittleData:
      "Too little data: each side needs \(ComparisonVerdict.enoughRounds) rounds with positions."
    case .noDifference: "No difference of place shown."
    case .apart: "They shoot to different places."
    case .noVariation: "Cannot be judged: the rounds' centres lie on one line."
    }
  }
}
