import QuiverDispatch

/// One flag: its name, its help and its effect.
struct Flag: Sendable {
  let name: String
  /// The name of its value in the help; nil if it has no value.
  let valueName: String?
  let help: String
  let apply: @Sendable (String, inout Configuration) throws(UsageError) -> Void

  init(
    _ name: String, _ valueName: String?, _ help: String,
    _ apply: @escaping @Sendable (String, inout Configuration) throws(UsageError) -> Void
  ) {
    self.name = name
    self.valueName = valueName
    self.help = help
    self.apply = apply
  }

  /// The usage in the help, for example `--data DIR`.
  var usage: String { valueName.map { "\(name) \($0)" } ?? name }

  static let all =
    general + logging + TLSOptions.flags + LimitFlag.all.map(\.flag) + StoreBounds.flags

  static let general = [
    listen, data, diagnostics, allowPlaintext, unixPrincipal, compression, shards, trustedProxies,
  ]

  private static let listen = Flag(
    "--listen", "HOST:PORT",
    "listen on this address; also [IPv6]:PORT, unix:PATH, and tls://HOST:PORT with TLS; may be"
      + " repeated; port 0 lets the system choose; default \(Configuration.defaultEndpoint)"
  ) { (value, configuration) throws(UsageError) in
    guard let endpoint = Endpoint(value) else {
      throw UsageError("--listen requires HOST:PORT, [IPv6]:PORT, tls://HOST:PORT or unix:PATH")
    }
    configuration.listen.append(endpoint)
  }

  private static let data = Flag(
    "--data", "DIR", "the data directory; created if it is missing; default ./data"
  ) { (value, configuration) throws(UsageError) in
    configuration.dataDirectory = value
  }

  private static let diagnostics = Flag(
    "--diagnostics", nil, "serve the Diagnostics service (echo, delay, fail)"
  ) { (_, configuration) throws(UsageError) in
    configuration.diagnostics = true
  }

  private static let allowPlaintext = Flag(
    "--allow-plaintext", nil,
    "listen without TLS on addresses other than loopback; tokens and data are not encrypted"
  ) { (_, configuration) throws(UsageError) in
    configuration.allowsPlaintext = true
  }

  private static let unixPrincipal = Flag(
    "--unix-principal", "UID=ID",
    "calls without a token over a unix: socket from the system's user UID are those of the"
      + " principal ID; may be repeated"
  ) { (value, configuration) throws(UsageError) in
    let parts = value.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let user = UInt32(parts[0]), let id = Int64(parts[1]), id > 0 else {
      throw UsageError("--unix-principal requires UID=ID, two numbers")
    }
    guard configuration.unixPrincipals.updateValue(id, forKey: user) == nil else {
      throw UsageError("--unix-principal names the user \(user) twice")
    }
  }

  private static let compression = Flag(
    "--compression", "NAME",
    "zstd: compress messages if the client does too; none: never compress; default zstd"
  ) { (value, configuration) throws(UsageError) in
    guard let compression = Configuration.Compression(rawValue: value) else {
      throw UsageError("--compression requires zstd or none")
    }
    configuration.compression = compression
  }

  private static let shards = Flag(
    "--shards", "N", "the number of event loops, 1 to 1024; default one per core"
  ) { (value, configuration) throws(UsageError) in
    guard let count = Int(value), (1...1024).contains(count) else {
      throw UsageError("--shards requires a number from 1 to 1024")
    }
    configuration.shardCount = count
  }

  private static let trustedProxies = Flag(
    "--trusted-proxies", "NETWORKS",
    "networks of proxies, for example 10.0.0.0/8,2001:db8::/32,unix; their connections must start"
      + " with a header of PROXY protocol version 2; default none"
  ) { (value, configuration) throws(UsageError) in
    guard let networks = TrustedNetworks(value) else {
      throw UsageError("--trusted-proxies requires networks such as 10.0.0.0/8,::1/128,unix")
    }
    configuration.trustedProxies = networks
  }
}
