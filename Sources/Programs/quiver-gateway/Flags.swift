import QuiverCommandLine
import QuiverDaemon
import QuiverDispatch
import QuiverGateway
import QuiverObservability

/// One flag of quiver-gateway.
typealias Flag = ConfigurationFlag<GatewayOptions>

extension Flag {
  /// All flags, in the order of the help.
  static var all: [Flag] { FlagTable.all }

  // Computed, since an extension of a generic type has no stored ones.
  static var general: [Flag] {
    [
      config, listen, openListen, server, tokenFile, parent, authorities, allowPlaintext,
      allowPlaintextListen,
      unixMode,
      allowHost, publicAddress, openOfficials, allowOrigin, trustedProxies,
    ]
  }

  static var logging: [Flag] { [logLevel, logFormat, accessLog, metrics] }

  static var security: [Flag] {
    [
      text(
        "--tls-certificate", "FILE",
        "the certificate for tls:// listeners, PEM, followed by those between it and the root; read"
          + " again on SIGHUP and when it changes", \.certificate),
      text("--tls-key", "FILE", "its private key, PEM without a password", \.key),
    ]
  }

  private static var config: Flag {
    Flag(
      configName, "FILE",
      "read settings from this file: lines with name = value, with the names of the flags without"
        + " dashes, and comments with #; flags count before the environment (QUIVER_GATEWAY_ and"
        + " the name in capitals with _), and that before the file", .commandLineOnly
    ) { (_, _) throws(UsageError) in }
  }

  private static var listen: Flag {
    Flag(
      "--listen", "HOST:PORT",
      "listen on this address; also [IPv6]:PORT, unix:PATH, and tls://HOST:PORT with TLS; may be"
        + " repeated; default \(GatewayOptions.defaultEndpoint)", .repeats
    ) { (value, options) throws(UsageError) in
      guard let endpoint = Endpoint(value) else {
        throw UsageError("--listen requires \(Endpoint.forms)")
      }
      options.listen.append(endpoint)
    }
    .shown { $0.listen.map(\.description) }
  }

  private static var openListen: Flag {
    Flag(
      "--open-listen", "HOST:PORT",
      "listen for phones without TLS on this address of a network: the server then takes the tokens"
        + " of scoring devices and spectators alone; may be repeated", .repeats
    ) { (value, options) throws(UsageError) in
      guard let endpoint = Endpoint(value), !endpoint.isSecure, case .tcp = endpoint.kind else {
        throw UsageError("--open-listen requires HOST:PORT or [IPv6]:PORT")
      }
      options.openListen.append(endpoint)
    }
    .shown { $0.openListen.map(\.description) }
  }

  private static var parent: Flag {
    Flag(
      "--parent", "FD",
      "a socket that the program that starts this one keeps open: the gateway reads its own token"
        + " from it as a line, writes a line when it serves, and ends when the socket does",
      .commandLineOnly
    ) { (value, options) throws(UsageError) in
      guard let descriptor = Int32(value), descriptor > 2 else {
        throw UsageError("--parent requires the number of a descriptor above 2")
      }
      options.parentDescriptor = descriptor
    }
    .shown { $0.parentDescriptor.map { ["\($0)"] } ?? [] }
  }

  private static var server: Flag {
    Flag(
      "--server", "ADDRESS",
      "the server: HOST:PORT, tls://HOST:PORT or unix:PATH; default \(GatewayOptions().server)"
    ) { (value, options) throws(UsageError) in
      guard Endpoint(value) != nil else {
        throw UsageError("--server requires \(Endpoint.forms)")
      }
      options.server = value
    }
    .shown { [$0.server] }
  }

  private static var tokenFile: Flag {
    text(
      "--token-file", "FILE",
      "the gateway's own token, with which it reads the description of the methods and states the"
        + " addresses of callers (--gateway-principal of quiverd); without it the tokens of callers"
        + " serve, and a caller without a token is answered only after one with", \.tokenFile)
  }

  private static var authorities: Flag {
    text(
      "--ca", "FILE", "authorities for a server with tls://; default those of the system",
      \.trustedRoots)
  }

  private static var allowPlaintext: Flag {
    Flag(
      "--allow-plaintext", nil, "send tokens to a server on another machine without TLS"
    ) { (_, options) throws(UsageError) in
      options.allowsPlaintextTokens = true
    }
    .shown { $0.allowsPlaintextTokens ? ["yes"] : ["no"] }
  }

