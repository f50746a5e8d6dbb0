/// The arguments of a daemon: words, and flags as settings.
package struct CommandLineSettings<Values: Sendable>: Sendable {
  package typealias Flag = ConfigurationFlag<Values>

  package private(set) var words: [String] = []
  package private(set) var settings: [Setting<Values>] = []

  /// Reads the arguments, the program's own name left out.
  package init(_ arguments: [String], _ flags: [Flag]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        words.append(argument)
        continue
      }
      let setting = try Self.setting(argument, &rest, flags)
      let isRepeated = settings.contains { $0.flag.name == setting.flag.name }
      guard !isRepeated || setting.flag.repeats else {
        throw UsageError("\(setting.flag.name) is given twice")
      }
      settings.append(setting)
    }
  }

  /// Reads one flag, whose value may be the next argument.
  private static func setting(
    _ argument: String, _ rest: inout ArraySlice<String>, _ flags: [Flag]
  ) throws(UsageError) -> Setting<Values> {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let flag = flags.first(where: { $0.name == name }) else {
      let known = flags.map(\.name) + FlagHelp.ofEveryProgram.map(\.name)
      throw unknownName(name, among: known, "flag")
    }
    let written = parts.count > 1 ? String(parts[1]) : nil
    guard flag.valueName != nil else {
      guard written == nil else { throw UsageError("\(name) takes no value") }
      return Setting(flag: flag, value: "yes", source: .commandLine)
    }
    guard let value = written ?? rest.popFirst(), !value.isEmpty else {
      throw UsageError("\(name) requires a value: \(flag.usage)")
    }
    return Setting(flag: flag, value: value, source: .commandLine)
  }

  /// The error for a name that does not exist, with a suggestion.
  package static func unknownName(
    _ text: String, among known: [String], _ what: String
  ) -> UsageError {
    let nearest = Spelling.nearest(to: text, among: known)
    return UsageError(
      "there is no \(what) \(text)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
  }
}
