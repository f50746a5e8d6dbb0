extension StrengthSet {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The set as a line of a log, with its line end; the weight is converted to `unit`.
  public func line(in unit: MassUnit) -> String {
    let date = CivilDate(dayNumber: day)
    let month = Self.months[Int(date.month) - 1]
    let dayText = date.day < 10 ? "0\(date.day)" : "\(date.day)"
    let year = String(String(10_000 + date.year).suffix(4))
    var fields = ["\(month) \(dayText) \(year)", Self.quoted(exercise.text)]
    if sets != 0 { fields.append(String(sets)) }
    fields.append(String(repetitions))
    fields.append(PlainDecimal.text(self.unit.converted(weight, to: unit)))
    return fields.joined(separator: ",") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C }) else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
