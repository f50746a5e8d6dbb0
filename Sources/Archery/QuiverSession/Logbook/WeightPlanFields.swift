import QuiverAPI
import QuiverProtobuf
import QuiverRules

/// Weight plans as values of the rules.
enum WeightPlanFields {
  /// The plan in the form that the server stores; throws the rule that it violates.
  static func normalized(_ object: DynamicMessage) throws(SessionError) -> DynamicMessage {
    guard let plan = try plan(object.serializedBytes()).milestonePlan else {
      throw SessionError(.invalid, "must be pound or kilogram", field: "plan.unit")
    }
    do throws(RuleViolation) {
      _ = try plan.validated(prefix: "plan")
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
    return object
  }

  static func plan(_ bytes: [UInt8]) throws(SessionError) -> WeightPlan {
    do throws(DecodeError) {
      return try WeightPlan(serializedBytes: bytes)
    } catch {
      throw .unreadable("a weight plan")
    }
  }
}

extension WeightPlan {
  /// The plan as a value of the rules; nil for an unknown unit.
  var milestonePlan: MilestonePlan? {
    MassUnit(rawValue: unit.rawValue).map { unit in
      MilestonePlan(
        unit: unit, startThousandths: startThousandths, goalThousandths: goalThousandths,
        stepThousandths: stepThousandths, startDay: startDay)
    }
  }
}
