import Foundation
import QuiverCommandLine
import QuiverCredentials
import Testing

@Suite("The rule for credentials", .timeLimit(.minutes(5)))
struct CredentialsTests {
  private static let contexts: Contexts = {
    var contexts = Contexts()
    contexts.named["club"] = Context(server: "tls://club.example:7450", tokenFile: "/c/club")
    contexts.named["home"] = Context(server: "127.0.0.1:7450", tokenFile: "/c/home")
    contexts.named["club"]?.authorities = "/c/club.pem"
    contexts.current = "club"
    return contexts
  }()

  private static func credentials(
    _ environment: [String: String] = [:], files: [String] = [],
    _ change: (inout Credentials.Given) -> Void = { _ in }
  ) throws(UsageError) -> Credentials {
    var given = Credentials.Given()
    change(&given)
    var sources = Credentials.Sources()
    sources.environment = { environment[$0] }
    sources.canRead = { files.contains($0) }
    sources.folder = "configuration"
    return try Credentials(given, contexts, sources)
  }

  @Test("A flag comes before the environment, and the environment before a context")
  func order() throws {
    let plain = try Self.credentials()
    #expect(
      plain.server.value == "tls://club.example:7450" && plain.server.source == "context club")
    #expect(plain.tokenFile?.value == "/c/club" && plain.authorities?.value == "/c/club.pem")
    #expect(plain.skipped.isEmpty)

    let environment = try Self.credentials(["QUIVER_SERVER": "a:1", "QUIVER_TOKEN_FILE": "/t"])
    #expect(environment.server.source == "$QUIVER_SERVER" && environment.tokenFile?.value == "/t")
    #expect(environment.skipped.contains { $0.contains("context club is for") })

    let flags = try Self.credentials(["QUIVER_SERVER": "a:1", "QUIVER_TOKEN_FILE": "/t"]) {
      ($0.server, $0.tokenFile, $0.authorities) = ("b:2", "/f", "/f.pem")
    }
    #expect(flags.server.value == "b:2" && flags.tokenFile?.value == "/f")
    #expect(flags.authorities?.source == "--ca")
    #expect(flags.skipped.contains { $0.contains("$QUIVER_TOKEN_FILE") })

    let chosen = try Self.credentials(["QUIVER_SERVER": "a:1", "QUIVER_TOKEN_FILE": "/t"]) {
      $0.context = "home"
    }
    #expect(chosen.server.value == "127.0.0.1:7450" && chosen.tokenFile?.value == "/c/home")
    let selected = try Self.credentials(["QUIVER_CONTEXT": "home"])
    #expect(selected.server.source == "context home")
  }

  /// What clients in other languages are tested with: clients/logins.
  @Test("The cases of the clients in other languages hold for these programs")
  func cases() throws {
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    folder.append(path: "clients/logins")
    let contexts = try JSONDecoder().decode(
      Contexts.self, from: Data(contentsOf: folder.appending(path: "quiver/contexts.json")))
    let text = try String(contentsOf: folder.appending(path: "cases.txt"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count > 15)
    let names = ["QUIVER_SERVER", "QUIVER_CONTEXT", "QUIVER_TOKEN_FILE", "QUIVER_CA"]
    for line in lines {
      let columns = line.split(separator: "\t").map { $0 == "-" ? nil : String($0) }
      var given = Credentials.Given()
      (given.server, given.context, given.tokenFile) = (columns[0], columns[1], columns[2])
      var sources = Credentials.Sources()
      let environment = Dictionary(uniqueKeysWithValues: zip(names, columns[3...6]))
      sources.environment = { environment[$0] ?? nil }
      sources.canRead = { _ in false }
      sources.folder = nil
      do throws(UsageError) {
        let found = try Credentials(given, contexts, sources)
        let values = [found.server.value, found.tokenFile?.value, found.authorities?.value]
        #expect(values == Array(columns[7...]), "\(line)")
      } catch {
        #expect(columns[7] == "!" && error.description.contains(columns[8] ?? "!"), "\(error)")
      }
    }
  }

  @Test("A token goes to the server of its context only, and the administrator's to this machine")
  func bounds() throws {
    let other = try Self.credentials(
      ["QUIVER_SERVER": "far.example:1"], files: ["data/admin.token"])
    #expect(other.tokenFile == nil && other.tokenHint.contains("context club is for"))
    let here = try Self.credentials(["QUIVER_SERVER": "[::1]:1"], files: ["data/admin.token"])
    #expect(here.tokenFile?.value == "data/admin.token")
    // One of several addresses that is far is enough.
    let several = try Self.credentials(files: ["data/admin.token"]) {
      $0.server = "127.0.0.1:1,far.example:1"
    }
    #expect(several.tokenFile == nil)
    let own = try Self.credentials(
      ["QUIVER_SERVER": "far.example:1"], files: ["configuration/token", "data/admin.token"])
    #expect(own.tokenFile?.value == "configuration/token")
  }

  @Test("What contradicts itself, and a context that there is not, are refused")
  func refusals() throws {
    let two = #expect(throws: UsageError.self) {
      try Self.credentials { ($0.server, $0.context) = ("b:2", "club") }
    }
    #expect(two?.description.contains("tls://club.example:7450") == true)
    let none = #expect(throws: UsageError.self) { try Self.credentials { $0.context = "clab" } }
    #expect(none?.description.contains("did you mean club?") == true)
    let same = try Self.credentials {
      ($0.server, $0.isSecure, $0.context) = ("club.example:7450", true, "club")
    }
    #expect(same.server.source == "--server" && same.tokenFile?.value == "/c/club")
  }

  @Test("The lines say where each setting is from, and what was not used")
  func lines() throws {
    let lines = try Self.credentials(["QUIVER_TOKEN_FILE": "/t"]).lines
    #expect(lines[0] == "server tls://club.example:7450, from context club")
    #expect(lines[1] == "token in /t, from $QUIVER_TOKEN_FILE")
    #expect(lines.last?.hasPrefix("not used: the token of context club") == true)
  }
}
