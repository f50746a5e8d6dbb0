import QuiverCommandLine
import QuiverDispatch
import QuiverStore

/// One flag of quiverd.
typealias Flag = ConfigurationFlag<Configuration>

extension Flag {
  /// All flags, in the order of the help.
  static var all: [Flag] { FlagTable.all }

  // Computed, since an extension of a generic type has no stored ones.
  static var general: [Flag] {
    [
      config, data, database, readDatabase, initialize, listen, diagnostics, allowPlaintext,
      unixPrincipal, gatewayPrincipal,
      unixMode, compression, shards, trustedProxies,
    ]
  }

  static var dataName: String { "--data" }

  static var databaseName: String { "--database" }

  private static var config: Flag {
    Flag(
      configName, "FILE",
      "read settings from this file: lines with name = value, with the names of the flags without"
        + " dashes, and comments with #; flags count before the environment (QUIVERD_ and the name"
        + " in capitals with _), and that before the file", .commandLineOnly
    ) { (_, _) throws(UsageError) in }
    .shown { _ in [] }
  }

  private static var initialize: Flag {
    Flag(
      "--init", nil, "create the data directory and its database if they are missing",
      .commandLineOnly
    ) { (_, configuration) throws(UsageError) in
      configuration.initializes = true
    }
    .shown { $0.initializes ? ["yes"] : ["no"] }
  }

  private static var listen: Flag {
    Flag(
      "--listen", "HOST:PORT",
      "listen on this address; also [IPv6]:PORT, unix:PATH, and tls://HOST:PORT with TLS; may be"
        + " repeated; port 0 lets the system choose; default \(Configuration.defaultEndpoint)",
      .repeats
    ) { (value, configuration) throws(UsageError) in
      guard let endpoint = Endpoint(value) else {
        throw UsageError("--listen requires \(Endpoint.forms)")
      }
      configuration.listen.append(endpoint)
    }
    .shown { $0.listen.map(\.description) }
  }

  private static var data: Flag {
    Flag(
      dataName, "DIR", "the data directory, which quiverd init or --init creates; default ./data"
    ) { (value, configuration) throws(UsageError) in
      configuration.dataDirectory = value
    }
    .shown { [$0.dataDirectory] }
  }

  private static var database: Flag {
    Flag(
      databaseName, "URL",
      "store in this database of PostgreSQL 15 or later, which several servers may share, as libpq"
        + " takes it: postgres://USER@HOST/NAME?sslmode=verify-full; without a password, which"
        + " belongs in the file that PGPASSFILE names"
    ) { (value, configuration) throws(UsageError) in
      if let fault = DatabaseAddress.fault(in: value) { throw UsageError("--database \(fault)") }
      configuration.database = value
    }
    .shown { $0.database.map { [$0] } ?? [] }
  }

  private static var readDatabase: Flag {
    Flag(
      "--read-database", "URL",
      "read from this replica of the database, or from one of several hosts, for calls that state a"
        + " position that it has reached (quiver-position); give it to all servers of the database"
    ) { (value, configuration) throws(UsageError) in
      if let fault = DatabaseAddress.fault(in: value) {
        throw UsageError("--read-database \(fault)")
      }
      configuration.readDatabase = value
    }
    .shown { $0.readDatabase.map { [$0] } ?? [] }
  }

  private static var diagnostics: Flag {
    Flag(
      "--diagnostics", nil, "serve the Diagnostics service (echo, delay, fail)"
    ) { (_, configuration) throws(UsageError) in
      configuration.diagnostics = true
    }
    .shown { $0.diagnostics ? ["yes"] : ["no"] }
  }

  private static var allowPlaintext: Flag {
    Flag(
      "--allow-plaintext", nil,
      "listen without TLS on addresses other than loopback; tokens and data are not encrypted"
    ) { (_, configuration) throws(UsageError) in
      configuration.allowsPlaintext = true
    }
    .shown { $0.allowsPlaintext ? ["yes"] : ["no"] }
  }

  private static var unixPrincipal: Flag {
    Flag(
      "--unix-principal", "UID=ID",
      "calls without a token over a unix: socket from the system's user UID are those of the"
        + " principal ID; may be repeated",
      .repeats
    ) { (value, configuration) throws(UsageError) in
      let parts = value.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, let user = UInt32(parts[0]), let id = Int64(parts[1]), id > 0 else {
        throw UsageError("--unix-principal requires UID=ID, two numbers")
      }
      guard user != overflowUser else {
        throw UsageError(
          "--unix-principal cannot name the user \(overflowUser): the kernel reports it for every"
            + " user that the server's user namespace does not contain")
      }
      guard configuration.unixPrincipals.updateValue(id, forKey: user) == nil else {
        throw UsageError("--unix-principal names the user \(user) twice")
      }
    }
    .shown { $0.unixPrincipals.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }
  }

  private static var gatewayPrincipal: Flag {
    Flag(
      "--gateway-principal", "ID",
      "the service with this ID is a gateway: the addresses that it states for its callers count"
        + " as theirs, and its calls without a caller's token share its connections; may be"
        + " repeated",
      .repeats
    ) { (value, configuration) throws(UsageError) in
      guard let id = Int64(value), id > 0 else {
        throw UsageError("--gateway-principal requires the number of a principal")
      }
      configuration.gatewayPrincipals.insert(id)
    }
    .shown { $0.gatewayPrincipals.sorted().map { "\($0)" } }
  }

  /// `/proc/sys/kernel/overflowuid`.
  private static var overflowUser: UInt32 { 65_534 }

  private static var unixMode: Flag {
    Flag(
      "--unix-mode", "MODE",
      "the permissions of the files of unix: sockets, in octal digits; whoever may write the file"
        + " may connect; default 600"
    ) { (value, configuration) throws(UsageError) in
      guard let mode = UInt32(value, radix: 8), (0o200...0o777).contains(mode) else {
        throw UsageError("--unix-mode requires three octal digits such as 660")
      }
      configuration.unixMode = mode
    }
    .shown { [String($0.unixMode, radix: 8)] }
  }

  private static var compression: Flag {
    Flag(
      "--compression", "zstd|none",
      "zstd: compress messages if the client does too; none: never compress; default zstd"
    ) { (value, configuration) throws(UsageError) in
      guard let compression = Configuration.Compression(rawValue: value) else {
        throw UsageError("--compression requires zstd or none")
      }
      configuration.compression = compression
    }
    .shown { [$0.compression.rawValue] }
  }

  private static var shards: Flag {
    Flag(
      "--shards", "N", "the number of event loops, 1 to 1024; default one per core"
    ) { (value, configuration) throws(UsageError) in
      guard let count = Int(value), (1...1024).contains(count) else {
        throw UsageError("--shards requires a number from 1 to 1024")
      }
      configuration.shardCount = count
    }
    .shown { $0.shardCount == 0 ? [] : ["\($0.shardCount)"] }
  }

  private static var trustedProxies: Flag {
    Flag(
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
}

/// The flags of quiverd, made once.
private enum FlagTable {
  static let all: [Flag] =
    Flag.general + Flag.logging + TLSOptions.flags + WebOptions.flags + LimitFlag.all.map(\.flag)
    + StoreBounds.flags + Flag.backups
}
