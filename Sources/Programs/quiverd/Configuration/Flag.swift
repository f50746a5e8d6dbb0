import QuiverDispatch
import QuiverObservability

/// One flag, which is a setting of a configuration file too: its name, its help and its effect.
struct Flag: Sendable {
  let name: String
  /// The name of its value in the help; nil if it has no value.
  let valueName: String?
  let help: String
  /// Where it may be written and when it has its effect.
  let traits: Traits
  let apply: @Sendable (String, inout Configuration) throws(UsageError) -> Void
  /// Its values in a configuration, as they may be written; none: it is not set.
  private(set) var show: @Sendable (Configuration) -> [String] = { _ in [] }

  struct Traits: OptionSet, Sendable {
    let rawValue: Int
    /// It may be given several times.
    static var repeats: Self { Self(rawValue: 1) }
    /// It may not stand in a file or in the environment.
    static var commandLineOnly: Self { Self(rawValue: 2) }
    /// A running server takes a new value on SIGHUP.
    static var reloadable: Self { Self(rawValue: 4) }
  }

  init(
    _ name: String, _ valueName: String?, _ help: String, _ traits: Traits = [],
    _ apply: @escaping @Sendable (String, inout Configuration) throws(UsageError) -> Void
  ) {
    self.name = name
    self.valueName = valueName
    self.help = help
    self.traits = traits
    self.apply = apply
  }

  /// The same, which shows its values in a configuration in this way.
  func shown(_ show: @escaping @Sendable (Configuration) -> [String]) -> Flag {
    var flag = self
    flag.show = show
    return flag
  }

  var repeats: Bool { traits.contains(.repeats) }
  var isCommandLineOnly: Bool { traits.contains(.commandLineOnly) }
  var isReloadable: Bool { traits.contains(.reloadable) }

  /// The usage in the help, for example `--data DIR`.
  var usage: String { valueName.map { "\(name) \($0)" } ?? name }

  /// The name in a file, for example `data`.
  var settingName: String { String(name.dropFirst(2)) }

  /// The usage in a file, for example `data = DIR`.
  var fileUsage: String { "\(settingName) = \(valueName ?? "yes or no")" }

  /// Throws if the flag has no value and the text says neither yes nor no.
  func checkWritten(_ value: String, at source: SettingSource) throws(UsageError) {
    guard valueName == nil, value != "yes", value != "no" else { return }
    throw UsageError("\(source): \(settingName) takes yes or no")
  }

  static let all =
    general + logging + TLSOptions.flags + LimitFlag.all.map(\.flag) + StoreBounds.flags

  static let general = [
    config, data, initialize, listen, diagnostics, allowPlaintext, unixPrincipal, compression,
    shards, trustedProxies,
  ]

  static let configName = "--config"
  static let dataName = "--data"

  private static let config = Flag(
    configName, "FILE",
    "read settings from this file: lines with name = value, with the names of the flags without"
      + " dashes, and comments with #; flags count before the environment (QUIVERD_ and the name"
      + " in capitals with _), and that before the file", .commandLineOnly
  ) { (_, _) throws(UsageError) in }
  .shown { _ in [] }

  private static let initialize = Flag(
    "--init", nil, "create the data directory and its database if they are missing",
    .commandLineOnly
  ) { (_, configuration) throws(UsageError) in
    configuration.initializes = true
  }
  .shown { $0.initializes ? ["yes"] : ["no"] }

  private static let listen = Flag(
    "--listen", "HOST:PORT",
    "listen on this address; also [IPv6]:PORT, unix:PATH, and tls://HOST:PORT with TLS; may be"
      + " repeated; port 0 lets the system choose; default \(Configuration.defaultEndpoint)",
    .repeats
  ) { (value, configuration) throws(UsageError) in
    guard let endpoint = Endpoint(value) else {
      throw UsageError("--listen requires HOST:PORT, [IPv6]:PORT, tls://HOST:PORT or unix:PATH")
    }
    configuration.listen.append(endpoint)
  }
  .shown { $0.listen.map(\.description) }

  private static let data = Flag(
    dataName, "DIR", "the data directory, which quiverd init or --init creates; default ./data"
  ) { (value, configuration) throws(UsageError) in
    configuration.dataDirectory = value
  }
  .shown { [$0.dataDirectory] }

  private static let diagnostics = Flag(
    "--diagnostics", nil, "serve the Diagnostics service (echo, delay, fail)"
  ) { (_, configuration) throws(UsageError) in
    configuration.diagnostics = true
  }
  .shown { $0.diagnostics ? ["yes"] : ["no"] }

  private static let allowPlaintext = Flag(
    "--allow-plaintext", nil,
    "listen without TLS on addresses other than loopback; tokens and data are not encrypted"
  ) { (_, configuration) throws(UsageError) in
    configuration.allowsPlaintext = true
  }
  .shown { $0.allowsPlaintext ? ["yes"] : ["no"] }

  private static let unixPrincipal = Flag(
    "--unix-principal", "UID=ID",
    "calls without a token over a unix: socket from the system's user UID are those of the"
      + " principal ID; may be repeated",
    .repeats
  ) { (value, configuration) throws(UsageError) in
    let parts = value.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let user = UInt32(parts[0]), let id = Int64(parts[1]), id > 0 else {
      throw UsageError("--unix-principal requires UID=ID, two numbers")
    }
    guard configuration.unixPrincipals.updateValue(id, forKey: user) == nil else {
      throw UsageError("--unix-principal names the user \(user) twice")
    }
  }
  .shown { $0.unixPrincipals.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }

  private static let compression = Flag(
    "--compression", "NAME",
    "zstd: compress messages if the client does too; none: never compress; default zstd"
  ) { (value, configuration) throws(UsageError) in
    guard let compression = Configuration.Compression(rawValue: value) else {
      throw UsageError("--compression requires zstd or none")
    }
    configuration.compression = compression
  }
  .shown { [$0.compression.rawValue] }

  private static let shards = Flag(
    "--shards", "N", "the number of event loops, 1 to 1024; default one per core"
  ) { (value, configuration) throws(UsageError) in
    guard let count = Int(value), (1...1024).contains(count) else {
      throw UsageError("--shards requires a number from 1 to 1024")
    }
    configuration.shardCount = count
  }
  .shown { $0.shardCount == 0 ? [] : ["\($0.shardCount)"] }

  private static let trustedProxies = Flag(
    "--trusted-proxies", "NETWORKS",
    "networks of proxies, for example 10.0.0.0/8,2001:db8::/32,unix; their connections must start"
      + " with a header of PROXY protocol version 2; default none",
    .reloadable
  ) { (value, configuration) throws(UsageError) in
    guard let networks = TrustedNetworks(value) else {
      throw UsageError("--trusted-proxies requires networks such as 10.0.0.0/8,::1/128,unix")
    }
    configuration.trustedProxies = networks
    configuration.trustedProxyText = value
  }
  .shown { $0.trustedProxyText.isEmpty ? [] : [$0.trustedProxyText] }
}
