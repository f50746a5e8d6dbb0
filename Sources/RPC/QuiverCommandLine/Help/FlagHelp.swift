/// One flag as a help describes it.
package struct FlagHelp: Sendable, Equatable {
  /// For example `--listen` or `-d`.
  package let name: String
  /// A shorter form, for example `-v`; nil: there is none.
  package let shortName: String?
  /// The name of its value; nil if it has none. `a|b` are all values.
  package let valueName: String?
  package let isValueOptional: Bool
  package let help: String

  package init(
    _ name: String, _ valueName: String?, _ help: String, shortName: String? = nil,
    isValueOptional: Bool = false
  ) {
    self.name = name
    self.shortName = shortName
    self.valueName = valueName
    self.isValueOptional = isValueOptional
    self.help = help
  }

  /// What may be written, for example `--data DIR`.
  package var usage: String {
    guard let valueName else { return name }
    return isValueOptional ? "\(name) [\(valueName)]" : "\(name) \(valueName)"
  }

  /// What a shell completes as the value.
  enum Value: Equatable {
    /// It has no value, or one that need not be given.
    case none
    case file, directory
    case choice([String])
    /// Something that only the user knows.
    case other
  }

  var value: Value {
    guard let valueName, !isValueOptional else { return .none }
    if valueName.contains("|") { return .choice(valueName.split(separator: "|").map(String.init)) }
    switch valueName {
    case "FILE": return .file
    case "DIR": return .directory
    default: return .other
    }
  }

  /// The flags that every program has.
  package static let ofEveryProgram = [
    FlagHelp("--help", nil, "print this; also -h", shortName: "-h"),
    FlagHelp(
      "--help-as", "man|bash|zsh|fish",
      "print this as a manual page, or as the completions of a shell"),
    FlagHelp("--version", nil, "print the version"),
  ]
}
