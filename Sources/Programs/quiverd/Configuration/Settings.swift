import QuiverCommandLine
import QuiverDaemon
import QuiverDispatch
import QuiverStore
import QuiverWire

extension Settings where Values == Configuration {
  static var environmentPrefix: String { "QUIVERD_" }

  /// - Parameters:
  ///   - commandLine: in order; `--config` names the file.
  ///   - environment: of the process.
  init(
    commandLine: [Setting<Configuration>], environment: [String: String]
  ) throws(UsageError) {
    try self.init(
      Flag.all, commandLine: commandLine, environment: environment,
      prefix: Self.environmentPrefix)
  }

  /// The values together, before they are checked against each other.
  func values() throws(UsageError) -> Configuration { try values(Configuration()) }

  /// The configuration of a server. Throws what does not go together.
  func configuration(_ passed: PassedSockets) throws(UsageError) -> Configuration {
    var configuration = try values()
    if let fault = configuration.limits.validate() {
      let flag = Flag.all.first { "\(fault) ".hasPrefix($0.settingName + " ") }
      throw UsageError((flag.map { source(of: $0).errorPrefix } ?? "") + "--\(fault)")
    }
    configuration.passedSockets = passed.sockets
    let listensByItself = configuration.passedSockets.isEmpty
    if configuration.listen.isEmpty, listensByItself,
      let endpoint = Endpoint(Configuration.defaultEndpoint)
    {
      configuration.listen = [endpoint]
    }
    if configuration.readDatabase != nil, configuration.database == nil {
      throw UsageError("--read-database needs --database: it is a replica of that one")
    }
    if configuration.database != nil, !configuration.backups.directory.isEmpty {
      throw UsageError(
        "--backup-directory is for SQLite; back a database of PostgreSQL up with its own tools")
    }
    try configuration.web.validate()
    let security = try configuration.tls.serverConfiguration()
    let secure = configuration.listen.first(where: \.isSecure)
    if let secure, security == nil {
      throw UsageError("--listen \(secure) needs --tls-certificate FILE and --tls-key FILE")
    }
    if configuration.passedSockets.contains(where: \.isSecure), security == nil {
      throw UsageError("the socket named tls needs --tls-certificate FILE and --tls-key FILE")
    }
    if secure == nil, security != nil, !configuration.passedSockets.contains(where: \.isSecure) {
      throw UsageError(
        "--tls-certificate is for a listener with TLS: give one, --listen tls://HOST:PORT")
    }
    return configuration
  }
}
