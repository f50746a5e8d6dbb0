/// One line of a strength log: a number of sets of a number of repetitions with a weight.
public struct StrengthSet: Sendable, Equatable, Hashable {
  /// Since 1970-01-01.
  public var day: Int32
  /// The exercise.
  public var exercise: ExerciseName
  /// From 1; 0 if the log does not tell, which is not the same as 1.
  public var sets: Int32
  /// The repetitions of each set.
  public var repetitions: Int32
  /// In ``unit``.
  public var weight: Double
  /// The unit of the weight.
  public var unit: MassUnit

  /// The numbers of sets that are allowed.
  public static let setsRange: ClosedRange<Int32> = 1...100
  /// The numbers of repetitions that are allowed.
  public static let repetitionsRange: ClosedRange<Int32> = 1...1_000

  /// Creates a value; each parameter is the property of its name.
  public init(
    day: Int32, exercise: ExerciseName, sets: Int32 = 0, repetitions: Int32, weight: Double,
    unit: MassUnit
  ) {
    self.day = day
    self.exercise = exercise
    self.sets = sets
    self.repetitions = repetitions
    self.weight = weight
    self.unit = unit
  }

  /// The one-rep max in another unit; nil if the repetitions allow none.
  public func oneRepMax(_ formula: LiftFormula, in unit: MassUnit) -> Double? {
    formula.value(weight: weight, repetitions: repetitions).map {
      self.unit.converted($0, to: unit)
    }
  }

  /// Whether its one-rep max is of low confidence.
  public var isLowConfidence: Bool { repetitions > LiftFormula.confidentRepetitions }

  /// Throws the first rule that it breaks; `prefix` is its path in the request.
  public func validated(prefix: String) throws(RuleViolation) -> StrengthSet {
    func check(_ holds: Bool, _ field: String, _ message: String) throws(RuleViolation) {
      guard holds else { throw RuleViolation(field: "\(prefix).\(field)", message: message) }
    }
    try check(
      CivilDate.dayRange.contains(day), "day", "must be a day of the years 1 to 9999")
    try check(
      sets == 0 || Self.setsRange.contains(sets), "sets", "must be from 1 to 100, or absent")
    try check(
      Self.repetitionsRange.contains(repetitions), "repetitions", "must be from 1 to 1000")
    try check(
      unit.liftRange.contains(weight), "weight",
      "must be from 0 to \(PlainDecimal.text(unit.liftRange.upperBound)) \(unit.symbol)")
    var set = self
    if weight == 0 { set.weight = 0 }  // Minus zero would be another content.
    return set
  }
}
