/// Settings in the environment: `QUIVERD_` and the name of a flag in capitals, with `_` for `-`.
enum EnvironmentSettings {
  static let prefix = "QUIVERD_"

  /// The settings of the variables that name a flag. Of a flag that may be repeated the values are
  /// separated by spaces. Other variables are not read, since other programs may have set them.
  static func read(_ environment: [String: String]) throws(UsageError) -> [Setting] {
    var settings: [Setting] = []
    for flag in Flag.all where !flag.isCommandLineOnly {
      let name = variable(of: flag)
      guard let text = environment[name], !text.isEmpty else { continue }
      let source = SettingSource.environment(name)
      let values = flag.repeats ? text.split(separator: " ").map(String.init) : [text]
      for value in values {
        try flag.checkWritten(value, at: source)
        settings.append(Setting(flag: flag, value: value, source: source))
      }
    }
    return settings
  }

  /// The variable of a flag, for example `QUIVERD_LISTEN`.
  static func variable(of flag: Flag) -> String {
    prefix + flag.settingName.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// Variables with the prefix that name no flag, for a warning.
  static func unknown(_ environment: [String: String]) -> [String] {
    let known = Set(Flag.all.filter { !$0.isCommandLineOnly }.map(variable(of:)))
    return environment.keys.filter { $0.hasPrefix(prefix) && !known.contains($0) }
      .filter { $0 != configVariable }.sorted()
  }

  static let configVariable = prefix + "CONFIG"
}
