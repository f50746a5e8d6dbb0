/// The units of body weight and lifts, numbered as in `quiver.v1.WeightUnit`.
public enum MassUnit: Int32, CaseIterable, Sendable, Hashable {
  /// Pounds of 0.45359237 kg.
  case pound = 1
  /// Kilograms.
  case kilogram = 2

  /// The international avoirdupois pound, exact since 1959.
  public static let kilogramsPerPound = 0.45359237

  /// As it is written beside a number.
  public var symbol: String {
    switch self {
    case .pound: "lb"
    case .kilogram: "kg"
    }
  }

  /// The unit of a symbol in any case; nil for another text.
  public init?(symbol: String) {
    switch symbol.lowercased() {
    case "lb": self = .pound
    case "kg": self = .kilogram
    default: return nil
    }
  }

  /// The range of body weights, in thousandths of the unit.
  public var bodyWeightRange: ClosedRange<Int64> {
    switch self {
    case .pound: 1_000...1_500_000
    case .kilogram: 500...680_000
    }
  }

  /// What may be lifted, in the unit.
  public var liftRange: ClosedRange<Double> {
    switch self {
    case .pound: 0...2_000
    case .kilogram: 0...910
    }
  }

  /// The steps between milestones, in thousandths of the unit.
  public var milestoneSteps: [Int64] {
    switch self {
    case .pound: [5_000, 10_000, 15_000]
    case .kilogram: [2_000, 5_000, 7_000]
    }
  }

  /// A lifted weight of this unit in another, unrounded.
  public func converted(_ weight: Double, to other: MassUnit) -> Double {
    switch (self, other) {
    case (.pound, .kilogram): weight * Self.kilogramsPerPound
    case (.kilogram, .pound): weight / Self.kilogramsPerPound
    default: weight
    }
  }
}
