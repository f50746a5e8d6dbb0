/// B minus A as it is shown: rounded first, with the direction that the text has.
public struct Delta: Sendable, Equatable {
  /// The difference, B minus A, unrounded.
  public let value: Double
  /// As in "+1.25" and "-0.50"; "0.00" where nothing is left of it.
  public let text: String
  /// The side that the rounded difference favours.
  public let direction: DifferenceDirection

  /// Two digits; with `smallerIsBetter`, as for handicaps, a minus is B's.
  public init(a: Double, b: Double, smallerIsBetter: Bool = false) {
    value = b - a
    text = DecimalText.signed(value, digits: 2)
    let better: DifferenceDirection = smallerIsBetter ? .aBetter : .bBetter
    let worse: DifferenceDirection = smallerIsBetter ? .bBetter : .aBetter
    direction = text.hasPrefix("+") ? better : text.hasPrefix("-") ? worse : .none
  }

  /// B's arrows minus A's, with a sign only: more arrows are not better.
  public static func arrowCount(a: Int, b: Int) -> (value: Int, text: String) {
    (b - a, b > a ? "+\(b - a)" : "\(b - a)")
  }
}

/// Which side a difference speaks for, numbered as in `quiver.v1.DeltaDirection`.
public enum DifferenceDirection: Int32, Sendable, Hashable {
  /// Neither side: the rounded difference is zero.
  case none = 1
  /// Setup B is better.
  case bBetter = 2
  /// Setup A is better.
  case aBetter = 3
}
