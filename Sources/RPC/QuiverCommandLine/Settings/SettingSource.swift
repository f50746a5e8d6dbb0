/// The source of a value of the configuration, in the order of precedence.
package enum SettingSource: Equatable, Sendable, CustomStringConvertible {
  case byDefault
  case file(String, line: Int)
  case environment(String)
  case commandLine

  package var description: String {
    switch self {
    case .byDefault: "default"
    case .file(let path, let line): "\(path):\(line)"
    case .environment(let name): name
    case .commandLine: "command line"
    }
  }

  /// What begins an error about a value that was written there.
  package var errorPrefix: String {
    switch self {
    case .file, .environment: "\(self): "
    case .byDefault, .commandLine: ""
    }
  }
}

/// A value of a flag, and where it was written.
package struct Setting<Values: Sendable>: Sendable {
  package let flag: ConfigurationFlag<Values>
  /// `yes` or `no` for a flag without a value.
  package let value: String
  package let source: SettingSource

  package init(flag: ConfigurationFlag<Values>, value: String, source: SettingSource) {
    self.flag = flag
    self.value = value
    self.source = source
  }

  /// The flag has no value, and is not to have its effect.
  var isOff: Bool { flag.valueName == nil && value == "no" }
}
