/// One flag of a daemon, which is a setting of its configuration file too: its name, its help and
/// its effect on a value of `Values`.
package struct ConfigurationFlag<Values: Sendable>: Sendable {
  package let name: String
  /// The name of its value in the help; nil if it has no value. `a|b` are all values.
  package let valueName: String?
  package let help: String
  /// Where it may be written and when it has its effect.
  package let traits: FlagTraits
  package let apply: @Sendable (String, inout Values) throws(UsageError) -> Void
  /// Its values in a configuration, as they may be written; none: it is not set.
  package private(set) var show: @Sendable (Values) -> [String] = { _ in [] }

  package init(
    _ name: String, _ valueName: String?, _ help: String, _ traits: FlagTraits = [],
    _ apply: @escaping @Sendable (String, inout Values) throws(UsageError) -> Void
  ) {
    self.name = name
    self.valueName = valueName
    self.help = help
    self.traits = traits
    self.apply = apply
  }

  /// The same, which shows its values in a configuration in this way.
  package func shown(_ show: @escaping @Sendable (Values) -> [String]) -> Self {
    var flag = self
    flag.show = show
    return flag
  }

  package var repeats: Bool { traits.contains(.repeats) }
  package var isCommandLineOnly: Bool { traits.contains(.commandLineOnly) }
  package var isReloadable: Bool { traits.contains(.reloadable) }

  /// The usage in the help, for example `--data DIR`.
  package var usage: String { valueName.map { "\(name) \($0)" } ?? name }

  /// The name in a file, for example `data`.
  package var settingName: String { String(name.dropFirst(2)) }

  /// The usage in a file, for example `data = DIR`.
  package var fileUsage: String { "\(settingName) = \(valueName ?? "yes or no")" }

  /// The flag as the help describes it.
  package var described: FlagHelp { FlagHelp(name, valueName, help) }

  /// Throws if the flag has no value and the text is neither yes nor no.
  func checkWritten(_ value: String, at source: SettingSource) throws(UsageError) {
    guard valueName == nil, value != "yes", value != "no" else { return }
    throw UsageError("\(source): \(settingName) takes yes or no")
  }

  /// The name of the flag that names a configuration file.
  package static var configName: String { "--config" }
}

/// Where a flag may be written and when it has its effect.
package struct FlagTraits: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// It may be given several times.
  package static let repeats = Self(rawValue: 1)
  /// It is not allowed in a file or in the environment.
  package static let commandLineOnly = Self(rawValue: 2)
  /// A running program takes a new value on SIGHUP.
  package static let reloadable = Self(rawValue: 4)
}
