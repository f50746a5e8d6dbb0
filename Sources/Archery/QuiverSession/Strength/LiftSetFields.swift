import QuiverAPI
import QuiverProtobuf
import QuiverRules

/// Strength sets as values of the rules.
enum LiftSetFields {
  /// The set in the form that the server stores; throws the rule that it violates.
  static func normalized(_ object: DynamicMessage) throws(SessionError) -> DynamicMessage {
    var message = try set(object.serializedBytes())
    guard let name = ExerciseName(message.exercise) else {
      throw SessionError(
        .invalid, "must have 1 to \(TextLimits.nameLength) characters on one line",
        field: "set.exercise")
    }
    guard let unit = QuiverRules.WeightUnit(rawValue: message.unit.rawValue) else {
      throw SessionError(.invalid, "must be pound or kilogram", field: "set.unit")
    }
    guard message.sets != 0 else {
      throw SessionError(.invalid, "must be from 1 to 100, or absent", field: "set.sets")
    }
    let content = StrengthSet(
      day: message.day, exercise: name, sets: Int32(clamping: message.sets ?? 0),
      repetitions: Int32(clamping: message.repetitions), weight: message.weight, unit: unit)
    do throws(RuleViolation) {
      message.weight = try content.validated(prefix: "set").weight
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
    message.exercise = name.text
    return try decoded(QuiverAPI.LiftSet.schema.core, message.serializedBytes())
  }

  static func set(_ bytes: [UInt8]) throws(SessionError) -> QuiverAPI.LiftSet {
    do throws(DecodeError) {
      return try QuiverAPI.LiftSet(serializedBytes: bytes)
    } catch {
      throw .unreadable("a strength set")
    }
  }
}
