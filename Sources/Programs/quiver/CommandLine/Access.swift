import QuiverClient
import QuiverCommandLine
import QuiverCredentials
import QuiverRPC
import QuiverTLS
import QuiverWire

/// The connection of a command: the server's address, the caller's token, and errors for users.
struct Access: Sendable {
  let client: RPCClient
  /// The configuration of the client.
  let configuration: RPCClient.Configuration
  let timeout: Duration
  /// Whether the server's address is local, so that paths mean the same to both.
  let isServerHere: Bool
  /// The server, the token and the authorities, with their sources.
  let credentials: Credentials
  /// Whether the token was given to `quiver login`.
  private let isLogin: Bool
  /// The file of the token; nil if there is none.
  let tokenPath: String?
  private let arguments: Arguments
  private let log = CallLog()

  /// Reads the address and the token from flags, the environment and the usual files.
  ///
  /// `timeout` is the default of `--timeout`.
  init(
    _ arguments: Arguments, sendsToken: Bool = true, token given: String? = nil,
    timeout standard: Duration = .seconds(30)
  ) throws(Failure) {
    let found = try Self.credentials(arguments, given == nil ? try Contexts.stored() : Contexts())
    credentials = found
    let server = found.server.value
    isServerHere = Credentials.isLocal(server)
    if arguments.has(.verbose) {
      for line in found.lines { Terminal.printError("* \(Terminal.oneLine(line))") }
    }
    var token: (text: String, path: String?)?
    if let given {
      token = (given, nil)
    } else if sendsToken, let file = found.tokenFile {
      token = (try Self.token(of: file), file.value)
    }
    self.arguments = arguments
    tokenPath = token?.path
    isLogin = given != nil
    var configuration = RPCClient.Configuration(server: server, token: token?.text)
    configuration.tokenSource = token?.path.map { .file($0) }
    configuration.allowsPlaintextToken = arguments.has(.allowPlaintext)
    configuration.security = try Self.security(arguments, found)
    configuration.software = "quiver/\(QuiverProgram.version)"
    configuration.interceptors = [log]
    if let user = arguments.user { configuration.interceptors.insert(UserOfCalls(id: user), at: 0) }
    if let text = arguments.value(of: .timeout) {
      guard let milliseconds = TimeSpan.milliseconds(text) else {
        throw arguments.usage("--timeout expects a time like 500ms, 5s or 2m, not \(text)")
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

  private static func credentials(
    _ arguments: Arguments, _ contexts: Contexts
  ) throws(Failure) -> Credentials {
    var given = Credentials.Given()
    given.server = arguments.value(of: .server)
    given.tokenFile = arguments.value(of: .tokenFile)
    given.context = arguments.value(of: .context)
    given.authorities = arguments.value(of: .authorities)
    given.isSecure = arguments.has(.tls)
    do throws(UsageError) {
      return try Credentials(given, contexts)
    } catch {
      throw arguments.usage(error.description)
    }
  }

  /// The TLS of the connection, from flags and the environment; nil if there is none.
  private static func security(
    _ arguments: Arguments, _ credentials: Credentials
  ) throws(Failure) -> TransportSecurity? {
    let (server, context) = (credentials.server.value, credentials.context?.context)
    guard server.hasPrefix(Credentials.secureScheme) else {
      let idle = [Flag.authorities, .certificate, .key, .serverName].first { arguments.has($0) }
      if let idle { throw arguments.usage("\(idle.name) requires --tls or a tls:// address") }
      return nil
    }
    var configuration = TLSConfiguration()
    if let file = credentials.authorities { configuration.trustedRoots = .file(file.value) }
    configuration.serverName = arguments.value(of: .serverName) ?? context?.serverName
    let certificate = arguments.value(of: .certificate) ?? context?.certificate
    let key = arguments.value(of: .key) ?? context?.key
    switch (certificate, key) {
    case (nil, nil): break
    case (let certificate?, let key?):
      configuration.clientCertificate = .init(certificateFile: certificate, keyFile: key)
    case (_, nil): throw arguments.usage("--certificate requires --key FILE")
    case (nil, _): throw arguments.usage("--key requires --certificate FILE")
    }
    do throws(SecureChannelError) {
      return try .tls(configuration)
    } catch {
      throw arguments.usage(error.description)
    }
  }

  /// The failure of a call, with a hint if the token was missing.
  func failure(_ error: RPCError, types: Types? = nil) -> Failure {
    let mayHaveRun = log.mayHaveRun(error)
    guard error.code == .unauthenticated else {
      return .call(error, types: types, mayHaveRun: mayHaveRun)
    }
    return .call(
      error, hint: isLogin ? " (the token is from this login)" : " (\(credentials.tokenHint))",
      types: types,
      mayHaveRun: mayHaveRun)
  }

  /// The failure of a call in one line, without its details.
  func plainFailure(_ error: RPCError, hint: String = "") -> Failure {
    var error = arguments.named(error)
    error.details = []
    return hint.isEmpty
      ? failure(error) : .call(error, hint: hint, mayHaveRun: log.mayHaveRun(error))
  }

  /// Makes a call and converts its error to the command's, in one line.
  func attemptPlainly<Value>(
    _ body: () async throws(RPCError) -> Value
  ) async throws(Failure) -> Value {
    do throws(RPCError) {
      return try await body()
    } catch {
      throw plainFailure(error)
    }
  }

  /// Makes a call and converts its error to the command's.
  func attempt<Value>(
    _ body: () async throws(RPCError) -> Value
  ) async throws(Failure) -> Value {
    do throws(RPCError) {
      return try await body()
    } catch {
      throw failure(error)
    }
  }

  /// The token of a setting, whose source an error names.
  private static func token(of file: Credentials.Setting) throws(Failure) -> String {
    do throws(Failure) {
      return try token(inFile: file.value)
    } catch {
      throw file.source == "--token-file"
        ? error : error.adding("the file of the token is from \(file.source)")
    }
  }

  static func token(inFile path: String) throws(Failure) -> String {
    try token(try InputText.bytes(ofFile: path), from: path)
  }

  /// The token in the bytes of a file.
  static func token(_ bytes: [UInt8], from path: String) throws(Failure) -> String {
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 1, bytes.count <= 1_024 else {
      throw .input("\(path) does not contain a token: one word, qv_ and 43 characters")
    }
    return String(words[0])
  }

  static func environment(_ name: String) -> String? { Contexts.environment(name) }
}
