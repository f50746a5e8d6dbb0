extension EquipmentField {
  /// The value in its stored form, or what is wrong with it; `prefix` is the path of the item in
  /// the request.
  func normalized(
    _ value: EquipmentValue, prefix: String
  ) throws(RuleViolation) -> EquipmentValue {
    var path: String { "\(prefix).\(name)" }
    let value = trimmed(value)
    if value == .absent {
      guard !isRequired else { throw RuleViolation(field: path, message: "must be given") }
      return .absent
    }
    guard let complaint = complaint(about: value) else { return value }
    throw RuleViolation(field: path, message: complaint)
  }

  /// Trims texts; a default value of proto3 is absent.
  private func trimmed(_ value: EquipmentValue) -> EquipmentValue {
    switch (value, content) {
    case (.text(let text), _):
      let text = text.trimmingWhitespace
      return text.isEmpty ? .absent : .text(text)
    case (.integer(0), .enumeration):
      return .absent
    case (.real(let number), _) where number == 0:
      return .real(0)  // Minus zero would be another content with the same meaning.
    default:
      return value
    }
  }

  private func complaint(about value: EquipmentValue) -> String? {
    switch (value, content) {
    case (.text(let text), .text(let maximumLength)):
      return TextLimits.complaint(about: text, length: maximumLength)
    case (.real(let number), .real(let range, let excludesLowerBound)):
      let isAbove = !excludesLowerBound || number > range.lowerBound
      if range.contains(number) && isAbove { return nil }
      return excludesLowerBound
        ? "must be above \(range.lowerBound) and at most \(range.upperBound)"
        : "must be from \(range.lowerBound) to \(range.upperBound)"
    case (.integer(let number), .integer(let range)):
      return range.contains(number)
        ? nil : "must be from \(range.lowerBound) to \(range.upperBound)"
    case (.integer(let number), .enumeration(let labels)):
      return number >= 1 && number <= Int64(labels.count)
        ? nil : "must be one of the \(labels.count) values of its enum"
    case (.integer(let number), .day):
      let isDay = Self.dayRange.contains(Int32(clamping: number))
      return isDay ? nil : "must be a day of the years 1 to 9999"
    default:
      return "must be of its own kind"
    }
  }
}
