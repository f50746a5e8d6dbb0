import Glibc
package import QuiverCommandLine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A server that `quiver login` stored under a name, with what a call to it needs.
package struct Context: Codable, Sendable {
  package var server: String
  /// A PEM file of trusted authorities; nil: the system's.
  package var authorities: String?
  package var certificate: String?
  package var key: String?
  package var serverName: String?
  /// The file that holds the caller's token.
  package var tokenFile: String

  package init(server: String, tokenFile: String) {
    (self.server, self.tokenFile) = (server, tokenFile)
  }
}

/// The contexts of the user, in `contexts.json` of the user's configuration folder.
package struct Contexts: Codable, Sendable {
  /// The context that commands use by default; nil: none.
  package var current: String?
  package var named: [String: Context] = [:]

  package init() {}

  /// `$XDG_CONFIG_HOME/quiver`, or `~/.config/quiver`; nil without a home.
  package static var folder: String? {
    if let folder = environment("XDG_CONFIG_HOME") { return "\(folder)/quiver" }
    return environment("HOME").map { "\($0)/.config/quiver" }
  }

  /// Reads the contexts; there are none where the file does not exist.
  package static func load() throws(UsageError) -> Contexts {
    guard let path = folder.map({ "\($0)/contexts.json" }), access(path, F_OK) == 0 else {
      return Contexts()
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError("cannot read \(path)")
    }
    do {
      return try JSONDecoder().decode(Contexts.self, from: data)
    } catch {
      throw UsageError(
        "\(path) does not contain contexts; correct it, or remove it and log in again")
    }
  }

  /// A variable of the environment; nil where it is not set or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