  private static var allowPlaintextListen: Flag {
    Flag(
      "--allow-plaintext-listen", nil,
      "listen without TLS on addresses other than loopback; the tokens of callers are not encrypted"
    ) { (_, options) throws(UsageError) in
      options.allowsPlaintextListeners = true
    }
    .shown { $0.allowsPlaintextListeners ? ["yes"] : ["no"] }
  }

  private static var unixMode: Flag {
    Flag(
      "--unix-mode", "MODE",
      "the permissions of the files of unix: sockets, in octal digits; whoever may write the file"
        + " may connect; default 600"
    ) { (value, options) throws(UsageError) in
      guard let mode = UInt32(value, radix: 8), (0o200...0o777).contains(mode) else {
        throw UsageError("--unix-mode requires three octal digits such as 660")
      }
      options.unixMode = mode
    }
    .shown { [String($0.unixMode, radix: 8)] }
  }

  private static var allowHost: Flag {
    Flag(
      "--allow-host", "NAME",
      "callers reach the gateway by this name, for example scores.club.example; others are answered"
        + " 421, except IP addresses and localhost; may be repeated; default none", .repeats
    ) { (value, options) throws(UsageError) in
      guard ServedHosts.isName(value) else {
        throw UsageError("--allow-host requires the name of a host, without a port")
      }
      options.allowedHosts.append(value)
    }
    .shown { $0.allowedHosts }
  }

  private static var publicAddress: Flag {
    Flag(
      "--public-url", "URL",
      "by which phones reach the pages, for example https://scores.club.example: the desk prints it"
        + " on papers and boards share it; default: the address by which a page was opened"
    ) { (value, options) throws(UsageError) in
      guard PublicAddress.isValid(value) else {
        throw UsageError("--public-url requires http:// or https:// and a host, without a path")
      }
      options.publicAddress = value
    }
    .shown { $0.publicAddress.map { [$0] } ?? [] }
  }

  private static var openOfficials: Flag {
    Flag(
      "--open-officials", nil,
      "the pages of judges and of check-in sign in at --open-listen, too, where others can read"
        + " what they send; the server must permit it (quiverd --web-open-officials)"
    ) { (_, options) throws(UsageError) in
      options.takesOfficials = true
    }
    .shown { $0.takesOfficials ? ["yes"] : ["no"] }
  }

  private static var allowOrigin: Flag {
    Flag(
      "--allow-origin", "ORIGIN",
      "pages of this origin may call, for example https://club.example; * allows all; may be"
        + " repeated; default none", .repeats
    ) { (value, options) throws(UsageError) in
      options.allowedOrigins.append(value)
    }
    .shown { $0.allowedOrigins }
  }

  private static var trustedProxies: Flag {
    Flag(
      "--trusted-proxies", "NETWORKS",
      "networks of proxies, for example 10.0.0.0/8,2001:db8::/32,unix; their connections must start"
        + " with a header of PROXY protocol version 2; default none",
      .reloadable
    ) { (value, options) throws(UsageError) in
      guard let networks = TrustedNetworks(value) else {
        throw UsageError("--trusted-proxies requires networks such as 10.0.0.0/8,::1/128,unix")
      }
      options.trustedProxies = networks
      options.trustedProxyText = value
    }
    .shown { $0.trustedProxyText.isEmpty ? [] : [$0.trustedProxyText] }
  }

  private static var logLevel: Flag {
    Flag(
      "--log-level", "error|warning|info|debug", "which events are logged; default info",
      .reloadable
    ) { (value, options) throws(UsageError) in
      guard let level = LogLevel(rawValue: value) else {
        throw UsageError("--log-level requires error, warning, info or debug")
      }
      options.logLevel = level
    }
    .shown { [$0.logLevel.rawValue] }
  }

  private static var logFormat: Flag {
    Flag(
      "--log-format", "logfmt|json", "how events are written, one line each; default logfmt"
    ) { (value, options) throws(UsageError) in
      guard let format = LogFormat(rawValue: value) else {
        throw UsageError("--log-format requires logfmt or json")
      }
      options.logFormat = format
    }
    .shown { [$0.logFormat.rawValue] }
  }

