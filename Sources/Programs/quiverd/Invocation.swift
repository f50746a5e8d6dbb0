import QuiverDispatch
import QuiverWire

/// What the arguments ask for.
enum Invocation: Equatable {
  case serve(Configuration)
  case adminToken(dataDirectory: String)
  case restore(file: String, dataDirectory: String, sha256: String? = nil)
  case help
  case version

  private static let adminTokenCommand = "admin-token"
  private static let restoreCommand = "restore"

  /// Reads the arguments, the program's own name left out.
  init(_ arguments: [String]) throws(UsageError) {
    if arguments.contains(where: { $0 == "--help" || $0 == "-h" || $0 == "help" }) {
      self = .help
      return
    }
    if arguments.contains("--version") {
      self = .version
      return
    }
    var configuration = Configuration()
    var command: String?
    var file: String?
    var used: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        if command == Self.restoreCommand, file == nil {
          file = argument
          continue
        }
        let known = [Self.adminTokenCommand, Self.restoreCommand]
        guard command == nil, known.contains(argument) else {
          throw Self.unknown(argument, among: known, "command")
        }
        command = argument
        continue
      }
      used.append(try Self.apply(argument, &rest, to: &configuration))
    }
    if let command {
      self = try Self.invocation(command, file, used, configuration)
      return
    }
    guard configuration.restoreSHA256 == nil else {
      throw UsageError("--sha256 goes with restore")
    }
    if let fault = configuration.limits.validate() { throw UsageError("--\(fault)") }
    if configuration.listen.isEmpty, let endpoint = Endpoint(Configuration.defaultEndpoint) {
      configuration.listen = [endpoint]
    }
    let security = try configuration.tls.serverConfiguration()
    let secure = configuration.listen.first(where: \.isSecure)
    if let secure, security == nil {
      throw UsageError("--listen \(secure) needs --tls-certificate FILE and --tls-key FILE")
    }
    if secure == nil, security != nil {
      throw UsageError(
        "--tls-certificate is for a listener with TLS: give one, --listen tls://HOST:PORT")
    }
    self = .serve(configuration)
  }

  /// What a command's words ask for.
  private static func invocation(
    _ command: String, _ file: String?, _ used: [String], _ configuration: Configuration
  ) throws(UsageError) -> Invocation {
    let known = command == restoreCommand ? ["--data", "--sha256"] : ["--data"]
    if let other = used.first(where: { !known.contains($0) }) {
      throw UsageError("\(command) takes --data DIR and no \(other)")
    }
    guard command == restoreCommand else {
      return .adminToken(dataDirectory: configuration.dataDirectory)
    }
    guard let file, used.contains("--data") else {
      throw UsageError("restore requires a backup and a directory: restore FILE --data DIR")
    }
    return .restore(
      file: file, dataDirectory: configuration.dataDirectory, sha256: configuration.restoreSHA256)
  }

  /// Applies one flag, whose value may be the next argument; answers its name.
  private static func apply(
    _ argument: String, _ rest: inout ArraySlice<String>, to configuration: inout Configuration
  ) throws(UsageError) -> String {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let flag = Flag.all.first(where: { $0.name == name }) else {
      throw unknown(name, among: Flag.all.map(\.name) + ["--help", "--version"], "flag")
    }
    let written = parts.count > 1 ? String(parts[1]) : nil
    guard flag.valueName != nil else {
      guard written == nil else { throw UsageError("\(name) takes no value") }
      try flag.apply("", &configuration)
      return name
    }
    guard let value = written ?? rest.popFirst(), !value.isEmpty else {
      throw UsageError("\(name) requires a value: \(flag.usage)")
    }
    try flag.apply(value, &configuration)
    return name
  }

  private static func unknown(
    _ text: String, among known: [String], _ what: String
  ) -> UsageError {
    let nearest = Spelling.nearest(to: text, among: known)
    return UsageError(
      "there is no \(what) \(text)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
  }
}
