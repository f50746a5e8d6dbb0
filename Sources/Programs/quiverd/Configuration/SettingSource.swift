/// Where a value of the configuration was written, in the order in which they count.
enum SettingSource: Equatable, Sendable, CustomStringConvertible {
  case byDefault
  case file(String, line: Int)
  case environment(String)
  case commandLine

  var description: String {
    switch self {
    case .byDefault: "default"
    case .file(let path, let line): "\(path):\(line)"
    case .environment(let name): name
    case .commandLine: "command line"
    }
  }

  /// What begins an error about a value that was written there.
  var errorPrefix: String {
    switch self {
    case .file, .environment: "\(self): "
    case .byDefault, .commandLine: ""
    }
  }
}

/// A value of a flag, and where it was written.
struct Setting: Sendable {
  let flag: Flag
  /// `yes` or `no` for a flag without a value.
  let value: String
  let source: SettingSource

  /// The flag has no value, and is not to have its effect.
  var isOff: Bool { flag.valueName == nil && value == "no" }
}
