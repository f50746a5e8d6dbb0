/// What one field of an item of equipment holds.
public enum EquipmentValue: Sendable, Hashable {
  /// Nothing: an empty text, an unspecified enum, an optional that is not set.
  case absent
  /// Text.
  case text(String)
  /// A measure.
  case real(Double)
  /// A whole number, the number of an enum's value, or a civil day.
  case integer(Int64)

  var isAbsent: Bool { if case .absent = self { true } else { false } }
}
