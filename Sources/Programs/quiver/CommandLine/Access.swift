import Glibc
import QuiverClient
import QuiverRPC
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
    let server =
      arguments.value(of: .server) ?? Self.environment("QUIVER_SERVER") ?? "127.0.0.1:7450"
    let token = sendsToken ? try Self.token(arguments) : nil
    hasToken = token != nil
    isServerHere =
      ["unix:", "127.", "localhost:", "[::1]:"].contains { server.hasPrefix($0) }
    var configuration = RPCClient.Configuration(server: server, token: token)
    configuration.allowsPlaintextToken = arguments.has(.allowPlaintext)
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
