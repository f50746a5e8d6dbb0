/// The texts of a bow setup.
public enum BowSetupText {
  /// What stands for a name that is empty.
  public static let unnamed = "Unnamed setup"

  /// A name as it is stored; empty is none, and one of white space alone is refused.
  public static func name(_ text: String, path: String) throws(RuleViolation) -> String {
    let trimmed = try TextLimits.checked(text, length: TextLimits.nameLength, path: path)
    guard text.isEmpty || !trimmed.isEmpty else {
      throw RuleViolation(field: path, message: "must not be blank; leave it out for no name")
    }
    return trimmed
  }

  /// What a setup of that name is shown as.
  public static func displayName(_ name: String) -> String { name.isEmpty ? unnamed : name }

  /// By what setups of that name are sorted.
  public static func sortKey(_ name: String) -> String { displayName(name).lowercased() }

  /// The name of a copy, cut to the room there is.
  public static func copyName(of name: String) -> String {
    let suffix = " (copy)"
    let room = TextLimits.nameLength - suffix.unicodeScalars.count
    return String(String.UnicodeScalarView(displayName(name).unicodeScalars.prefix(room))) + suffix
  }
}
