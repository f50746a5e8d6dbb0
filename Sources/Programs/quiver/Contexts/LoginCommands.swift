import QuiverAPI
import QuiverClient
import QuiverCredentials
import QuiverRPC
import QuiverWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `quiver login`, `logout` and `contexts`: named servers in the user's configuration folder.
enum LoginCommands {
  static let login = Command(
    "login", operands: "NAME", summary: "store a server and a token under a name",
    details: """
      Reads the token from the file that --token-file names, or from one line of standard input,
      asks the server whose token it is, and stores address, trusted authorities and token in the
      user's configuration folder, readable by the user alone. Later commands use this context by
      default; --context NAME or $QUIVER_CONTEXT selects another one.
      """,
    flags: [.timeout], run: runLogin)
  static let logout = Command(
    "logout", operands: "NAME", summary: "remove a stored server and its token",
    details: "The token stays valid at the server; quiver token revoke ends it.", run: runLogout)
  static let contexts = Command(
    "contexts", summary: "list the stored servers", run: runContexts)

  private static let runLogin: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let name = try name(arguments)
    let token: String
    if let path = arguments.value(of: .tokenFile) {
      token = try Access.token(inFile: path)
    } else {
      token = try Access.token(try InputText.standardInput(), from: "standard input")
    }
    let access = try Access(arguments, token: token)
    let answer = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Account.whoAmI, WhoAmIRequest())
    }
    var contexts = try Contexts.stored()
    let path = try Contexts.write(Array((token + "\n").utf8), to: "tokens/\(name)")
    var context = Context(
      server: absoluteAddress(access.configuration.server), tokenFile: absolute(path))
    context.authorities = (arguments.value(of: .authorities) ?? Access.environment("QUIVER_CA"))
      .map(absolute)
    context.certificate = arguments.value(of: .certificate).map(absolute)
    context.key = arguments.value(of: .key).map(absolute)
    context.serverName = arguments.value(of: .serverName)
    contexts.named[name] = context
    contexts.current = name
    try contexts.save()
    let principal = Terminal.oneLine(answer.principal?.shownName ?? "")
    try Terminal.confirm("logged in to \(access.configuration.server) as \(principal)")
    for line in overriding(contexts, name) { Terminal.notice(line) }
  }

  /// What of the environment comes before a context, so that a login would have no effect.
  private static func overriding(_ contexts: Contexts, _ name: String) -> [String] {
    var lines: [String] = []
    if let server = Access.environment("QUIVER_SERVER"), server != contexts.named[name]?.server {
      lines.append(
        "$QUIVER_SERVER names \(server) and comes before it: unset it, or give --context \(name)")
    }
    if let file = Access.environment("QUIVER_TOKEN_FILE") {
      lines.append(
        "$QUIVER_TOKEN_FILE names \(file) and comes before its token: unset it, or give --context"
          + " \(name)")
    }
    if let other = Access.environment("QUIVER_CONTEXT"), other != name {
      lines.append("$QUIVER_CONTEXT selects context \(other)")
    }
    return lines
  }

  /// A path as it is from every folder.
  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  private static func absoluteAddress(_ server: String) -> String {
    let scheme = "unix:"
    return server.hasPrefix(scheme)
      ? scheme + absolute(String(server.dropFirst(scheme.count))) : server
  }

  private static let runLogout: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let name = try name(arguments)
    var contexts = try Contexts.stored()
    guard contexts.named.removeValue(forKey: name) != nil else {
      throw arguments.usage(
        "there is no context \(name)"
          + Spelling.question(name, among: contexts.named.keys.sorted()))
    }
    let wasCurrent = contexts.current == name
    if wasCurrent { contexts.current = nil }
    try contexts.save()
    try Contexts.remove("tokens/\(name)")
    try Terminal.confirm("context \(name) is removed")
    Terminal.notice("its token stays valid at the server: quiver token revoke ends it")
    if wasCurrent, !contexts.named.isEmpty {
      let others = contexts.named.keys.sorted().joined(separator: ", ")
      Terminal.notice("no context is selected now; --context selects one of \(others)")
    }
    for variable in ["QUIVER_SERVER", "QUIVER_TOKEN_FILE"] {
      guard let value = Access.environment(variable) else { continue }
      Terminal.notice("$\(variable) still names \(value)")
    }
  }

  private static let runContexts: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    let contexts = try Contexts.stored()
    let rows = contexts.named.sorted { $0.key < $1.key }.map { name, context in
      [name == contexts.current ? "*" : "", name, context.server, context.tokenFile]
    }
    try Terminal.print(table: [["", "NAME", "SERVER", "TOKEN FILE"]] + rows)
  }

  private static func name(_ arguments: Arguments) throws(Failure) -> String {
    let name = try arguments.operands(1...1, "one NAME")[0]
    let isValid = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isValid, (1...50).contains(name.utf8.count) else {
      throw arguments.usage("NAME must be 1 to 50 letters, digits, - and _")
    }
    return name
  }
}
