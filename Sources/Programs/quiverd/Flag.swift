import QuiverDispatch

/// One flag: how it is written, what is said of it, and what it does.
struct Flag: Sendable {
  let name: String
  /// What its value is called in the help; nil where it takes none.
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

  /// As the help shows it, `--data DIR`.
  var usage: String { valueName.map { "\(name) \($0)" } ?? name }

  static let all = general + TLSOptions.flags + LimitFlag.all.map(\.flag) + StoreBounds.flags

  static let general = [
    listen, data, diagnostics, allowPlaintext, unixPrincipal, compression, shards, trustedProxies,
    logLevel,
  ]

  private static let listen = Flag(
    "--listen", "HOST:PORT",
    "where to listen, \(Configuration.defaultEndpoint) if not given; also [IPv6]:PORT and"
      + " unix:PATH, and tls://HOST:PORT with TLS; may be given more than once; port 0 lets the"
      + " system choose"
  ) { (value, configuration) throws(UsageError) in
    guard let endpoint = Endpoint(value) else {
      throw UsageError("--listen wants HOST:PORT, [IPv6]:PORT, tls://HOST:PORT or unix:PATH")
    }
    configuration.listen.append(endpoint)
  }

  private static let data = Flag(
    "--data", "DIR", "the data directory, ./data if not given; made where it is missing"
  ) { (value, configuration) throws(UsageError) in
    configuration.dataDirectory = value
  }

  private static let diagnostics = Flag(
    "--diagnostics", nil, "answer the Diagnostics service (echo, delay, fail)"
  ) { (_, configuration) throws(UsageError) in
    configuration.diagnostics = true
  }

  private static let allowPlaintext = Flag(
    "--allow-plaintext", nil,
    "listen without TLS beyond this machine, though tokens and data go unencrypted"
  ) { (_, configuration) throws(UsageError) in
    configuration.allowsPlaintext = true
  }

  private static let unixPrincipal = Flag(
    "--unix-principal", "UID=ID",
    "calls of the system's user UID over a unix: socket are the principal's with that id where"
      + " they come without a token; may be given more than once"
  ) { (value, configuration) throws(UsageError) in
    let parts = value.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let user = UInt32(parts[0]), let id = Int64(parts[1]), id > 0 else {
      throw UsageError("--unix-principal wants UID=ID, two numbers")
    }
    guard configuration.unixPrincipals.updateValue(id, forKey: user) == nil else {
      throw UsageError("--unix-principal names the user \(user) twice")
    }
  }

  private static let compression = Flag(
    "--compression", "NAME",
    "zstd (if not given): messages are compressed where the client does so too; none: they never"
      + " are"
  ) { (value, configuration) throws(UsageError) in
    guard let compression = Configuration.Compression(rawValue: value) else {
      throw UsageError("--compression wants zstd or none")
    }
    configuration.compression = compression
  }

  private static let shards = Flag(
    "--shards", "N", "event loops, 1 to 1024; one a core if not given"
  ) { (value, configuration) throws(UsageError) in
    guard let count = Int(value), (1...1024).contains(count) else {
      throw UsageError("--shards wants a number from 1 to 1024")
    }
    configuration.shardCount = count
  }

  private static let trustedProxies = Flag(
    "--trusted-proxies", "NETWORKS",
    "networks of proxies, as in 10.0.0.0/8,2001:db8::/32,unix; their connections must begin with a"
      + " header of PROXY protocol version 2; default none"
  ) { (value, configuration) throws(UsageError) in
    guard let networks = TrustedNetworks(value) else {
      throw UsageError("--trusted-proxies wants networks such as 10.0.0.0/8,::1/128,unix")
    }
    configuration.trustedProxies = networks
  }

  private static let logLevel = Flag(
    "--log-level", "LEVEL", "error, warning, info (if not given) or debug"
  ) { (value, configuration) throws(UsageError) in
    guard let level = Log.Level(rawValue: value) else {
      throw UsageError("--log-level wants error, warning, info or debug")
    }
    configuration.logLevel = level
  }
}
