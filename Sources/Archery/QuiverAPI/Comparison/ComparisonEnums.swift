public import QuiverProtobuf

/// Over which arrows a comparison goes.
public struct ComparisonRange: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// In a request: the kept one.
  public static let unspecified = Self(rawValue: 0)
  /// N times 24 hours back from now, or as_of.
  public static let sevenDays = Self(rawValue: 1)
  public static let thirtyDays = Self(rawValue: 2)
  public static let ninetyDays = Self(rawValue: 3)
  public static let allTime = Self(rawValue: 4)
  /// From start_ms to before end_ms.
  public static let custom = Self(rawValue: 5)

  public static let schema = EnumSchema(
    "quiver.v1.ComparisonRange",
    [
      (0, "COMPARISON_RANGE_UNSPECIFIED"), (1, "COMPARISON_RANGE_SEVEN_DAYS"),
      (2, "COMPARISON_RANGE_THIRTY_DAYS"), (3, "COMPARISON_RANGE_NINETY_DAYS"),
      (4, "COMPARISON_RANGE_ALL_TIME"), (5, "COMPARISON_RANGE_CUSTOM"),
    ])
}

/// What setups are compared by.
public struct ComparisonMetric: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let averageScore = Self(rawValue: 1)
  public static let accuracy = Self(rawValue: 2)
  public static let consistency = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.ComparisonMetric",
    [
      (0, "COMPARISON_METRIC_UNSPECIFIED"), (1, "COMPARISON_METRIC_AVERAGE_SCORE"),
      (2, "COMPARISON_METRIC_ACCURACY"), (3, "COMPARISON_METRIC_CONSISTENCY"),
    ])
}

/// Which side a difference speaks for.
public struct DeltaDirection: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let none = Self(rawValue: 1)
  public static let bBetter = Self(rawValue: 2)
  public static let aBetter = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.DeltaDirection",
    [
      (0, "DELTA_DIRECTION_UNSPECIFIED"), (1, "DELTA_DIRECTION_NONE"),
      (2, "DELTA_DIRECTION_B_BETTER"), (3, "DELTA_DIRECTION_A_BETTER"),
    ])
}

/// What is claimed of a difference.
public struct ComparisonVerdict: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  /// A side has fewer than 5 rounds; the numbers stay.
  public static let tooLittleData = Self(rawValue: 1)
  /// Chance alone may have made it.
  public static let noDifference = Self(rawValue: 2)
  public static let aBetter = Self(rawValue: 3)
  public static let bBetter = Self(rawValue: 4)
  /// Rounds that are all the same tell nothing of chance.
  public static let noVariation = Self(rawValue: 5)
  /// The setups were shot at different distances or faces: points do not compare.
  public static let differentConditions = Self(rawValue: 6)

  public static let schema = EnumSchema(
    "quiver.v1.ComparisonVerdict",
    [
      (0, "COMPARISON_VERDICT_UNSPECIFIED"), (1, "COMPARISON_VERDICT_TOO_LITTLE_DATA"),
      (2, "COMPARISON_VERDICT_NO_DIFFERENCE"), (3, "COMPARISON_VERDICT_A_BETTER"),
      (4, "COMPARISON_VERDICT_B_BETTER"), (5, "COMPARISON_VERDICT_NO_VARIATION"),
      (6, "COMPARISON_VERDICT_DIFFERENT_CONDITIONS"),
    ])
}

/// What is claimed of the places that two setups shoot to.
public struct PlaceVerdict: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  /// A side has fewer than 5 rounds with positions.
  public static let tooLittleData = Self(rawValue: 1)
  public static let noDifference = Self(rawValue: 2)
  public static let apart = Self(rawValue: 3)
  /// The rounds' centres lie on one line.
  public static let noVariation = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.PlaceVerdict",
    [
      (0, "PLACE_VERDICT_UNSPECIFIED"), (1, "PLACE_VERDICT_TOO_LITTLE_DATA"),
      (2, "PLACE_VERDICT_NO_DIFFERENCE"), (3, "PLACE_VERDICT_APART"),
      (4, "PLACE_VERDICT_NO_VARIATION"),
    ])
}

/// How intervals are made.
public struct InferenceMethod: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Welch.
  public static let unspecified = Self(rawValue: 0)
  /// Welch's t with Satterthwaite's degrees of freedom.
  public static let welch = Self(rawValue: 1)
  /// The bootstrap-t over rounds, seeded.
  public static let bootstrapT = Self(rawValue: 2)
  /// The statistics alone.
  public static let none = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.InferenceMethod",
    [
      (0, "INFERENCE_METHOD_UNSPECIFIED"), (1, "INFERENCE_METHOD_WELCH"),
      (2, "INFERENCE_METHOD_BOOTSTRAP_T"), (3, "INFERENCE_METHOD_NONE"),
    ])
}
