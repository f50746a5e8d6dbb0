import Glibc
import QuiverClient
import QuiverRPC
import QuiverTLS
import QuiverWire

/// The way to the server: its address, the caller's token, and how failures are told.
struct Access: Sendable {
  let client: RPCClient
  /// What the client was made of.
  let configuration: RPCClient.Configuration
  let timeout: Duration
  /// Whether the server's address is one of this machine, so that paths mean the same to both.
  let isServerHere: Bool
  private let hasToken: Bool

  /// Takes the address and the token from flags, the environment and the usual files.
  ///
  /// `timeout` holds where `--timeout` is not given.
  init(
    _ arguments: Arguments, sendsToken: Bool = true, timeout standard: Duration = .seconds(30)
  ) throws(Failure) {
    let server = Self.server(arguments)
    let token = sendsToken ? try Self.token(arguments) : nil
    hasToken = token != nil
    let address =
      server.hasPrefix(Self.secureScheme)
      ? server.dropFirst(Self.secureScheme.count) : server[...]
    isServerHere =
      ["unix:", "127.", "localhost:", "[::1]:"].contains { address.hasPrefix($0) }
    var configuration = RPCClient.Configuration(server: server, token: token)
    configuration.allowsPlaintextToken = arguments.has(.allowPlaintext)
    configuration.security = try Self.security(arguments, server)
    configuration.software = "quiver/\(QuiverProgram.version)"
    if let text = arguments.value(of: .timeout) {
      guard let milliseconds = TimeSpan.milliseconds(text) else {
        throw arguments.usage("--timeout wants a time like 500ms, 5s or 2m")
      }
      timeout = .milliseconds(milliseconds)
    } else {
      timeout = standard
    }
    configuration.defaultTimeout = timeout
    self.configuration = configuration
    do throws(RPCError) {
      client = try RPCClient(configuration)
    } catch {
      throw error.code == .invalidArgument ? arguments.usage(error.message) : .call(error)
    }
  }

  private static let secureScheme = "tls://"

  private static func server(_ arguments: Arguments) -> String {
    let server = arguments.value(of: .server) ?? environment("QUIVER_SERVER") ?? "127.0.0.1:7450"
    guard arguments.has(.tls), !server.hasPrefix(secureScheme) else { return server }
    return secureScheme + server
  }

  /// The TLS of the connection, from flags and the environment; nil: there is none.
  private static func security(
    _ arguments: Arguments, _ server: String
  ) throws(Failure) -> TransportSecurity? {
    guard server.hasPrefix(secureScheme) else {
      let idle = [Flag.authorities, .certificate, .key, .serverName].first { arguments.has($0) }
      if let idle { throw arguments.usage("\(idle.name) goes with --tls or a tls:// address") }
      return nil
    }
    var configuration = TLSConfiguration()
    if let file = arguments.value(of: .authorities) ?? environment("QUIVER_CA") {
      configuration.trustedRoots = .file(file)
    }
    configuration.serverName = arguments.value(of: .serverName)
    switch (arguments.value(of: .certificate), arguments.value(of: .key)) {
    case (nil, nil): break
    case (let certificate?, let key?):
      configuration.clientCertificate = .init(certificateFile: certificate, keyFile: key)
    case (_, nil): throw arguments.usage("--certificate goes with --key FILE")
    case (nil, _): throw arguments.usage("--key goes with --certificate FILE")
    }
    do throws(SecureChannelError) {
      return try .tls(configuration)
    } catch {
      throw arguments.usage(error.description)
    }
  }

  /// A failed call, with the way out where it lacked a token.
  func failure(_ error: RPCError, types: Types? = nil) -> Failure {
    guard error.code == .unauthenticated, !hasToken else { return .call(error, types: types) }
    return .call(
      error,
      hint: " (no token was found in ./data/admin.token and ~/.config/quiver/token; give"
        + " --token-file FILE)", types: types)
  }

  /// A failed call in one line, for people: its message says what its details do.
  func plainFailure(_ error: RPCError, hint: String = "") -> Failure {
    var error = error
    error.details = []
    return hint.isEmpty ? failure(error) : .call(error, hint: hint)
  }

  /// Makes a call and turns its error into the command's, in one line.
  func attemptPlainly<Value>(
    _ body: () async throws(RPCError) -> Value
  ) async throws(Failure) -> Value {
    do throws(RPCError) {
      return try await body()
    } catch {
      throw plainFailure(error)
    }
  }

  /// Makes a call and turns its error into the command's.
  func attempt<Value>(
    _ body: () async throws(RPCError) -> Value
  ) async throws(Failure) -> Value {
    do throws(RPCError) {
      return try await body()
    } catch {
      throw failure(error)
    }
  }

  /// The token in the file that is named, else in the first of the usual ones that can be read.
  private static func token(_ arguments: Arguments) throws(Failure) -> String? {
    if let named = arguments.value(of: .tokenFile) ?? environment("QUIVER_TOKEN_FILE") {
      return try token(inFile: named)
    }
    var usual = ["data/admin.token"]
    if let home = environment("HOME") { usual.append("\(home)/.config/quiver/token") }
    guard let path = usual.first(where: { access($0, R_OK) == 0 }) else { return nil }
    return try token(inFile: path)
  }

  private static func token(inFile path: String) throws(Failure) -> String {
    let bytes = try InputText.bytes(ofFile: path)
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 1, bytes.count <= 1_024 else {
      throw .input("\(path) holds no token: one word, qv_ and 43 characters")
    }
    return String(words[0])
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
