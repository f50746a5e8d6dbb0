public import QuiverProtobuf

/// Requests the statistics of one bow setup.
public struct GetSetupPerformanceRequest: Message {
  /// The bow setup.
  public var setup: ComparedSetup?
  /// The range of time; nil: the stored choice.
  public var range: RangeChoice?
  /// The time that replaces now, in milliseconds since 1970-01-01 UTC, within the years 1970 to
  /// 9999; nil: now.
  public var asOfMilliseconds: Int64?
  /// Whether rounds in progress and paused rounds count.
  public var includeUnfinished = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSetupPerformanceRequest", .message(1, "setup", \.setup),
    .message(2, "range", \.range), .optionalInt64(3, "as_of_ms", \.asOfMilliseconds),
    .bool(4, "include_unfinished", \.includeUnfinished))
}

/// Requests the statistics of one item of equipment.
public struct GetItemPerformanceRequest: Message {
  /// The id of the item; 0 if ``equipmentClientID`` names it.
  public var equipmentID: Int64 = 0
  /// The client id of the item; empty if ``equipmentID`` names it.
  public var equipmentClientID: [UInt8] = []
  /// The range of time; nil: the stored choice.
  public var range: RangeChoice?
  /// The time that replaces now, in milliseconds since 1970-01-01 UTC, within the years 1970 to
  /// 9999; nil: now.
  public var asOfMilliseconds: Int64?
  /// Whether rounds in progress and paused rounds count.
  public var includeUnfinished = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetItemPerformanceRequest", .int64(1, "equipment_id", \.equipmentID),
    .bytes(2, "equipment_client_id", \.equipmentClientID), .message(3, "range", \.range),
    .optionalInt64(4, "as_of_ms", \.asOfMilliseconds),
    .bool(5, "include_unfinished", \.includeUnfinished))
}

/// The statistics of a bow setup or of an item of equipment.
public struct PerformanceResponse: Message {
  /// The range that was used.
  public var range: ShownRange?
  /// The statistics over all arrows in the range.
  public var performance: SetupPerformance?
  /// The statistics for each stratum, by distance in metres, diameter and face.
  public var strata: [StratumPerformance] = []
  /// The shown name of the setup or of the item.
  public var displayName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PerformanceResponse", .message(1, "range", \.range),
    .message(2, "performance", \.performance), .messages(3, "strata", \.strata),
    .string(4, "display_name", \.displayName))
}

/// The range of time that a response covers.
public struct ShownRange: Message {
  /// The kind of the range.
  public var range = ComparisonRange.unspecified
  /// The start, inclusive, in milliseconds since 1970-01-01 UTC; nil: from the first arrow.
  public var startMilliseconds: Int64?
  /// The end, exclusive, in milliseconds since 1970-01-01 UTC.
  public var endMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShownRange", .enum(1, "range", \.range),
    .optionalInt64(2, "start_ms", \.startMilliseconds), .int64(3, "end_ms", \.endMilliseconds))
}

/// Statistics over all arrows in the range. The values are 0 without arrows.
public struct SetupPerformance: Message {
  /// Whether there are arrows in the range.
  public var hasData = false
  /// The number of arrows.
  public var totalArrows: UInt64 = 0
  /// The mean value of an arrow.
  public var averageScore: Double = 0
  /// The share of arrows of at least min(10, the face's top value), including X, in percent.
  public var accuracyPercent: Double = 0
  /// The share of arrows of at least min(9, the face's second value), in percent.
  public var consistencyPercent: Double = 0
  /// The number of X.
  public var xCount: UInt64 = 0
  /// The number of arrows of value exactly 10, including X.
  public var tenCount: UInt64 = 0
  /// The number of misses.
  public var missCount: UInt64 = 0
  /// The number of rounds with arrows in the range.
  public var roundCount: UInt64 = 0
  /// The mean score of the rounds, over their arrows in the range.
  public var averageRoundScore: Double = 0
  /// The time of the first arrow in the range, in milliseconds since 1970-01-01 UTC; nil without
  /// arrows.
  public var firstShotAtMilliseconds: Int64?
  /// The time of the last arrow in the range, in milliseconds since 1970-01-01 UTC; nil without
  /// arrows.
  public var lastShotAtMilliseconds: Int64?
  /// The faces that were shot at.
  public var faces: [Face] = []
  /// The positions by diameter of the face, smaller ones first.
  public var groups: [FaceGroup] = []
  /// The share of tens with its interval; nil without arrows, and if no inference was requested.
  public var tenRate: TenRateEstimate?
  /// The number of arrows by value, from 0 to 11.
  public var valueCounts: [UInt64] = []
  /// The number of complete rounds in the range that have a handicap.
  public var handicapRoundCount: UInt64 = 0
  /// The mean handicap of those rounds.
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

/// The positions on faces of one diameter, in radii of the nominal face: x to the right, y upwards.
public struct FaceGroup: Message {
  /// The diameter of the nominal face in centimetres.
  public var diameterCentimetres: Double = 0
  /// The number of arrows with positions.
  public var positionCount: UInt64 = 0
  /// The horizontal drift: the mean of the x positions.
  public var meanX: Double = 0
  /// The vertical drift: the mean of the y positions.
  public var meanY: Double = 0
  /// The size of the group about its centroid; nil with fewer than two positions.
  public var size: GroupSize?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FaceGroup", .double(1, "diameter_cm", \.diameterCentimetres),
    .uint64(2, "position_count", \.positionCount), .double(3, "mean_x", \.meanX),
    .double(4, "mean_y", \.meanY), .message(5, "size", \.size))
}

