/// Settings in the environment: a prefix and the name of a flag in capitals, with `_` for `-`.
package struct EnvironmentSettings<Values: Sendable> {
  package typealias Flag = ConfigurationFlag<Values>

  private let flags: [Flag]
  private let prefix: String

  /// - Parameter prefix: for example `QUIVERD_`.
  package init(_ flags: [Flag], prefix: String) {
    self.flags = flags.filter { !$0.isCommandLineOnly }
    self.prefix = prefix
  }

  /// The settings of the variables that name a flag. Of a flag that may be repeated the values are
  /// separated by spaces. Other variables are not read, since other programs may have set them.
  func read(_ environment: [String: String]) throws(UsageError) -> [Setting<Values>] {
    var settings: [Setting<Values>] = []
    for flag in flags {
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
  func variable(of flag: Flag) -> String {
    prefix + flag.settingName.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// Variables with the prefix that name no flag, for a warning.
  package func unknown(_ environment: [String: String]) -> [String] {
    let known = Set(flags.map(variable(of:)))
    return environment.keys.filter { $0.hasPrefix(prefix) && !known.contains($0) }
      .filter { $0 != configVariable }.sorted()
  }

  /// The variable that names the configuration file.
  var configVariable: String { prefix + "CONFIG" }
}
