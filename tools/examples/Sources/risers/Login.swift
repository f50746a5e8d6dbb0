import Foundation

/// The server and the token of a program: those of an argument, else of the environment, else of
/// the context that `quiver login` stored. docs/operations.md describes the file of the contexts.
struct Login {
  let server: String
  let tokenFile: String?

  private struct Context: Decodable {
    let server: String
    let tokenFile: String
  }

  private struct Contexts: Decodable {
    let current: String?
    let named: [String: Context]
  }

  /// A context cannot be used; the sentence says why.
  struct Unusable: Error {
    let sentence: String
  }

  /// The token of a context goes to the server of the context and to no other.
  init(tokenFile given: String?, environment: [String: String]) throws {
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let contexts = try Self.contexts(environment)
    let name = variable("QUIVER_CONTEXT")
    let stored = (name ?? contexts?.current).flatMap { contexts?.named[$0] }
    if let name, stored == nil { throw Unusable(sentence: "there is no context \(name)") }
    server = variable("QUIVER_SERVER") ?? stored?.server ?? "127.0.0.1:7450"
    tokenFile =
      given ?? variable("QUIVER_TOKEN_FILE")
      ?? (stored?.server == server ? stored?.tokenFile : nil)
  }

  /// Nil where nobody has logged in.
  private static func contexts(_ environment: [String: String]) throws -> Contexts? {
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    guard let folder = folder ?? environment["HOME"].map({ "\($0)/.config" }),
      let data = FileManager.default.contents(atPath: "\(folder)/quiver/contexts.json")
    else { return nil }
    guard let contexts = try? JSONDecoder().decode(Contexts.self, from: data) else {
      throw Unusable(sentence: "\(folder)/quiver/contexts.json does not contain contexts")
    }
    return contexts
  }
}
