public import QuiverProtobuf

/// Asks how a setup shoots.
public struct GetSetupPerformanceRequest: Message {
  public var setup: ComparedSetup?
  /// Absent: the kept one.
  public var range: RangeChoice?
  /// In place of now; 1970 to 9999.
  public var asOfMilliseconds: Int64?
  /// Rounds IN_PROGRESS and PAUSED, too.
  public var includeUnfinished = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSetupPerformanceRequest", .message(1, "setup", \.setup),
    .message(2, "range", \.range), .optionalInt64(3, "as_of_ms", \.asOfMilliseconds),
    .bool(4, "include_unfinished", \.includeUnfinished))
}

/// Asks how the setups shoot that hold one item.
public struct GetItemPerformanceRequest: Message {
  /// Or the next.
  public var equipmentID: Int64 = 0
  public var equipmentClientID: [UInt8] = []
  public var range: RangeChoice?
  public var asOfMilliseconds: Int64?
  public var includeUnfinished = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetItemPerformanceRequest", .int64(1, "equipment_id", \.equipmentID),
    .bytes(2, "equipment_client_id", \.equipmentClientID), .message(3, "range", \.range),
    .optionalInt64(4, "as_of_ms", \.asOfMilliseconds),
    .bool(5, "include_unfinished", \.includeUnfinished))
}

/// How a setup or an item shoots.
public struct PerformanceResponse: Message {
  public var range: ShownRange?
  public var performance: SetupPerformance?
  /// By distance in metres, diameter and face.
  public var strata: [StratumPerformance] = []
  /// Of the setup, or of the item.
  public var displayName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PerformanceResponse", .message(1, "range", \.range),
    .message(2, "performance", \.performance), .messages(3, "strata", \.strata),
    .string(4, "display_name", \.displayName))
}

/// The range that an answer shows.
public struct ShownRange: Message {
  public var range = ComparisonRange.unspecified
  /// Absent: from the first arrow on.
  public var startMilliseconds: Int64?
  /// Exclusive.
  public var endMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShownRange", .enum(1, "range", \.range),
    .optionalInt64(2, "start_ms", \.startMilliseconds), .int64(3, "end_ms", \.endMilliseconds))
}

/// Over all arrows of a setup in the range.
///
/// Without arrows the values are 0.
public struct SetupPerformance: Message {
  public var hasData = false
  public var totalArrows: UInt64 = 0
  /// Per arrow.
  public var averageScore: Double = 0
  /// Arrows of at least min(10, top of the face), X included.
  public var accuracyPercent: Double = 0
  /// Arrows of at least min(9, second value of the face).
  public var consistencyPercent: Double = 0
  public var xCount: UInt64 = 0
  /// Of value exactly 10, X included.
  public var tenCount: UInt64 = 0
  public var missCount: UInt64 = 0
  public var roundCount: UInt64 = 0
  /// Of the rounds' arrows in the range.
  public var averageRoundScore: Double = 0
  public var firstShotAtMilliseconds: Int64?
  public var lastShotAtMilliseconds: Int64?
  public var faces: [Face] = []
  /// By diameter of the face, smaller ones first.
  public var groups: [FaceGroup] = []
  /// Absent without arrows, and where no inference was asked for.
  public var tenRate: TenRateEstimate?
  /// Of arrows by value, from 0 to 11.
  public var valueCounts: [UInt64] = []
  /// Complete rounds in the range that have a handicap.
  public var handicapRoundCount: UInt64 = 0
  /// Of those.
  public var meanHandicap: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetupPerformance", .bool(1, "has_data", \.hasData),
    .uint64(2, "total_arrows", \.totalArrows), .double(3, "average_score", \.averageScore),
    .double(4, "accuracy_percent", \.accuracyPercent),
    .double(5, "consistency_percent", \.consistencyPercent), .uint64(6, "x_count", \.xCount),
    .uint64(7, "ten_count", \.tenCount), .uint64(8, "miss_count", \.missCount),
    .uint64(9, "round_count", \.roundCount),
    .double(10, "average_round_score", \.averageRoundScore),
    .optionalInt64(11, "first_shot_at_ms", \.firstShotAtMilliseconds),
    .optionalInt64(12, "last_shot_at_ms", \.lastShotAtMilliseconds), .enums(13, "faces", \.faces),
    .messages(14, "groups", \.groups), .message(15, "ten_rate", \.tenRate),
    .uint64s(16, "value_counts", \.valueCounts),
    .uint64(17, "handicap_round_count", \.handicapRoundCount),
    .double(18, "mean_handicap", \.meanHandicap))
}

