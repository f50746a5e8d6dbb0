/// All that was written: the command line over the environment over the file over the defaults.
///
/// A name that is set at several places has the values of the first of them.
package struct Settings<Values: Sendable>: Sendable {
  package typealias Flag = ConfigurationFlag<Values>

  private let flags: [Flag]
  /// By the name of their flag; those of one name are of one place.
  private let chosen: [String: [Setting<Values>]]

  /// - Parameters:
  ///   - flags: all that there are.
  ///   - commandLine: in order; `--config` names the file.
  ///   - environment: of the process.
  ///   - prefix: of the variables that are settings, for example `QUIVERD_`.
  package init(
    _ flags: [Flag], commandLine: [Setting<Values>], environment: [String: String], prefix: String
  ) throws(UsageError) {
    self.flags = flags
    let variables = EnvironmentSettings(flags, prefix: prefix)
    let file =
      commandLine.last { $0.flag.name == Flag.configName }?.value
      ?? environment[variables.configVariable].flatMap { $0.isEmpty ? nil : $0 }
    var chosen: [String: [Setting<Values>]] = [:]
    let written = [
      try file.map { path throws(UsageError) in try ConfigurationFile(flags).read(path) } ?? [],
      try variables.read(environment), commandLine,
    ]
    for place in written {
      for (name, settings) in Dictionary(grouping: place, by: { $0.flag.name }) {
        chosen[name] = settings
      }
    }
    self.chosen = chosen
  }

  /// Whether anything sets the flag.
  package func hasValue(for name: String) -> Bool { chosen[name] != nil }

  /// Where the value of a flag was written.
  package func source(of flag: Flag) -> SettingSource {
    chosen[flag.name]?.first?.source ?? .byDefault
  }

  /// `defaults` with all values, before they are checked against each other.
  package func values(_ defaults: Values) throws(UsageError) -> Values {
    var values = defaults
    for flag in flags {
      for setting in chosen[flag.name] ?? [] where !setting.isOff {
        do throws(UsageError) {
          try flag.apply(setting.value, &values)
        } catch {
          throw UsageError(setting.source.errorPrefix + error.description)
        }
      }
    }
    return values
  }

  /// Each setting with its value and its source, as lines of an equivalent file.
  package func text(_ values: Values) -> String {
    var lines: [String] = []
    for flag in flags where !flag.isCommandLineOnly {
      let shown = flag.show(values)
      let source = source(of: flag)
      if shown.isEmpty { lines.append("# \(flag.settingName) is not set") }
      for value in shown { lines.append("\(flag.settingName) = \(value)  # \(source)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
