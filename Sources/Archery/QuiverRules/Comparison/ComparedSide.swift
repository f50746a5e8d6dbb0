/// One setup of a comparison, with its rounds in the range.
public struct ComparedSide: Sendable {
  /// As it is shown.
  public let name: String
  /// The rounds of the side.
  public let rounds: [ComparedRound]
  /// The statistics over all rounds.
  public let performance: Performance
  /// Counts of each round that has arrows in the range, in the order of `rounds`.
  public let counts: [ShotCounts]

  /// Creates a value; each parameter is the property of its name.
  public init(name: String, rounds: [ComparedRound]) {
    self.name = name
    self.rounds = rounds
    performance = Performance(rounds)
    counts = rounds.map { ShotCounts($0.parts) }.filter { $0.arrows > 0 }
  }

  /// The mean of each round, rounds weighing alike.
  func roundMeans(of metric: SetupMetric) -> [Double] { counts.map { $0[metric] } }

  /// How many arrows have each value, from 0 to `ArrowRollup.highestValue`.
  public var valueCounts: [Int] {
    var total = ArrowRollup()
    for part in rounds.lazy.flatMap(\.parts) { total.merge(part.rollup) }
    return total.histogram
  }

  /// The handicaps of the rounds that have one.
  public var handicaps: [Int] { rounds.compactMap(\.handicap) }

  /// The same setup with what was shot at one stratum.
  public func part(in stratum: Stratum) -> ComparedSide {
    ComparedSide(name: name, rounds: rounds.compactMap { $0.part(in: stratum) })
  }

  /// The number of rounds with arrows in any of the strata.
  func roundCount(in strata: Set<Stratum>) -> Int {
    rounds.count { round in
      round.parts.contains { $0.rollup.arrowCount > 0 && strata.contains($0.stratum) }
    }
  }

  /// The centroid of each round with positions on faces of that diameter.
  func centroids(diameterCM: Double) -> [ShotPoint] {
    rounds.compactMap { round in
      var sums = PositionSums()
      for part in round.parts where part.stratum.diameterCM == diameterCM {
        sums.merge(part.rollup.positions)
      }
      return sums.centroid
    }
  }
}
