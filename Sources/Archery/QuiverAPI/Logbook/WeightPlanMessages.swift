public import QuiverProtobuf

/// The way from a weight to a goal.
public struct WeightPlan: Message {
  /// Required.
  public var unit = WeightUnit.unspecified
  public var startThousandths: Int64 = 0
  /// Another weight than the start.
  public var goalThousandths: Int64 = 0
  /// 5, 10 or 15 lb; 2, 5 or 7 kg.
  public var stepThousandths: Int64 = 0
  /// Civil day; entries before it reach nothing.
  public var startDay: Int32 = 0
  /// From 1; 0 where there is none yet.
  public var revision: UInt64 = 0
  public var updatedAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WeightPlan",
    .enum(1, "unit", \.unit),
    .int64(2, "start_thousandths", \.startThousandths),
    .int64(3, "goal_thousandths", \.goalThousandths),
    .int64(4, "step_thousandths", \.stepThousandths),
    .int32(5, "start_day", \.startDay),
    .uint64(6, "revision", \.revision),
    .int64(7, "updated_at_ms", \.updatedAtMilliseconds))
}

/// Puts a plan in place of the one before.
public struct SetWeightPlanRequest: Message {
  /// Names the revision that was read; 0: there was none.
  public var plan: WeightPlan?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetWeightPlanRequest",
    .message(1, "plan", \.plan))
}

/// Asks for the plan; NOT_FOUND without one.
public struct GetWeightPlanRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetWeightPlanRequest")
}

/// Takes the plan away; done twice is done.
public struct DeleteWeightPlanRequest: Message {
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteWeightPlanRequest",
    .uint64(1, "revision", \.revision))
}

/// There is no plan.
public struct DeleteWeightPlanResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteWeightPlanResponse")
}

/// Asks for the milestones of the plan, and when its goal will be reached.
public struct GetMilestonesRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetMilestonesRequest")
}

/// The multiples of the step strictly between start and goal, then the goal.
public struct GetMilestonesResponse: Message {
  public var plan: WeightPlan?
  /// In the order of the way.
  public var milestones: [WeightMilestone] = []
  /// The first that is not reached; 0: all are.
  public var nextThousandths: Int64 = 0
  /// By Holt's linear trend, rounded up.
  public var predictedDay: Int32?
  /// Why predicted_day is absent.
  public var noPrediction = NoPrediction.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetMilestonesResponse",
    .message(1, "plan", \.plan),
    .messages(2, "milestones", \.milestones),
    .int64(3, "next_thousandths", \.nextThousandths),
    .optionalInt32(4, "predicted_day", \.predictedDay),
    .enum(5, "no_prediction", \.noPrediction))
}

/// A milestone with the first entry, on or after the start day, that was at it or beyond.
public struct WeightMilestone: Message {
  /// In the plan's unit.
  public var thousandths: Int64 = 0
  /// Absent: not reached.
  public var entry: WeightEntry?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WeightMilestone",
    .int64(1, "thousandths", \.thousandths),
    .message(2, "entry", \.entry))
}

/// Why no day is predicted.
public struct NoPrediction: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  /// Fewer than 7 days have entries.
  public static let tooFewDays = Self(rawValue: 1)
  /// The trend is zero.
  public static let flat = Self(rawValue: 2)
  /// The trend goes the other way.
  public static let pointsAway = Self(rawValue: 3)
  /// The level, or the last day, is at the goal or beyond.
  public static let goalPassed = Self(rawValue: 4)
  /// More than 730 days.
  public static let tooFarOff = Self(rawValue: 5)

  public static let schema = EnumSchema(
    "quiver.v1.NoPrediction",
    [
      (0, "NO_PREDICTION_UNSPECIFIED"),
      (1, "NO_PREDICTION_TOO_FEW_DAYS"),
      (2, "NO_PREDICTION_FLAT"),
      (3, "NO_PREDICTION_POINTS_AWAY"),
      (4, "NO_PREDICTION_GOAL_PASSED"),
      (5, "NO_PREDICTION_TOO_FAR_OFF"),
    ])
}
