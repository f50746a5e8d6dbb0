/// How sure the differences of two setups are.
public struct DifferenceInference: Sendable, Equatable {
  /// One of each metric, in the order of `SetupMetric.allCases`.
  public private(set) var metrics: [MetricComparison]
  /// Whether the sides' shares of distances and faces differ, so that points do not compare.
  public let conditionsDiffer: Bool
  /// The aspects in which the shares differ, each considered separately; empty if they do not
  /// differ, or differ only in the combination of aspects.
  public let differingAspects: [StratumFeature]
  /// One of each metric over the strata that both sides shot, in the order of
  /// `SetupMetric.allCases`; empty if conditions do not differ, or nothing is in common.
  public private(set) var pooled: [MetricComparison]
  /// The strata that ``pooled`` is over.
  public let pooledStrata: [Stratum]
  /// The share of tens of A; nil without arrows.
  public let tenRateA: TenRate?
  /// The share of tens of B; nil without arrows.
  public let tenRateB: TenRate?
  /// Whether both shoot to the same place, by the diameter of the face, smaller faces first.
  public let places: [PlaceComparison]
  /// On the handicap scale, where smaller is better; nil if a side has no complete round.
  public private(set) var handicap: MetricComparison?

  /// Compares two sides.
  public init(_ a: ComparedSide, _ b: ComparedSide, method: IntervalMethod = .welch) {
    let names = (a: a.name, b: b.name)
    let mixes = (a: StratumMix(a.rounds), b: StratumMix(b.rounds))
    conditionsDiffer = mixes.a.differs(from: mixes.b)
    differingAspects = conditionsDiffer ? mixes.a.differing(from: mixes.b) : []
    let conditions = conditionsDiffer ? ConditionsText.sentence(a, b, mixes) : nil
    metrics = SetupMetric.allCases.map { metric in
      MetricComparison(
        a.roundMeans(of: metric), b.roundMeans(of: metric), names: names, unit: metric.unit,
        method: method, conditions: conditions)
    }
    pooledStrata = conditionsDiffer ? mixes.a.common(with: mixes.b) : []
    let parts = pooledStrata.map { (a: a.part(in: $0), b: b.part(in: $0)) }
    let common = Set(pooledStrata)
    let rounds = (a: a.roundCount(in: common), b: b.roundCount(in: common))
    pooled =
      parts.isEmpty
      ? []
      : SetupMetric.allCases.map { metric in
        MetricComparison(
          pooling: parts.map { ($0.a.roundMeans(of: metric), $0.b.roundMeans(of: metric)) },
          rounds: rounds, names: names, unit: metric.unit)
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
        method: .welch,
        // Handicaps make distances and faces alike, but no weather.
        conditions: StratumFeature.conditions.isDisjoint(with: differingAspects) ? nil : conditions)
  }

  /// The test of one metric.
  public subscript(metric: SetupMetric) -> MetricComparison {
    metrics[Int(metric.rawValue) - 1]
  }

  /// The result of all tests of the pair together.
  public var overall: OverallStatement {
    var tests: [OverallStatement.Test] = []
    func add(_ name: String, _ rounds: (Int, Int), _ p: Double?) {
      guard let p, min(rounds.0, rounds.1) >= SetupVerdict.enoughRounds else { return }
      tests.append(OverallStatement.Test(name: name, p: p))
    }
    // Where conditions differ, only what compares like with like counts.
    for (metric, found) in zip(SetupMetric.allCases, conditionsDiffer ? pooled : metrics) {
      add(metric.name, (found.roundsA, found.roundsB), found.adjustedP)
    }
    if !conditionsDiffer, let a = tenRateA, let b = tenRateB {
      add("tens", (a.rounds, b.rounds), TenRate.p(a, b))
    }
    for place in places {
      let diameter = DecimalText.fixed(place.diameterCM, digits: 0)
      add("place at \(diameter) cm", (place.roundsA, place.roundsB), place.test?.p)
    }
    if let handicap, handicap.verdict != .differentConditions {
      add("handicap", (handicap.roundsA, handicap.roundsB), handicap.adjustedP)
    }
    return OverallStatement(tests)
  }

  /// Of several pairs of one comparison, each metric's p adjusted over the pairs.
  public static func adjusted(_ pairs: [DifferenceInference]) -> [DifferenceInference] {
    guard pairs.count > 1 else { return pairs }
    var adjusted = pairs
    for index in SetupMetric.allCases.indices {
      let p = HolmCorrection.adjusted(pairs.map { $0.metrics[index].difference?.p })
      for pair in pairs.indices {
        adjusted[pair].metrics[index].decide(adjustedP: p[pair], isAdjusted: true)
      }
      let pooled = HolmCorrection.adjusted(
        pairs.map { $0.pooled.isEmpty ? nil : $0.pooled[index].difference?.p })
      for pair in pairs.indices where !adjusted[pair].pooled.isEmpty {
        adjusted[pair].pooled[index].decide(adjustedP: pooled[pair], isAdjusted: true)
      }
    }
    let p = HolmCorrection.adjusted(pairs.map { $0.handicap?.difference?.p })
    for pair in pairs.indices {
      adjusted[pair].handicap?.decide(adjustedP: p[pair], isAdjusted: true)
    }
    return adjusted
  }
}

/// Whether two setups shoot to the same place on faces of one diameter.
public struct PlaceComparison: Sendable, Equatable {
  /// The diameter of the nominal face in centimetres.
  public let diameterCM: Double
  /// Rounds with positions on such faces.
  public let roundsA: Int
  /// The number of B's rounds with positions.
  public let roundsB: Int
  /// Nil if there are too few rounds or the centroids are on one line.
  public let test: HotellingTest?
  /// The conclusion of the test.
  public let verdict: PlaceConclusion

  init(diameterCM: Double, _ a: [ShotPoint], _ b: [ShotPoint]) {
    self.diameterCM = diameterCM
    roundsA = a.count
    roundsB = b.count
    test = HotellingTest(a, b)
    if min(a.count, b.count) < SetupVerdict.enoughRounds {
      verdict = .tooLittleData
    } else if let test {
      verdict = test.p < SetupVerdict.significance ? .apart : .noDifference
    } else {
      verdict = .noVariation
    }
  }
}

/// What is said of two places, numbered as in `quiver.v1.PlaceVerdict`.
public enum PlaceConclusion: Int32, CaseIterable, Sendable, Hashable {
  /// A side has fewer than 5 rounds with positions.
  case tooLittleData = 1
  /// The difference may be due to chance.
  case noDifference = 2
  /// They shoot to different places.
  case apart = 3
  /// The centroids of the rounds are on one line, which gives no measure of chance.
  case noVariation = 4

  /// In words.
  public var words: String {
    switch self {
    case .tooLittleData:
      "Too little data: each side needs \(SetupVerdict.enoughRounds) rounds with positions."
    case .noDifference: "No difference of place shown."
    case .apart: "They shoot to different places."
    case .noVariation: "Cannot be decided: the rounds' centres lie on one line."
    }
  }
}
