import QuiverRules

/// The rule of a principal's name.
enum DisplayName {
  /// The name as it is stored, without white space at its ends.
  ///
  /// Throws `invalidArgument` for one that is blank or too long; an empty one may be no name.
  static func stored(
    _ name: String, mayBeEmpty: Bool, field: String
  ) throws(StoreError) -> String {
    if mayBeEmpty, name.isEmpty { return name }
    let trimmed = name.trimmingWhitespace
    let length = trimmed.unicodeScalars.count
    guard length >= 1, length <= TextLimits.displayNameLength else {
      throw .invalid(
        field, "must have 1 to \(TextLimits.displayNameLength) characters")
    }
    return trimmed
  }
}
