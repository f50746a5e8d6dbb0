public import QuiverProtobuf

/// Two setups; differences are B minus A.
public struct SetupPair: Message {
  /// The index of A in the list of setups, from 0.
  public var a: UInt32 = 0
  /// The index of B in the list of setups, from 0.
  public var b: UInt32 = 0
  /// The plain differences; nil if a side has no arrows.
  public var deltas: PairDeltas?
  /// The tests of the differences; nil if none were requested.
  public var inference: PairInference?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetupPair", .uint32(1, "a", \.a), .uint32(2, "b", \.b),
    .message(3, "deltas", \.deltas), .message(4, "inference", \.inference))
}

/// The plain differences of two setups over all their arrows.
public struct PairDeltas: Message {
  /// The difference of the mean values of an arrow.
  public var averageScore: ShownDelta?
  /// The difference of the accuracies in percentage points.
  public var accuracy: ShownDelta?
  /// The difference of the consistencies in percentage points.
  public var consistency: ShownDelta?
  /// The difference of the numbers of arrows.
  public var arrowCount: Int64 = 0
  /// ``arrowCount`` with a sign.
  public var arrowCountText = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PairDeltas", .message(1, "average_score", \.averageScore),
    .message(2, "accuracy", \.accuracy), .message(3, "consistency", \.consistency),
    .int64(4, "arrow_count", \.arrowCount), .string(5, "arrow_count_text", \.arrowCountText))
}

/// A difference and its text. The text is the value rounded half-even to two places; the direction
/// is that of the text.
public struct ShownDelta: Message {
  /// The difference, B minus A, unrounded.
  public var value: Double = 0
  /// The difference as an app shows it, for example `+1.25`, `-0.50` and `0.00`.
  public var text = ""
  /// The side that the text favours.
  public var direction = DeltaDirection.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShownDelta", .double(1, "value", \.value), .string(2, "text", \.text),
    .enum(3, "direction", \.direction))
}

/// The tests of the differences between two setups.
public struct PairInference: Message {
  /// Average score, accuracy and consistency, in this order.
  public var metrics: [MetricInference] = []
  /// The difference of the shares of tens; nil if a side has fewer than two rounds.
  public var tenRate: TenRateDifference?
  /// The tests of the centres, by diameter of the face.
  public var places: [PlaceInference] = []
  /// The difference of the integer handicaps of complete rounds; a smaller one is better; nil if a
  /// side has none.
  public var handicap: MetricInference?
  /// Whether the setups' shares of distances and faces differ by more than 5 %. Points then cannot
  /// be compared, and ``metrics`` name no winner.
  public var conditionsDiffer = false
  /// Average score, accuracy and consistency over the strata that both setups shot: differences
  /// within each stratum, weighted by precision. Empty unless conditions differ and there are such
  /// strata.
  public var pooled: [MetricInference] = []
  /// The strata of ``pooled``, by distance in metres, diameter and face.
  public var pooledStrata: [StratumKey] = []
  /// The result of all tests of the pair together, after Holm's correction; empty if no test was
  /// made.
  public var overallWords = ""
  /// By what the conditions differ, each by itself. If place, weather, wind or light are among
  /// them, the handicap names no winner either: it makes distances and faces alike, but no weather.
  public var differing: [StratumAspect] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PairInference", .messages(1, "metrics", \.metrics),
    .message(2, "ten_rate", \.tenRate), .messages(3, "places", \.places),
    .message(4, "handicap", \.handicap), .bool(5, "conditions_differ", \.conditionsDiffer),
    .messages(6, "pooled", \.pooled), .messages(7, "pooled_strata", \.pooledStrata),
    .string(8, "overall_words", \.overallWords), .enums(9, "differing", \.differing))
}

/// The test of the difference of mean round means: the average of each round, with the same weight
/// for each round.
public struct MetricInference: Message {
  /// The metric; unspecified: the handicap.
  public var metric = ComparisonMetric.unspecified
  /// The mean of A's round means.
  public var meanA: Double = 0
  /// The mean of B's round means.
  public var meanB: Double = 0
  /// The number of A's rounds.
  public var roundCountA: UInt32 = 0
  /// The number of B's rounds.
  public var roundCountB: UInt32 = 0
  /// The difference, B minus A; nil if a side has fewer than two rounds.
  public var difference: Double?
  /// The standard error of the difference; nil without a test.
  public var standardError: Double?
  /// Satterthwaite's degrees of freedom; nil without a test.
  public var degreesOfFreedom: Double?
  /// The lower end of the 95 % interval of the difference; nil without a test.
  public var lower: Double?
  /// The upper end of the 95 % interval of the difference; nil without a test.
  public var upper: Double?
  /// The two-sided p value of this pair alone; nil without a test.
  public var p: Double?
  /// The p value after Holm's correction over all pairs of the comparison; nil without a test.
  public var adjustedP: Double?
  /// The difference in pooled standard deviations (Hedges' g with the exact gamma correction); nil
  /// without a test.
  public var hedgesG: Double?
  /// The difference that 8 of 10 comparisons of this size would find, at the two-sided 5 % level;
  /// nil without a test.
  public var detectableDifference: Double?
  /// The verdict about the difference.
  public var verdict = ComparisonVerdict.unspecified
  /// The verdict as an English sentence.
  public var words = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.MetricInference", .enum(1, "metric", \.metric), .double(2, "mean_a", \.meanA),
    .double(3, "mean_b", \.meanB), .uint32(4, "round_count_a", \.roundCountA),
    .uint32(5, "round_count_b", \.roundCountB), .optionalDouble(6, "difference", \.difference),
    .optionalDouble(7, "standard_error", \.standardError),
    .optionalDouble(8, "degrees_of_freedom", \.degreesOfFreedom),
    .optionalDouble(9, "lower", \.lower), .optionalDouble(10, "upper", \.upper),
    .optionalDouble(11, "p", \.p), .optionalDouble(12, "adjusted_p", \.adjustedP),
    .optionalDouble(13, "hedges_g", \.hedgesG),
    .optionalDouble(14, "detectable_difference", \.detectableDifference),
    .enum(15, "verdict", \.verdict), .string(16, "words", \.words))
}

/// The difference of the shares of tens, B minus A, with Newcombe's interval.
public struct TenRateDifference: Message {
  /// The difference, -1 to 1.
  public var difference: Double = 0
  /// The lower end of the 95 % interval.
  public var lower: Double = 0
  /// The upper end of the 95 % interval.
  public var upper: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TenRateDifference", .double(1, "difference", \.difference),
    .double(2, "lower", \.lower), .double(3, "upper", \.upper))
}

/// Hotelling's test of the rounds' centroids on faces of one diameter.
public struct PlaceInference: Message {
  /// The diameter of the nominal face in centimetres.
  public var diameterCentimetres: Double = 0
  /// The number of A's rounds with positions.
  public var roundCountA: UInt32 = 0
  /// The number of B's rounds with positions.
  public var roundCountB: UInt32 = 0
  /// Hotelling's T squared; nil if there are too few rounds.
  public var tSquared: Double?
  /// The p value; nil if there are too few rounds.
  public var p: Double?
  /// The verdict about the centres.
  public var verdict = PlaceVerdict.unspecified
  /// The verdict as an English sentence.
  public var words = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PlaceInference", .double(1, "diameter_cm", \.diameterCentimetres),
    .uint32(2, "round_count_a", \.roundCountA), .uint32(3, "round_count_b", \.roundCountB),
    .optionalDouble(4, "t_squared", \.tSquared), .optionalDouble(5, "p", \.p),
    .enum(6, "verdict", \.verdict), .string(7, "words", \.words))
}
