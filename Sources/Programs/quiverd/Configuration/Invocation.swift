import QuiverCommandLine
import QuiverDaemon

/// What the arguments ask for.
enum Invocation: Equatable {
  case serve(Configuration)
  /// Creates a data directory with a database.
  case initialize(Configuration)
  case adminToken(dataDirectory: String, database: String? = nil)
  /// Copies a store of SQLite to a database of PostgreSQL, or back.
  case migrate(dataDirectory: String, database: String, toSQLite: Bool = false)
  /// Begins a new epoch of a store.
  case newEpoch(dataDirectory: String, database: String?)
  case restore(file: String, dataDirectory: String, sha256: String? = nil)
  /// Prints each setting with its value and its source.
  case printConfiguration(String)
  case checkConfiguration
  case help
  /// Prints the help in another form.
  case text(String)
  case version

  private enum Command: String, CaseIterable {
    case initialize = "init"
    case adminToken = "admin-token"
    case migrate
    case restore
    case epoch
    case config
  }

  /// Reads the arguments, the program's own name left out, and the environment.
  init(_ arguments: [String], environment: [String: String] = [:]) throws(UsageError) {
    if let text = try Help.program.answer(to: arguments) {
      self = .text(text)
      return
    }
    if arguments.contains(where: { $0 == "--help" || $0 == "-h" || $0 == "help" }) {
      self = .help
      return
    }
    if arguments.contains("--version") {
      self = .version
      return
    }
    let commandLine = try CommandLineSettings(arguments, Flag.all)
    let (words, written) = (commandLine.words, commandLine.settings)
    let settings = try Settings(commandLine: written, environment: environment)
    guard let first = words.first else {
      self = .serve(try Self.served(settings, environment))
      return
    }
    guard let command = Command(rawValue: first) else {
      throw CommandLineSettings<Configuration>.unknownName(
        first, among: Command.allCases.map(\.rawValue), "command")
    }
    self = try Self.invocation(
      command, Array(words.dropFirst()), written, settings, environment)
  }

  private static func served(
    _ settings: Settings<Configuration>, _ environment: [String: String]
  ) throws(UsageError) -> Configuration {
    guard !settings.hasValue(for: "--sha256") else {
      throw UsageError("--sha256 goes with restore")
    }
    return try settings.configuration(try PassedSockets(environment))
  }

  private static func invocation(
    _ command: Command, _ words: [String], _ written: [Setting<Configuration>],
    _ settings: Settings<Configuration>, _ environment: [String: String]
  ) throws(UsageError) -> Invocation {
    let used = written.map(\.flag.name)
    switch command {
    case .initialize, .adminToken:
      try check(
        used, among: [Flag.configName, Flag.dataName, Flag.databaseName], of: command)
      guard words.isEmpty else { throw UsageError("\(command.rawValue) takes no \(words[0])") }
      let configuration = try settings.values()
      return command == .initialize
        ? .initialize(configuration)
        : .adminToken(
          dataDirectory: configuration.dataDirectory, database: configuration.database)
    case .migrate:
      try check(
        used, among: [Flag.configName, Flag.dataName, Flag.databaseName], of: command)
      let configuration = try settings.values()
      guard [[], ["to-postgresql"], ["to-sqlite"]].contains(words), used.contains(Flag.dataName),
        let database = configuration.database
      else {
        throw UsageError(
          "migrate requires a directory and a database: migrate [to-postgresql|to-sqlite]"
            + " --data DIR --database URL")
      }
      return .migrate(
        dataDirectory: configuration.dataDirectory, database: database,
        toSQLite: words == ["to-sqlite"])
    case .restore:
      try check(used, among: [Flag.configName, Flag.dataName, "--sha256"], of: command)
      guard words.count == 1, used.contains(Flag.dataName) else {
        throw UsageError("restore requires a backup and a directory: restore FILE --data DIR")
      }
      let configuration = try settings.values()
      return .restore(
        file: words[0], dataDirectory: configuration.dataDirectory,
        sha256: configuration.restoreSHA256)
    case .epoch:
      try check(
        used, among: [Flag.configName, Flag.dataName, Flag.databaseName], of: command)
      let configuration = try settings.values()
      guard words == ["new"], used.contains(Flag.dataName) || configuration.database != nil else {
        throw UsageError(
          "epoch requires a directory or a database: epoch new --data DIR [--database URL]")
      }
      return .newEpoch(
        dataDirectory: configuration.dataDirectory, database: configuration.database)
    case .config:
      guard words.count == 1, ["print", "check"].contains(words[0]) else {
        throw UsageError("config takes one of print and check")
      }
      let configuration = try served(settings, environment)
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
}
