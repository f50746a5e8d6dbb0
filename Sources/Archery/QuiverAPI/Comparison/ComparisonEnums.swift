public import QuiverProtobuf

/// The range of time of a comparison.
public struct ComparisonRange: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// In a request: the stored choice.
  public static let unspecified = Self(rawValue: 0)
  /// 7 times 24 hours back from now, or from the request's time.
  public static let sevenDays = Self(rawValue: 1)
  /// 30 times 24 hours back from now, or from the request's time.
  public static let thirtyDays = Self(rawValue: 2)
  /// 90 times 24 hours back from now, or from the request's time.
  public static let ninetyDays = Self(rawValue: 3)
  /// All arrows up to now, or up to the request's time.
  public static let allTime = Self(rawValue: 4)
  /// From ``RangeChoice/startMilliseconds`` to before ``RangeChoice/endMilliseconds``.
  public static let custom = Self(rawValue: 5)

  public static let schema = EnumSchema(
    "quiver.v1.ComparisonRange",
    [
      (0, "COMPARISON_RANGE_UNSPECIFIED"), (1, "COMPARISON_RANGE_SEVEN_DAYS"),
      (2, "COMPARISON_RANGE_THIRTY_DAYS"), (3, "COMPARISON_RANGE_NINETY_DAYS"),
      (4, "COMPARISON_RANGE_ALL_TIME"), (5, "COMPARISON_RANGE_CUSTOM"),
    ])
}

/// The metric of a comparison.
public struct ComparisonMetric: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// The mean value of an arrow.
  public static let averageScore = Self(rawValue: 1)
  /// The share of arrows of at least min(10, the face's top value), in percent.
  public static let accuracy = Self(rawValue: 2)
  /// The share of arrows of at least min(9, the face's second value), in percent.
  public static let consistency = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.ComparisonMetric",
    [
      (0, "COMPARISON_METRIC_UNSPECIFIED"), (1, "COMPARISON_METRIC_AVERAGE_SCORE"),
      (2, "COMPARISON_METRIC_ACCURACY"), (3, "COMPARISON_METRIC_CONSISTENCY"),
    ])
}

/// The side that a difference favours.
public struct DeltaDirection: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Neither side: the shown difference is zero.
  public static let none = Self(rawValue: 1)
  /// Setup B is better.
  public static let bBetter = Self(rawValue: 2)
  /// Setup A is better.
  public static let aBetter = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.DeltaDirection",
    [
      (0, "DELTA_DIRECTION_UNSPECIFIED"), (1, "DELTA_DIRECTION_NONE"),
      (2, "DELTA_DIRECTION_B_BETTER"), (3, "DELTA_DIRECTION_A_BETTER"),
    ])
}

/// The verdict about a difference.
public struct ComparisonVerdict: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// A side has fewer than 5 rounds; the numbers are still given.
  public static let tooLittleData = Self(rawValue: 1)
  /// The difference may be due to chance.
  public static let noDifference = Self(rawValue: 2)
  /// Setup A is better.
  public static let aBetter = Self(rawValue: 3)
  /// Setup B is better.
  public static let bBetter = Self(rawValue: 4)
  /// All rounds are equal, so there is no measure of chance.
  public static let noVariation = Self(rawValue: 5)
  /// The setups were shot at different distances or faces, so points cannot be compared.
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

/// The verdict about where two setups shoot.
public struct PlaceVerdict: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// A side has fewer than 5 rounds with positions.
  public static let tooLittleData = Self(rawValue: 1)
  /// The difference of the centres may be due to chance.
  public static let noDifference = Self(rawValue: 2)
  /// The setups shoot to different centres.
  public static let apart = Self(rawValue: 3)
  /// The centres of the rounds are on one line.
  public static let noVariation = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.PlaceVerdict",
    [
      (0, "PLACE_VERDICT_UNSPECIFIED"), (1, "PLACE_VERDICT_TOO_LITTLE_DATA"),
      (2, "PLACE_VERDICT_NO_DIFFERENCE"), (3, "PLACE_VERDICT_APART"),
      (4, "PLACE_VERDICT_NO_VARIATION"),
    ])
}

/// The method of intervals and p values.
public struct InferenceMethod: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The same as ``welch``.
  public static let unspecified = Self(rawValue: 0)
  /// Welch's t with Satterthwaite's degrees of freedom.
  public static let welch = Self(rawValue: 1)
  /// The bootstrap-t over rounds, with the seed of the request.
  public static let bootstrapT = Self(rawValue: 2)
  /// Only the statistics, without tests.
  public static let none = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.InferenceMethod",
    [
      (0, "INFERENCE_METHOD_UNSPECIFIED"), (1, "INFERENCE_METHOD_WELCH"),
      (2, "INFERENCE_METHOD_BOOTSTRAP_T"), (3, "INFERENCE_METHOD_NONE"),
    ])
}
