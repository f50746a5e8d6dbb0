/// What the command line asks for.
enum Invocation {
  case help
  case version
  case serve(Options)

  init(_ arguments: [String]) throws(UsageError) {
    if arguments.contains("--help") || arguments.contains("-h") {
      self = .help
    } else if arguments.contains("--version") {
      self = .version
    } else {
      self = .serve(try Options(arguments))
    }
  }
}

/// A command line that cannot be understood.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The flags of the gateway.
struct Options: Sendable, Equatable {
  var listen: [String] = []
  var server = "127.0.0.1:7450"
  var tokenFile: String?
  var trustedRoots: String?
  var certificate: String?
  var key: String?
  var allowedOrigins: Set<String> = []
  var allowsPlaintextTokens = false
  var maxConnections: Int?
  var maxConnectionsPerAddress: Int?

  static let help = """
    usage: quiver-gateway [options]

    Answers gRPC, gRPC-Web and Connect over HTTP/1.1 and HTTP/2 by calls to a Quiver server, and
    serves the board of an event at /board/CODE. The protocol is chosen by the content type. A
    caller sends a token of the server as `authorization: Bearer qv_…`.

      --listen ADDRESS      HOST:PORT, [IPv6]:PORT, tls://HOST:PORT or unix:PATH; may be given more
                            than once (127.0.0.1:7480)
      --server ADDRESS      the server: HOST:PORT, tls://HOST:PORT or unix:PATH (127.0.0.1:7450)
      --token-file FILE     a token of the server with which the gateway reads the description of
                            the methods; without it those of the callers serve, and a caller without
                            a token is answered only after one with
      --ca FILE             authorities for a server with tls:// (those of the system)
      --allow-plaintext     send tokens to a server on another machine without TLS
      --tls-certificate FILE, --tls-key FILE
                            PEM files, for listeners with tls://
      --allow-origin ORIGIN pages of this origin may call, https://club.example; * allows all; may
                            be given more than once (none)
      --max-connections N   connections at once (10000)
      --max-connections-per-address N
                            of one address, IPv6 by /64 (1000)
      --help, --version

    SIGTERM drains: open requests have 30 s to end. The exit code is 0 after that, 64 for wrong
    usage and 69 where it cannot listen or a file cannot be used.

    """

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let flag = rest.popFirst() {
      if flag == "--allow-plaintext" {
        allowsPlaintextTokens = true
        continue
      }
      guard Self.flags.contains(flag) else { throw UsageError(Self.unknown(flag)) }
      guard let value = rest.popFirst(), !value.isEmpty else {
        throw UsageError("\(flag) expects a value")
      }
      try set(flag, value)
    }
    if listen.isEmpty { listen = ["127.0.0.1:7480"] }
    guard (certificate == nil) == (key == nil) else {
      throw UsageError("--tls-certificate and --tls-key go together")
    }
  }

  private static let flags: Set<String> = [
    "--listen", "--server", "--token-file", "--ca", "--tls-certificate", "--tls-key",
    "--allow-origin", "--max-connections", "--max-connections-per-address",
  ]

  private static func unknown(_ flag: String) -> String {
    let near = flags.filter { $0.hasPrefix(flag) || flag.hasPrefix($0) }.sorted()
    let hint = near.first.map { "; do you mean \($0)?" } ?? ""
    return "\(flag) is not an option\(hint)"
  }

  private mutating func set(_ flag: String, _ value: String) throws(UsageError) {
    switch flag {
    case "--listen": listen.append(value)
    case "--server": server = value
    case "--token-file": tokenFile = value
    case "--ca": trustedRoots = value
    case "--tls-certificate": certificate = value
    case "--tls-key": key = value
    case "--allow-origin": allowedOrigins.insert(value)
    case "--max-connections": maxConnections = try Self.count(flag, value)
    default: maxConnectionsPerAddress = try Self.count(flag, value)
    }
  }

  private static func count(_ flag: String, _ value: String) throws(UsageError) -> Int {
    guard let count = Int(value), 1...1_000_000 ~= count else {
      throw UsageError("\(flag) expects a number from 1 to 1000000, not \(value)")
    }
    return count
  }
}
