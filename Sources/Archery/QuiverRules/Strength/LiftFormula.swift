import QuiverPlatform

/// How the weight that could be lifted once is estimated from a set, numbered as in
/// `quiver.v1.OneRepMaxFormula`.
public enum LiftFormula: Int32, CaseIterable, Sendable, Hashable {
  /// w * 36 / (37 - r), Brzycki 1993.
  case brzycki = 1
  /// w * (1 + r / 30), Epley 1985.
  case epley = 2
  /// w * r^0.10, Lombardi 1989.
  case lombardi = 3

  /// Sets of more have no one-rep max.
  public static let maximumRepetitions: Int32 = 36
  /// Sets of more have one of low confidence.
  public static let confidentRepetitions: Int32 = 12

  /// The one-rep max in the unit of the weight; nil outside of 1 to 36 repetitions.
  @inlinable
  public func value(weight: Double, repetitions: Int32) -> Double? {
    guard repetitions >= 1, repetitions <= Self.maximumRepetitions else { return nil }
    return switch self {
    case .brzycki: weight * 36 / Double(37 - repetitions)
    case .epley: weight * (1 + Double(repetitions) / 30)
    case .lombardi: Self.lombardi(weight, repetitions)
    }
  }

  @usableFromInline
  static func lombardi(_ weight: Double, _ repetitions: Int32) -> Double {
    weight * pow(Double(repetitions), 0.10)
  }
}
