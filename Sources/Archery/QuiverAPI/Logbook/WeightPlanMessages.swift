public import QuiverProtobuf

/// A plan from a start weight to a goal.
public struct WeightPlan: Message {
  /// The unit of the three weights; required.
  public var unit = WeightUnit.unspecified
  /// The start weight in thousandths of the unit.
  public var startThousandths: Int64 = 0
  /// The goal in thousandths of the unit; different from the start.
  public var goalThousandths: Int64 = 0
  /// The distance of milestones in thousandths of the unit: 5, 10 or 15 lb; 2, 5 or 7 kg.
  public var stepThousandths: Int64 = 0
  /// The civil day of the start, in days since 1970-01-01; earlier entries do not count.
  public var startDay: Int32 = 0
  /// The revision of the plan, from 1, which continues after a deleted plan; 0: there is none.
  public var revision: UInt64 = 0
  /// The time of the last change, in milliseconds since 1970-01-01 UTC.
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

/// Replaces the plan.
public struct SetWeightPlanRequest: Message {
  /// The new plan, with the revision that was read; 0: there was none, or it was deleted.
  public var plan: WeightPlan?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetWeightPlanRequest",
    .message(1, "plan", \.plan))
}

/// Requests the plan; NOT_FOUND without one.
public struct GetWeightPlanRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetWeightPlanRequest")
}

/// Deletes the plan. Deleting a deleted plan changes nothing.
public struct DeleteWeightPlanRequest: Message {
  /// The revision that was read; 0 accepts any revision. If the object has another one, the call is
  /// ABORTED with the current object as a detail.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteWeightPlanRequest",
    .uint64(1, "revision", \.revision))
}

/// The plan was deleted.
public struct DeleteWeightPlanResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteWeightPlanResponse")
}

/// Requests the milestones of the plan, and the predicted day of its goal.
public struct GetMilestonesRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetMilestonesRequest")
}

/// The milestones of the plan: the multiples of the step strictly between start and goal, then the
/// goal.
public struct GetMilestonesResponse: Message {
  /// The plan.
  public var plan: WeightPlan?
  /// The milestones in the order from start to goal.
  public var milestones: [WeightMilestone] = []
  /// The first milestone that is not reached, in thousandths of the plan's unit; 0: all are
  /// reached.
  public var nextThousandths: Int64 = 0
  /// The day on which Holt's linear trend reaches the goal, rounded up, in days since 1970-01-01;
  /// nil: no prediction.
  public var predictedDay: Int32?
  /// The reason why ``predictedDay`` is nil.
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
  /// The weight in thousandths of the plan's unit.
  public var thousandths: Int64 = 0
  /// The entry that reached it; nil: not reached.
  public var entry: WeightEntry?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WeightMilestone",
    .int64(1, "thousandths", \.thousandths),
    .message(2, "entry", \.entry))
}

/// The reason why no day is predicted.
public struct NoPrediction: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Fewer than 7 days have entries.
  public static let tooFewDays = Self(rawValue: 1)
  /// The trend is zero.
  public static let flat = Self(rawValue: 2)
  /// The trend goes away from the goal.
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
