import Glibc

/// The server, the token and the trusted authorities of a command: those of a flag, else of the
/// environment, else of a context.
///
/// `--context` is a flag, so its server and its token come before the environment. A context that
/// is not used is in ``skipped`` with the reason: its token goes to no other server than its own.
struct Credentials: Sendable {
  /// A setting with where it comes from, as in `--server` or `context club`.
  struct Setting: Sendable, Equatable {
    let value: String
    let source: String
  }

  let server: Setting
  /// The file of the token; nil: there is none.
  private(set) var tokenFile: Setting?
  private(set) var authorities: Setting?
  /// The context that is used; nil: none.
  private(set) var context: (name: String, context: Context)?
  /// What was not used, and why, in sentences.
  private(set) var skipped: [String] = []

  static let defaultServer = "127.0.0.1:7450"
  static let secureScheme = "tls://"

  /// Where settings are looked up beside the flags, so that a test can give others.
  struct Sources: Sendable {
    var environment: @Sendable (String) -> String? = { Access.environment($0) }
    var canRead: @Sendable (String) -> Bool = { access($0, R_OK) == 0 }
    var folder: String? = Contexts.folder
  }

  init(
    _ arguments: Arguments, _ contexts: Contexts, _ sources: Sources = Sources()
  ) throws(Failure) {
    let flag = arguments.value(of: .context)
    let named = sources.environment("QUIVER_CONTEXT")
    let selected = try Self.context(flag, named, contexts, arguments)
    let isSecure = arguments.has(.tls)
    func address(_ text: String) -> String {
      isSecure && !text.hasPrefix(Self.secureScheme) ? Self.secureScheme + text : text
    }
    let byFlag = arguments.value(of: .server).map {
      Setting(value: address($0), source: "--server")
    }
    let byEnvironment = sources.environment("QUIVER_SERVER").map {
      Setting(value: address($0), source: "$QUIVER_SERVER")
    }
    let byContext = selected.map {
      Setting(value: address($0.context.server), source: "context \($0.name)")
    }
    if flag != nil, let byFlag, let byContext, byFlag.value != byContext.value {
      throw arguments.usage(
        "--server names \(byFlag.value), and context \(selected?.name ?? "") is for"
          + " \(byContext.value)")
    }
    let isChosen = flag != nil
    server =
      byFlag ?? (isChosen ? byContext : nil) ?? byEnvironment ?? byContext
      ?? Setting(value: address(Self.defaultServer), source: "default")
    if let selected, let byContext {
      if byContext.value == server.value {
        context = selected
      } else {
        skipped.append(
          "context \(selected.name) is for \(byContext.value), and \(server.source) names"
            + " \(server.value)")
      }
    }
    chooseToken(arguments, isChosen: isChosen, sources)
    if let file = arguments.value(of: .authorities) {
      authorities = Setting(value: file, source: "--ca")
    } else if let file = sources.environment("QUIVER_CA"), !(isChosen && context != nil) {
      authorities = Setting(value: file, source: "$QUIVER_CA")
    } else if let context, let file = context.context.authorities {
      authorities = Setting(value: file, source: "context \(context.name)")
    }
  }

  /// The selected context: that of the flag, else of the environment, else of the last login.
  private static func context(
    _ flag: String?, _ named: String?, _ contexts: Contexts, _ arguments: Arguments
  ) throws(Failure) -> (name: String, context: Context)? {
    guard let name = flag ?? named ?? contexts.current else { return nil }
    if let context = contexts.named[name] { return (name, context) }
    guard flag != nil || named != nil else { return nil }
    let known = contexts.named.keys.sorted()
    throw arguments.usage(
      "there is no context \(name)" + Spelling.question(name, among: known)
        + (known.isEmpty ? "; quiver login creates one" : ""))
  }

  private mutating func chooseToken(
    _ arguments: Arguments, isChosen: Bool, _ sources: Sources
  ) {
    let stored = context.map {
      Setting(value: $0.context.tokenFile, source: "context \($0.name)")
    }
    let environment = sources.environment("QUIVER_TOKEN_FILE").map {
      Setting(value: $0, source: "$QUIVER_TOKEN_FILE")
    }
    if let path = arguments.value(of: .tokenFile) {
      tokenFile = Setting(value: path, source: "--token-file")
    } else if isChosen, let stored {
      tokenFile = stored
    } else if let environment {
      tokenFile = environment
    } else if let stored {
      tokenFile = stored
    } else {
      chooseUsualToken(sources)
    }
    guard let tokenFile else { return }
    for other in [environment, stored] {
      guard let other, other.source != tokenFile.source else { continue }
      skipped.append("the token of \(other.source), since \(tokenFile.source) comes before it")
    }
  }

  /// A file of the current folder does not override the user's configuration, and only a server of
  /// this machine gets it.
  private mutating func chooseUsualToken(_ sources: Sources) {
    var usual: [String] = []
    if let folder = sources.folder { usual.append("\(folder)/token") }
    if Access.isLocal(server.value) { usual.append("data/admin.token") }
    tokenFile = usual.first(where: sources.canRead).map { Setting(value: $0, source: "the file") }
  }

  /// What is used and what is not, for `-v`.
  var lines: [String] {
    var lines = ["server \(server.value), from \(server.source)"]
    lines.append(
      tokenFile.map { "token in \($0.value), from \($0.source)" } ?? "no token was found")
    if let authorities {
      lines.append("authorities in \(authorities.value), from \(authorities.source)")
    }
    return lines + skipped.map { "not used: \($0)" }
  }
}