/// Positions on faces of one diameter, in radii of the nominal face: +x right, +y up.
public struct FaceGroup: Message {
  public var diameterCentimetres: Double = 0
  public var positionCount: UInt64 = 0
  /// The drift.
  public var meanX: Double = 0
  public var meanY: Double = 0
  /// About the centroid, with n - 1; absent of fewer than two positions.
  public var size: GroupSize?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FaceGroup", .double(1, "diameter_cm", \.diameterCentimetres),
    .uint64(2, "position_count", \.positionCount), .double(3, "mean_x", \.meanX),
    .double(4, "mean_y", \.meanY), .message(5, "size", \.size))
}

/// How large a group of shots is about its centroid.
public struct GroupSize: Message {
  public var varianceX: Double = 0
  public var varianceY: Double = 0
  public var covariance: Double = 0
  /// Where inference was asked for, and in GetArrowNumbers.
  public var meanRadius: Double?
  /// Of the ellipses that hold 50 and 95 % of a normal group.
  public var semiMajor50: Double = 0
  public var semiMinor50: Double = 0
  public var semiMajor95: Double = 0
  public var semiMinor95: Double = 0
  /// At least 1; absent where all positions lie on one line.
  public var axisRatio: Double?
  /// Of the longer axis, from +x towards +y.
  public var angleRadians: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GroupSize", .double(1, "variance_x", \.varianceX),
    .double(2, "variance_y", \.varianceY), .double(3, "covariance", \.covariance),
    .optionalDouble(4, "mean_radius", \.meanRadius), .double(5, "semi_major_50", \.semiMajor50),
    .double(6, "semi_minor_50", \.semiMinor50), .double(7, "semi_major_95", \.semiMajor95),
    .double(8, "semi_minor_95", \.semiMinor95), .optionalDouble(9, "axis_ratio", \.axisRatio),
    .double(10, "angle_radians", \.angleRadians))
}

/// What arrows share that are held against each other.
public struct StratumKey: Message {
  public var distance: Double = 0
  public var unit = DistanceUnit.unspecified
  public var face = Face.unspecified
  public var diameterCentimetres: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.StratumKey", .double(1, "distance", \.distance), .enum(2, "unit", \.unit),
    .enum(3, "face", \.face), .double(4, "diameter_cm", \.diameterCentimetres))
}

/// How a setup shoots at one stratum.
public struct StratumPerformance: Message {
  public var stratum: StratumKey?
  public var performance: SetupPerformance?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.StratumPerformance", .message(1, "stratum", \.stratum),
    .message(2, "performance", \.performance))
}

/// The share of tens, with Wilson's interval for rounds that differ.
public struct TenRateEstimate: Message {
  /// 0 to 1.
  public var rate: Double = 0
  public var arrowCount: UInt64 = 0
  public var roundCount: UInt64 = 0
  /// At least 1.
  public var designEffect: Double = 0
  /// Of 95 %; absent of fewer than two rounds.
  public var lower: Double?
  public var upper: Double?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TenRateEstimate", .double(1, "rate", \.rate),
    .uint64(2, "arrow_count", \.arrowCount), .uint64(3, "round_count", \.roundCount),
    .double(4, "design_effect", \.designEffect), .optionalDouble(5, "lower", \.lower),
    .optionalDouble(6, "upper", \.upper))
}

/// Asks what first, second and further arrows of an end do.
public struct GetArrowNumbersRequest: Message {
  public var setup: ComparedSetup?
  public var range: RangeChoice?
  public var asOfMilliseconds: Int64?
  public var includeUnfinished = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetArrowNumbersRequest", .message(1, "setup", \.setup),
    .message(2, "range", \.range), .optionalInt64(3, "as_of_ms", \.asOfMilliseconds),
    .bool(4, "include_unfinished", \.includeUnfinished))
}

/// What first, second and further arrows of an end do.
public struct GetArrowNumbersResponse: Message {
  public var range: ShownRange?
  /// From 1.
  public var numbers: [ArrowNumber] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetArrowNumbersResponse", .message(1, "range", \.range),
    .messages(2, "numbers", \.numbers))
}

/// What arrows of one number do.
public struct ArrowNumber: Message {
  /// Within its end, from 1.
  public var number: UInt32 = 0
  public var performance: SetupPerformance?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ArrowNumber", .uint32(1, "number", \.number),
    .message(2, "performance", \.performance))
}
