import Glibc
package import QuiverCommandLine

/// The server, the token and the trusted authorities of a command: those of a flag, else of the
/// environment, else of a context.
///
/// `--context` is a flag, so its server and its token come before the environment. A context that
/// is not used is in ``skipped`` with the reason: its token goes to no other server than its own.
package struct Credentials: Sendable {
  /// A setting with where it comes from, as in `--server` or `context club`.
  package struct Setting: Sendable, Equatable {
    package let value: String
    package let source: String
  }

  package let server: Setting
  /// The file of the token; nil: there is none.
  package private(set) var tokenFile: Setting?
  package private(set) var authorities: Setting?
  /// The context that is used; nil: none.
  package private(set) var context: (name: String, context: Context)?
  /// What was not used, and why, in sentences.
  package private(set) var skipped: [String] = []

  package static let defaultServer = "127.0.0.1:7450"
  package static let secureScheme = "tls://"

  /// Where settings are looked up beside the flags, so that a test can give others.
  package struct Sources: Sendable {
    package var environment: @Sendable (String) -> String? = { Contexts.environment($0) }
    package var canRead: @Sendable (String) -> Bool = { access($0, R_OK) == 0 }
    package var folder: String? = Contexts.folder

    package init() {}
  }

  /// What the flags of a command line name.
  package struct Given: Sendable {
    /// An address, or several that are separated by commas.
    package var server: String?
    package var tokenFile: String?
    package var context: String?
    package var authorities: String?
    /// Whether `--tls` is given.
    package var isSecure = false

    package init() {}
  }

  package init(
    _ given: Given, _ contexts: Contexts, _ sources: Sources = Sources()
  ) throws(UsageError) {
    let flag = given.context
    let named = sources.environment("QUIVER_CONTEXT")
    let selected = try Self.context(flag, named, contexts)
    func address(_ text: String) -> String {
      guard given.isSecure else { return text }
      return Self.addresses(text).map { address in
        address.hasPrefix(Self.secureScheme) ? address : Self.secureScheme + address
      }.joined(separator: ",")
    }
    let byFlag = given.server.map {
      Setting(value: address($0), source: "--server")
    }
    let byEnvironment = sources.environment("QUIVER_SERVER").map {
      Setting(value: address($0), source: "$QUIVER_SERVER")
    }
    let byContext = selected.map {
      Setting(value: address($0.context.server), source: "context \($0.name)")
    }
    if flag != nil, let byFlag, let byContext, byFlag.value != byContext.value {
      throw UsageError(
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
    chooseToken(given, isChosen: isChosen, sources)
    if let file = given.authorities {
      authorities = Setting(value: file, source: "--ca")
    } else if let file = sources.environment("QUIVER_CA"), !(isChosen && context != nil) {
      authorities = Setting(value: file, source: "$QUIVER_CA")
    } else if let context, let file = context.context.authorities {
      authorities = Setting(value: file, source: "context \(context.name)")
    }
  }

  /// The selected context: that of the flag, else of the environment, else of the last login.
  private static func context(
    _ flag: String?, _ named: String?, _ contexts: Contexts
  ) throws(UsageError) -> (name: String, context: Context)? {
    guard let name = flag ?? named ?? contexts.current else { return nil }
    if let context = contexts.named[name] { return (name, context) }
    guard flag != nil || named != nil else { return nil }
    let known = contexts.named.keys.sorted()
    throw UsageError(
      "there is no context \(name)"
        + (Spelling.nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? "")
        + (known.isEmpty ? "; quiver login creates one" : ""))
  }

  private mutating func chooseToken(
    _ given: Given, isChosen: Bool, _ sources: Sources
  ) {
    let stored = context.map {
      Setting(value: $0.context.tokenFile, source: "context \($0.name)")
    }
    let environment = sources.environment("QUIVER_TOKEN_FILE").map {
      Setting(value: $0, source: "$QUIVER_TOKEN_FILE")
    }
    if let path = given.tokenFile {
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
    if Self.isLocal(server.value) { usual.append("data/admin.token") }
    tokenFile = usual.first(where: sources.canRead).map { Setting(value: $0, source: "the file") }
  }

  /// The addresses of a text that separates them by commas.
  package static func addresses(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// Whether all addresses are of this machine by their form; no name is looked up.
  package static func isLocal(_ server: String) -> Bool {
    addresses(server).allSatisfy { text in
      let address = text.hasPrefix(secureScheme) ? text.dropFirst(secureScheme.count) : text[...]
      if ["unix:", "localhost:", "[::1]:"].contains(where: { address.hasPrefix($0) }) {
        return true
      }
      // A name can begin with 127 too.
      return address.hasPrefix("127.")
        && address.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2E, 0x3A].contains($0) }
    }
  }

  /// Where the token is from, or where none was found, and what was not used.
  package var tokenHint: String {
    let skipped = skipped.map { "; not used: \($0)" }.joined()
    if let tokenFile {
      return "the token is from \(tokenFile.source) \(tokenFile.value)" + skipped
    }
    return "no token was found in ~/.config/quiver/token"
      + (Self.isLocal(server.value) ? " and ./data/admin.token" : "")
      + "; give --token-file FILE, or log in with quiver login" + skipped
  }

  /// What is used and what is not, for `-v`.
  package var lines: [String] {
    var lines = ["server \(server.value), from \(server.source)"]
    lines.append(
      tokenFile.map { "token in \($0.value), from \($0.source)" } ?? "no token was found")
    if let authorities {
      lines.append("authorities in \(authorities.value), from \(authorities.source)")
    }
    return lines + skipped.map { "not used: \($0)" }
  }
}
