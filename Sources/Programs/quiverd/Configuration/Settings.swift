import QuiverDispatch
import QuiverWire

/// All that was written: the command line over the environment over the file over the defaults.
///
/// A name that is set at several places has the values of the first of them.
struct Settings: Sendable {
  /// By the name of their flag; those of one name are of one place.
  private let chosen: [String: [Setting]]
  private let passedSockets: PassedSockets

  /// - Parameters:
  ///   - commandLine: in order; `--config` names the file.
  ///   - environment: of the process.
  init(commandLine: [Setting], environment: [String: String]) throws(UsageError) {
    let file =
      commandLine.last { $0.flag.name == Flag.configName }?.value
      ?? environment[EnvironmentSettings.configVariable].flatMap { $0.isEmpty ? nil : $0 }
    var chosen: [String: [Setting]] = [:]
    let written = [
      try file.map { path throws(UsageError) in try ConfigurationFile.read(path) } ?? [],
      try EnvironmentSettings.read(environment), commandLine,
    ]
    for place in written {
      for (name, settings) in Dictionary(grouping: place, by: { $0.flag.name }) {
        chosen[name] = settings
      }
    }
    self.chosen = chosen
    passedSockets = try PassedSockets(environment)
  }

  /// Whether anything sets the flag.
  func hasValue(for name: String) -> Bool { chosen[name] != nil }

  /// Where the value of a flag was written.
  func source(of flag: Flag) -> SettingSource { chosen[flag.name]?.first?.source ?? .byDefault }

  /// The values together, before they are checked against each other.
  func values() throws(UsageError) -> Configuration {
    var configuration = Configuration()
    for flag in Flag.all {
      for setting in chosen[flag.name] ?? [] where !setting.isOff {
        do throws(UsageError) {
          try flag.apply(setting.value, &configuration)
        } catch {
          throw UsageError(setting.source.errorPrefix + error.description)
        }
      }
    }
    return configuration
  }

  /// The configuration of a server. Throws what does not go together.
  func configuration() throws(UsageError) -> Configuration {
    var configuration = try values()
    if let fault = configuration.limits.validate() {
      let flag = Flag.all.first { "\(fault) ".hasPrefix($0.settingName + " ") }
      throw UsageError((flag.map { source(of: $0).errorPrefix } ?? "") + "--\(fault)")
    }
    configuration.passedSockets = passedSockets.sockets
    let listensByItself = configuration.passedSockets.isEmpty
    if configuration.listen.isEmpty, listensByItself,
      let endpoint = Endpoint(Configuration.defaultEndpoint)
    {
      configuration.listen = [endpoint]
    }
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

  /// Each setting with its value and its source, as lines of a file that says the same.
  func text(_ configuration: Configuration) -> String {
    var lines: [String] = []
    for flag in Flag.all where !flag.isCommandLineOnly {
      let values = flag.show(configuration)
      let source = source(of: flag)
      if values.isEmpty { lines.append("# \(flag.settingName) is not set") }
      for value in values { lines.append("\(flag.settingName) = \(value)  # \(source)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
