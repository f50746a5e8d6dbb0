/// Two setups by one number per round: how far apart they are, and how sure that is.
public struct MetricComparison: Sendable, Equatable {
  /// Means of round means, rounds weighing alike; 0 without rounds.
  public let meanA: Double
  /// The mean of B's round means.
  public let meanB: Double
  /// The number of A's rounds.
  public let roundsA: Int
  /// The number of B's rounds.
  public let roundsB: Int
  /// Of the mean round means, B minus A; nil if a side has fewer than two rounds.
  public let difference: MeanDifference?
  /// Hedges' g of the round means; nil without a test.
  public let hedgesG: Double?
  /// What would be found in 8 of 10 comparisons of this size.
  public let detectableDifference: Double?
  /// Holm's, over all pairs of the comparison; p itself where there is one pair.
  public private(set) var adjustedP: Double?
  /// The conclusion of the test.
  public private(set) var verdict: SetupVerdict
  /// The verdict in words.
  public private(set) var words: String

  private let nameA: String
  private let nameB: String
  private let unit: String
  private let smallerIsBetter: Bool
  /// Set where the sides were shot under different conditions: how, in a sentence.
  private let conditions: String?

  /// - Parameter conditions: how the conditions of the sides differ, in a sentence; nil if they
  ///   are alike. Where they differ, no side is better.
  init(
    _ a: [Double], _ b: [Double], names: (a: String, b: String), unit: String,
    smallerIsBetter: Bool = false, method: IntervalMethod, conditions: String? = nil
  ) {
    let (summaryA, summaryB) = (SampleSummary(a), SampleSummary(b))
    meanA = summaryA.mean
    meanB = summaryB.mean
    roundsA = a.count
    roundsB = b.count
    difference = method.difference(a, b)
    hedgesG = HedgesG.value(summaryA, summaryB)
    detectableDifference = DetectableDifference.value(summaryA, summaryB)
    nameA = names.a
    nameB = names.b
    self.unit = unit
    self.smallerIsBetter = smallerIsBetter
    self.conditions = conditions
    verdict = .tooLittleData
    words = ""
    decide(adjustedP: difference?.p, isAdjusted: false)
  }

  /// Over the strata that both sides shot: differences within each, weighted by precision.
  ///
  /// Each element holds the values of one stratum. The means are weighted as the differences are.
  ///
  /// - Parameter rounds: how many rounds have arrows in any of the strata; a round of several
  ///   strata is one.
  init(
    pooling strata: [(a: [Double], b: [Double])], rounds: (a: Int, b: Int),
    names: (a: String, b: String), unit: String
  ) {
    let summaries = strata.map { (a: SampleSummary($0.a), b: SampleSummary($0.b)) }
    let differences = summaries.map { WelchTest.difference($0.a, $0.b) }
    let weights = differences.map { difference -> Double in
      guard let error = difference?.standardError, error > 0 else { return 0 }
      return 1 / (error * error)
    }
    let sum = weights.reduce(0, +)
    func mean(_ side: KeyPath<(a: SampleSummary, b: SampleSummary), SampleSummary>) -> Double {
      guard sum > 0 else { return 0 }
      return zip(summaries, weights).reduce(0) { $0 + $1.1 / sum * $1.0[keyPath: side].mean }
    }
    meanA = mean(\.a)
    meanB = mean(\.b)
    roundsA = rounds.a
    roundsB = rounds.b
    // Without any error known, rounds that are all equal still have a difference to show.
    difference =
      PooledDifference.value(differences.compactMap { $0 })
      ?? differences.lazy.compactMap { $0 }.first
    hedgesG = nil
    detectableDifference = nil
    nameA = names.a
    nameB = names.b
    self.unit = unit
    smallerIsBetter = false
    conditions = nil
    verdict = .tooLittleData
    words = ""
    decide(adjustedP: difference?.p, isAdjusted: false)
  }

  /// Decides again by a p that was corrected for further pairs.
  mutating func decide(adjustedP: Double?, isAdjusted: Bool) {
    self.adjustedP = adjustedP
    verdict = SetupVerdict(
      roundsA: roundsA, roundsB: roundsB, difference: difference, adjustedP: adjustedP,
      smallerIsBetter: smallerIsBetter, conditionsDiffer: conditions != nil)
    let text = VerdictText(
      nameA: nameA, nameB: nameB, roundsA: roundsA, roundsB: roundsB, unit: unit,
      isAdjusted: isAdjusted, conditions: conditions)
    words = text.words(verdict, difference, p: adjustedP, detectable: detectableDifference)
  }
}
