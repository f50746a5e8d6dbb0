/// What the arguments ask for.
enum Invocation: Equatable {
  case serve(Configuration)
  /// Creates a data directory with a database.
  case initialize(Configuration)
  case adminToken(dataDirectory: String)
  case restore(file: String, dataDirectory: String, sha256: String? = nil)
  /// Prints each setting with its value and its source.
  case printConfiguration(String)
  case checkConfiguration
  case help
  case version

  private enum Command: String, CaseIterable {
    case initialize = "init"
    case adminToken = "admin-token"
    case restore
    case config
  }

  /// Reads the arguments, the program's own name left out, and the environment.
  init(_ arguments: [String], environment: [String: String] = [:]) throws(UsageError) {
    if arguments.contains(where: { $0 == "--help" || $0 == "-h" || $0 == "help" }) {
      self = .help
      return
    }
    if arguments.contains("--version") {
      self = .version
      return
    }
    var words: [String] = []
    var written: [Setting] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument.hasPrefix("-") {
        let setting = try Self.setting(argument, &rest)
        let isRepeated = written.contains { $0.flag.name == setting.flag.name }
        guard !isRepeated || setting.flag.repeats else {
          throw UsageError("\(setting.flag.name) is given twice")
        }
        written.append(setting)
      } else {
        words.append(argument)
      }
    }
    let settings = try Settings(commandLine: written, environment: environment)
    guard let first = words.first else {
      self = .serve(try Self.served(settings))
      return
    }
    guard let command = Command(rawValue: first) else {
      throw Self.unknown(first, among: Command.allCases.map(\.rawValue), "command")
    }
    self = try Self.invocation(command, Array(words.dropFirst()), written, settings)
  }

  private static func served(_ settings: Settings) throws(UsageError) -> Configuration {
    guard !settings.hasValue(for: "--sha256") else {
      throw UsageError("--sha256 goes with restore")
    }
    return try settings.configuration()
  }

  private static func invocation(
    _ command: Command, _ words: [String], _ written: [Setting], _ settings: Settings
  ) throws(UsageError) -> Invocation {
    let used = written.map(\.flag.name)
    switch command {
    case .initialize, .adminToken:
      try check(used, among: [Flag.configName, Flag.dataName], of: command)
      guard words.isEmpty else { throw UsageError("\(command.rawValue) takes no \(words[0])") }
      let configuration = try settings.values()
      return command == .initialize
        ? .initialize(configuration) : .adminToken(dataDirectory: configuration.dataDirectory)
    case .restore:
      try check(used, among: [Flag.configName, Flag.dataName, "--sha256"], of: command)
      guard words.count == 1, used.contains(Flag.dataName) else {
        throw UsageError("restore requires a backup and a directory: restore FILE --data DIR")
      }
      let configuration = try settings.values()
      return .restore(
        file: words[0], dataDirectory: configuration.dataDirectory,
        sha256: configuration.restoreSHA256)
    case .config:
      guard words.count == 1, ["print", "check"].contains(words[0]) else {
        throw UsageError("config takes one of print and check")
      }
      let configuration = try served(settings)
      return words[0] == "print"
        ? .printConfiguration(settings.text(configuration)) : .checkConfiguration
    }
  }

  private static func check(
    _ used: [String], among known: [String], of command: Command
  ) throws(UsageError) {
    if let other = used.first(where: { !known.contains($0) }) {
      throw UsageError("\(command.rawValue) takes --data DIR and no \(other)")
    }
  }

  /// Reads one flag, whose value may be the next argument.
  private static func setting(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Setting {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let flag = Flag.all.first(where: { $0.name == name }) else {
      throw unknown(name, among: Flag.all.map(\.name) + ["--help", "--version"], "flag")
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

  private static func unknown(
    _ text: String, among known: [String], _ what: String
  ) -> UsageError {
    let nearest = Spelling.nearest(to: text, among: known)
    return UsageError(
      "there is no \(what) \(text)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
  }
}
