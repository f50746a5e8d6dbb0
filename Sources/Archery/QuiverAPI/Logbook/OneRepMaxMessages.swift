public import QuiverProtobuf

/// Requests the one-rep max of one set by each formula.
public struct CompareFormulasRequest: Message {
  /// The weight in ``unit``.
  public var weight: Double = 0
  /// The repetitions, 1 to 36.
  public var repetitions: UInt32 = 0
  /// The unit of ``weight``; required.
  public var unit = WeightUnit.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CompareFormulasRequest",
    .double(1, "weight", \.weight),
    .uint32(2, "repetitions", \.repetitions),
    .enum(3, "unit", \.unit))
}

/// One estimate per formula.
public struct CompareFormulasResponse: Message {
  /// The estimates in the order of the formulas.
  public var estimates: [OneRepMaxEstimate] = []
  /// Whether the set has more than 12 repetitions, which makes the estimates uncertain.
  public var lowConfidence = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CompareFormulasResponse",
    .messages(1, "estimates", \.estimates),
    .bool(2, "low_confidence", \.lowConfidence))
}

/// The estimate of one formula.
public struct OneRepMaxEstimate: Message {
  /// The formula.
  public var formula = OneRepMaxFormula.unspecified
  /// The one-rep max in the unit of the set.
  public var oneRepMax: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.OneRepMaxEstimate",
    .enum(1, "formula", \.formula),
    .double(2, "one_rep_max", \.oneRepMax))
}

/// The formula of a one-rep max for a set of weight w with r repetitions, 1 to 36.
public struct OneRepMaxFormula: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// `w * 36 / (37 - r)`.
  public static let brzycki = Self(rawValue: 1)
  /// `w * (1 + r / 30)`.
  public static let epley = Self(rawValue: 2)
  /// `w * r^0.10`.
  public static let lombardi = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.OneRepMaxFormula",
    [
      (0, "ONE_REP_MAX_FORMULA_UNSPECIFIED"),
      (1, "ONE_REP_MAX_FORMULA_BRZYCKI"),
      (2, "ONE_REP_MAX_FORMULA_EPLEY"),
      (3, "ONE_REP_MAX_FORMULA_LOMBARDI"),
    ])
}