/// The size of a group of arrows about its centroid. Variances divide by n - 1.
public struct GroupSize: Message {
  /// The variance of the x positions.
  public var varianceX: Double = 0
  /// The variance of the y positions.
  public var varianceY: Double = 0
  /// The covariance of the x and y positions.
  public var covariance: Double = 0
  /// The mean distance from the centroid; nil unless inference was requested. `getArrowNumbers`
  /// always has it.
  public var meanRadius: Double?
  /// The longer semi-axis of the ellipse that contains 50 % of a normal group.
  public var semiMajor50: Double = 0
  /// The shorter semi-axis of the ellipse that contains 50 % of a normal group.
  public var semiMinor50: Double = 0
  /// The longer semi-axis of the ellipse that contains 95 % of a normal group.
  public var semiMajor95: Double = 0
  /// The shorter semi-axis of the ellipse that contains 95 % of a normal group.
  public var semiMinor95: Double = 0
  /// The ratio of the longer to the shorter axis, at least 1; nil if all positions are on one line.
  public var axisRatio: Double?
  /// The angle of the longer axis in radians, from the positive x axis towards the positive y axis.
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

/// The conditions that compared arrows share. Place, weather, wind and light are set only if every
/// compared round states them, and a request does not ignore them.
public struct StratumKey: Message {
  /// The distance in ``unit``.
  public var distance: Double = 0
  /// The unit of ``distance``.
  public var unit = DistanceUnit.unspecified
  /// The target face.
  public var face = Face.unspecified
  /// The diameter of the nominal face in centimetres.
  public var diameterCentimetres: Double = 0
  /// The name of the place; empty: it makes no strata.
  public var place = ""
  /// The weather; unspecified: it makes no strata.
  public var weather = Weather.unspecified
  /// The wind; unspecified: it makes no strata.
  public var wind = Wind.unspecified
  /// The light; unspecified: it makes no strata.
  public var light = Light.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.StratumKey", .double(1, "distance", \.distance), .enum(2, "unit", \.unit),
    .enum(3, "face", \.face), .double(4, "diameter_cm", \.diameterCentimetres),
    .string(5, "place", \.place), .enum(6, "weather", \.weather), .enum(7, "wind", \.wind),
    .enum(8, "light", \.light))
}

/// The statistics of a setup at one stratum.
public struct StratumPerformance: Message {
  /// The distance and the face.
  public var stratum: StratumKey?
  /// The statistics over the arrows of the stratum.
  public var performance: SetupPerformance?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.StratumPerformance", .message(1, "stratum", \.stratum),
    .message(2, "performance", \.performance))
}

/// The share of tens, with Wilson's interval adjusted for differences between rounds.
public struct TenRateEstimate: Message {
  /// The share of tens, 0 to 1.
  public var rate: Double = 0
  /// The number of arrows.
  public var arrowCount: UInt64 = 0
  /// The number of rounds.
  public var roundCount: UInt64 = 0
  /// The factor by which differences between rounds increase the variance, at least 1.
  public var designEffect: Double = 0
  /// The lower end of the 95 % interval; nil with fewer than two rounds.
  public var lower: Double?
  /// The upper end of the 95 % interval; nil with fewer than two rounds.
  public var upper: Double?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TenRateEstimate", .double(1, "rate", \.rate),
    .uint64(2, "arrow_count", \.arrowCount), .uint64(3, "round_count", \.roundCount),
    .double(4, "design_effect", \.designEffect), .optionalDouble(5, "lower", \.lower),
    .optionalDouble(6, "upper", \.upper))
}

/// Requests the statistics of the first, second, third arrow of an end, and so on.
public struct GetArrowNumbersRequest: Message {
  /// The bow setup.
  public var setup: ComparedSetup?
  /// The range of time; nil: the stored choice.
  public var range: RangeChoice?
  /// The time that replaces now, in milliseconds since 1970-01-01 UTC, within the years 1970 to
  /// 9999; nil: now.
  public var asOfMilliseconds: Int64?
  /// Whether rounds in progress and paused rounds count.
  public var includeUnfinished = false

  /// Whether the numbers are those of shafts; arrows whose shaft is not known are left out.
  public var byShaft = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetArrowNumbersRequest", .message(1, "setup", \.setup),
    .message(2, "range", \.range), .optionalInt64(3, "as_of_ms", \.asOfMilliseconds),
    .bool(4, "include_unfinished", \.includeUnfinished),
    .bool(5, "by_shaft", \.byShaft))
}

/// The statistics by the number of an arrow within its end.
public struct GetArrowNumbersResponse: Message {
  /// The range that was used.
  public var range: ShownRange?
  /// The statistics of each number, from 1.
  public var numbers: [ArrowNumber] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetArrowNumbersResponse", .message(1, "range", \.range),
    .messages(2, "numbers", \.numbers))
}

/// The statistics of the arrows of one number.
public struct ArrowNumber: Message {
  /// The number of the arrow within its end, from 1.
  public var number: UInt32 = 0
  /// The statistics of these arrows.
  public var performance: SetupPerformance?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ArrowNumber", .uint32(1, "number", \.number),
    .message(2, "performance", \.performance))
}
