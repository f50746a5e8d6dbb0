/// Two setups by one number per round: how far apart they are, and how sure that is.
public struct MetricComparison: Sendable, Equatable {
  /// Means of round means, rounds weighing alike; 0 without rounds.
  public let meanA: Double
  public let meanB: Double
  public let roundsA: Int
  public let roundsB: Int
  /// Of the mean round means, B minus A; nil where a side has fewer than two rounds.
  public let difference: MeanDifference?
  public let hedgesG: Double?
  /// What would be found in 8 of 10 comparisons of this size.
  public let detectableDifference: Double?
  /// Holm's, over all pairs of the comparison; p itself where there is one pair.
  public private(set) var adjustedP: Double?
  public private(set) var verdict: ComparisonVerdict
  /// The verdict in words.
  public private(set) var words: String

  private let nameA: String
  private let nameB: String
  private let unit: String
  private let smallerIsBetter: Bool

  init(
    _ a: [Double], _ b: [Double], names: (a: String, b: String), unit: String,
    smallerIsBetter: Bool = false, method: InferenceMethod
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
    verdict = .tooLittleData
    words = ""
    judge(adjustedP: difference?.p, isAdjusted: false)
  }

  /// Judges again by a p that was corrected for further pairs.
  mutating func judge(adjustedP: Double?, isAdjusted: Bool) {
    self.adjustedP = adjustedP
    verdict = ComparisonVerdict(
      roundsA: roundsA, roundsB: roundsB, difference: difference, adjustedP: adjustedP,
      smallerIsBetter: smallerIsBetter)
    let text = VerdictText(
      nameA: nameA, nameB: nameB, roundsA: roundsA, roundsB: roundsB, unit: unit,
      isAdjusted: isAdjusted)
    words = text.words(verdict, difference, p: adjustedP, detectable: detectableDifference)
  }
}
