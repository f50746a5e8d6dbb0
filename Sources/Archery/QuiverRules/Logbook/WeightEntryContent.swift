/// What an archer has written of one weighing.
public struct WeightEntryContent: Sendable, Equatable {
  /// The civil day, since 1970-01-01.
  public var day: Int32
  /// Thousandths of ``unit``.
  public var thousandths: Int64
  /// Nil is none, which no entry can have.
  public var unit: MassUnit?
  /// Free text; at most 4,000 characters.
  public var note: String
  /// Nil is unknown.
  public var bodyFatPercent: Double?

  /// The body fat that is allowed, in percent.
  public static let bodyFatRange = 1.0...75

  /// Creates a value; each parameter is the property of its name.
  public init(
    day: Int32 = 0, thousandths: Int64 = 0, unit: MassUnit? = nil, note: String = "",
    bodyFatPercent: Double? = nil
  ) {
    self.day = day
    self.thousandths = thousandths
    self.unit = unit
    self.note = note
    self.bodyFatPercent = bodyFatPercent
  }

  /// The same in the form that is stored, or the first rule that it breaks.
  ///
  /// `prefix` is the path of the entry in the request, as in `weight_entry`.
  public func validated(prefix: String) throws(RuleViolation) -> WeightEntryContent {
    guard let unit else {
      throw RuleViolation(field: prefix + ".unit", message: "must be pound or kilogram")
    }
    let range = unit.bodyWeightRange
    guard range.contains(thousandths) else {
      throw RuleViolation(
        field: prefix + ".thousandths",
        message: "must be from \(range.lowerBound) to \(range.upperBound) in \(unit.symbol)")
    }
    guard CivilDate.dayRange.contains(day) else {
      throw RuleViolation(field: prefix + ".day", message: "must be a day of the years 1 to 9999")
    }
    if let bodyFatPercent, !Self.bodyFatRange.contains(bodyFatPercent) {
      throw RuleViolation(
        field: prefix + ".body_fat_percent",
        message:
          "must be from \(Self.bodyFatRange.lowerBound) to \(Self.bodyFatRange.upperBound)")
    }
    var content = self
    content.note = try TextLimits.checked(
      note, length: TextLimits.notesLength, path: prefix + ".note")
    return content
  }

  /// Whether the note is more than Unicode white space.
  public var hasNote: Bool { note.unicodeScalars.contains { !$0.properties.isWhitespace } }
}