  private static var accessLog: Flag {
    Flag(
      "--access-log", "N",
      "log one of N calls, 1: each (0: none), with its method, code, time and address; default 0"
    ) { (value, options) throws(UsageError) in
      guard let count = Int(value), (0...1_000_000_000).contains(count) else {
        throw UsageError("--access-log requires a number from 0 to 1000000000")
      }
      options.loggedCallInterval = count
    }
    .shown { ["\($0.loggedCallInterval)"] }
  }

  private static var metrics: Flag {
    Flag(
      "--metrics", "HOST:PORT",
      "answer HTTP requests for /metrics (Prometheus), /livez and /readyz on this address, without"
        + " authentication; port 0 lets the system choose; default: nowhere"
    ) { (value, options) throws(UsageError) in
      guard let endpoint = Endpoint(value), !endpoint.isSecure, !endpoint.host.isEmpty else {
        throw UsageError("--metrics requires HOST:PORT or [IPv6]:PORT")
      }
      options.metrics = endpoint
    }
    .shown { $0.metrics.map { [$0.description] } ?? [] }
  }

  private static func text(
    _ name: String, _ valueName: String, _ help: String,
    _ field: any WritableKeyPath<GatewayOptions, String?> & Sendable
  ) -> Flag {
    Flag(name, valueName, help) { (value, options) throws(UsageError) in
      options[keyPath: field] = value
    }
    .shown { $0[keyPath: field].map { [$0] } ?? [] }
  }
}

/// The flags of quiver-gateway, made once.
private enum FlagTable {
  static let all: [Flag] = Flag.general + Flag.logging + Flag.security + GatewayLimitFlag.all
}

/// Fields of ``GatewayLimits`` as flags.
enum GatewayLimitFlag {
  static let all = [
    flag("max-connections", \.maxConnections, "connections at once", .reloadable),
    flag(
      "max-connections-per-address", \.maxConnectionsPerAddress,
      "connections from one address, IPv6 by /64", .reloadable),
    flag("max-open-requests", \.maxOpenRequests, "requests at once"),
    flag(
      "max-open-requests-per-address", \.maxOpenRequestsPerAddress,
      "requests at once of one address, IPv6 by /64"),
    flag("max-message-bytes", \.maxMessageBytes, "size of a message, compressed and not"),
    flag("max-held-bytes", \.maxHeldBytes, "memory for requests and responses"),
    flag(
      "max-held-bytes-per-address", \.maxHeldBytesPerAddress,
      "memory for requests and responses of one address, IPv6 by /64"),
    flag(
      "max-callers", \.maxCallers,
      "callers, identified by their tokens, with their own connections to the server"),
    flag(
      "max-unproven-callers", \.maxUnprovenCallers,
      "the same, of callers whose token the server has not accepted yet"),
    flag(
      "max-spectator-callers", \.maxSpectatorCallers, "the same, of spectators"),
    flag(
      "max-anonymous-streams", \.maxAnonymousStreams, "streams of callers without a token at once"),
    flag(
      "max-anonymous-streams-per-address", \.maxAnonymousStreamsPerAddress,
      "those of one address, IPv6 by /64"),
    flag(
      "server-idle-milliseconds", \.serverIdleMilliseconds,
      "time of a connection to the server without a call"),
    flag(
      "first-request-milliseconds", \.firstRequestMilliseconds,
      "time to the first request of a connection"),
    flag(
      "settings-milliseconds", \.settingsMilliseconds,
      "time for the acknowledgement of SETTINGS in HTTP/2"),
    flag("idle-milliseconds", \.idleMilliseconds, "time of a connection without an open request"),
    flag(
      "stalled-milliseconds", \.stalledMilliseconds,
      "time without progress of a request or of a response"),
    flag("drain-milliseconds", \.drainMilliseconds, "time for open requests during a drain"),
  ]

  private static let largest = 0x7FFF_FFFF

  private static func flag(
    _ name: String, _ field: any WritableKeyPath<GatewayLimits, Int> & Sendable, _ help: String,
    _ traits: FlagTraits = []
  ) -> Flag {
    Flag(
      "--" + name, "N", "\(help), at most; default \(GatewayLimits()[keyPath: field])", traits
    ) { (value, options) throws(UsageError) in
      guard let count = Int(value), (1...largest).contains(count) else {
        throw UsageError("--\(name) requires a number from 1 to \(largest), not \(value)")
      }
      options.limits[keyPath: field] = count
    }
    .shown { ["\($0.limits[keyPath: field])"] }
  }
}
