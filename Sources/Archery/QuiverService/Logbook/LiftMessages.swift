import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension QuiverAPI.LiftSet: ObjectMessage {
  /// The proto field that holds a set.
  static let fieldName = "set"

  init(_ record: LiftSetRecord) {
    self.init()
    id = record.id
    clientID = record.clientID
    revision = record.revision
    createdAtMilliseconds = record.createdAtMilliseconds
    updatedAtMilliseconds = record.updatedAtMilliseconds
    day = record.set.day
    exercise = record.set.exercise.text
    sets = record.set.sets == 0 ? nil : UInt32(clamping: record.set.sets)
    repetitions = UInt32(clamping: record.set.repetitions)
    weight = record.set.weight
    unit = record.set.unit.message
    oneRepMax = record.set.oneRepMax(.brzycki, in: record.set.unit)
    lowConfidence = record.set.isLowConfidence
  }

  /// The archer's fields that `mask` names; all fields without a mask.
  func content(mask: Set<String>? = nil) throws -> QuiverRules.LiftSet {
    let path = Self.fieldName + "."
    func isNamed(_ field: String) -> Bool { mask?.contains(field) ?? true }
    let name = ExerciseName(isNamed("exercise") ? exercise : "x")
    guard let name else {
      throw RPCError.invalid(
        path + "exercise", "must have 1 to \(TextLimits.nameLength) characters on one line")
    }
    guard sets != 0 || !isNamed("sets") else {
      throw RPCError.invalid(path + "sets", "must be from 1 to 100, or absent")
    }
    let unit = isNamed("unit") ? try WeightUnit.given(unit, field: path + "unit") : .pound
    return QuiverRules.LiftSet(
      day: day, exercise: name, sets: Int32(clamping: sets ?? 0),
      repetitions: Int32(clamping: repetitions), weight: weight, unit: unit)
  }

  private typealias WeightUnit = QuiverRules.WeightUnit
}

extension LiftPoint {
  init(_ record: LiftDayRecord, in unit: QuiverRules.WeightUnit) {
    self.init()
    let lift = record.record.set
    day = lift.day
    oneRepMax = record.oneRepMax
    epley = lift.oneRepMax(.epley, in: unit) ?? 0
    lombardi = lift.oneRepMax(.lombardi, in: unit) ?? 0
    lowConfidence = lift.isLowConfidence
    set = QuiverAPI.LiftSet(record.record)
  }
}
