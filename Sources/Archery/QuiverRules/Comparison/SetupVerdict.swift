/// The verdict of a comparison, numbered as in `quiver.v1.ComparisonVerdict`.
public enum SetupVerdict: Int32, CaseIterable, Sendable, Hashable {
  /// A side has fewer than `enoughRounds` rounds.
  case tooLittleData = 1
  /// Chance alone may have made the difference.
  case noDifference = 2
  /// Setup A is better.
  case aBetter = 3
  /// Setup B is better.
  case bBetter = 4
  /// Rounds that are all the same give no measure of chance.
  case noVariation = 5
  /// The sides were shot at different distances or faces, so that points do not compare.
  case differentConditions = 6

  /// How many rounds each side needs.
  public static let enoughRounds = 5

  /// The p below which a difference is significant.
  public static let significance = 0.05

  init(
    roundsA: Int, roundsB: Int, difference: MeanDifference?, adjustedP: Double?,
    smallerIsBetter: Bool = false, conditionsDiffer: Bool = false
  ) {
    guard min(roundsA, roundsB) >= Self.enoughRounds, let difference else {
      self = .tooLittleData
      return
    }
    guard !conditionsDiffer else {
      self = .differentConditions
      return
    }
    guard let p = adjustedP else {
      self = .noVariation
      return
    }
    guard p < Self.significance, difference.difference != 0 else {
      self = .noDifference
      return
    }
    self = (difference.difference > 0) != smallerIsBetter ? .bBetter : .aBetter
  }
}
