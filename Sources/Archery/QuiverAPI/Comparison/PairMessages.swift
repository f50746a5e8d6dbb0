public import QuiverProtobuf

/// Two setups: B minus A.
public struct SetupPair: Message {
  /// Places in the list of setups, from 0.
  public var a: UInt32 = 0
  public var b: UInt32 = 0
  /// Absent where a side has no arrows.
  public var deltas: PairDeltas?
  /// Absent where none was asked for.
  public var inference: PairInference?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetupPair", .uint32(1, "a", \.a), .uint32(2, "b", \.b),
    .message(3, "deltas", \.deltas), .message(4, "inference", \.inference))
}

/// The plain differences of two setups over all their arrows.
public struct PairDeltas: Message {
  public var averageScore: ShownDelta?
  public var accuracy: ShownDelta?
  public var consistency: ShownDelta?
  public var arrowCount: Int64 = 0
  /// With a sign; more arrows are not better.
  public var arrowCountText = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PairDeltas", .message(1, "average_score", \.averageScore),
    .message(2, "accuracy", \.accuracy), .message(3, "consistency", \.consistency),
    .int64(4, "arrow_count", \.arrowCount), .string(5, "arrow_count_text", \.arrowCountText))
}

/// The text is the value rounded half-even; the direction is that of the text.
public struct ShownDelta: Message {
  public var value: Double = 0
  /// As in +1.25, -0.50 and 0.00.
  public var text = ""
  public var direction = DeltaDirection.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShownDelta", .double(1, "value", \.value), .string(2, "text", \.text),
    .enum(3, "direction", \.direction))
}

/// How sure the differences of two setups are.
public struct PairInference: Message {
  /// Average score, accuracy, consistency.
  public var metrics: [MetricInference] = []
  /// Absent where a side has fewer than two rounds.
  public var tenRate: TenRateDifference?
  /// By diameter of the face.
  public var places: [PlaceInference] = []
  /// Of the integer handicaps of complete rounds, where smaller is better; absent where a side
  /// has none.
  public var handicap: MetricInference?
  /// The setups' shares of distances and faces differ by more than 5 % of the shooting: points do
  /// not compare, and ``metrics`` name no winner.
  public var conditionsDiffer = false
  /// Average score, accuracy and consistency over the strata that both shot; set where conditions
  /// differ and there are such strata.
  public var pooled: [MetricInference] = []
  /// The strata that ``pooled`` is over, by distance in metres, diameter and face.
  public var pooledStrata: [StratumKey] = []
  /// What all tests of the pair say together, after Holm's correction over them; empty where no
  /// test was made.
  public var overallWords = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PairInference", .messages(1, "metrics", \.metrics),
    .message(2, "ten_rate", \.tenRate), .messages(3, "places", \.places),
    .message(4, "handicap", \.handicap), .bool(5, "conditions_differ", \.conditionsDiffer),
    .messages(6, "pooled", \.pooled), .messages(7, "pooled_strata", \.pooledStrata),
    .string(8, "overall_words", \.overallWords))
}

/// Of mean round means: the average of each round, rounds weighing alike.
public struct MetricInference: Message {
  /// Unspecified: the handicap.
  public var metric = ComparisonMetric.unspecified
  public var meanA: Double = 0
  public var meanB: Double = 0
  public var roundCountA: UInt32 = 0
  public var roundCountB: UInt32 = 0
  /// B minus A; absent where a side has fewer than two rounds.
  public var difference: Double?
  public var standardError: Double?
  public var degreesOfFreedom: Double?
  /// Of 95 %.
  public var lower: Double?
  public var upper: Double?
  /// Two-sided.
  public var p: Double?
  /// Holm's, over all pairs of the comparison.
  public var adjustedP: Double?
  public var hedgesG: Double?
  /// Found in 8 of 10 comparisons of this size.
  public var detectableDifference: Double?
  public var verdict = ComparisonVerdict.unspecified
  /// The verdict in words.
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

/// B minus A, with Newcombe's interval of 95 %.
public struct TenRateDifference: Message {
  public var difference: Double = 0
  public var lower: Double = 0
  public var upper: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TenRateDifference", .double(1, "difference", \.difference),
    .double(2, "lower", \.lower), .double(3, "upper", \.upper))
}

/// Hotelling's test of the rounds' centroids on faces of one diameter.
public struct PlaceInference: Message {
  public var diameterCentimetres: Double = 0
  public var roundCountA: UInt32 = 0
  public var roundCountB: UInt32 = 0
  /// Absent where there are too few rounds.
  public var tSquared: Double?
  public var p: Double?
  public var verdict = PlaceVerdict.unspecified
  public var words = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PlaceInference", .double(1, "diameter_cm", \.diameterCentimetres),
    .uint32(2, "round_count_a", \.roundCountA), .uint32(3, "round_count_b", \.roundCountB),
    .optionalDouble(4, "t_squared", \.tSquared), .optionalDouble(5, "p", \.p),
    .enum(6, "verdict", \.verdict), .string(7, "words", \.words))
}
