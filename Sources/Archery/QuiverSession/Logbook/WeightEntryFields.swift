import QuiverAPI
import QuiverProtobuf
import QuiverRules

/// Weight entries as values of the rules.
enum WeightEntryFields {
  /// The entry in the form that the server stores; throws the rule that it violates.
  static func normalized(_ object: DynamicMessage) throws(SessionError) -> DynamicMessage {
    var entry = try entry(object.serializedBytes())
    guard let day = entry.day else {
      throw SessionError(.invalid, "must be given", field: "weight_entry.day")
    }
    let content = WeightEntryContent(
      day: day, thousandths: entry.thousandths,
      unit: QuiverRules.WeightUnit(rawValue: entry.unit.rawValue), note: entry.note,
      bodyFatPercent: entry.bodyFatPercent)
    do throws(RuleViolation) {
      entry.note = try content.validated(prefix: "weight_entry").note
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
    return try decoded(WeightEntry.schema.core, entry.serializedBytes())
  }

  static func entry(_ bytes: [UInt8]) throws(SessionError) -> WeightEntry {
    do throws(DecodeError) {
      return try WeightEntry(serializedBytes: bytes)
    } catch {
      throw .unreadable("a weight entry")
    }
  }
}
