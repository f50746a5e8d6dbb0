import Foundation
import TestSupport
import Testing

@Suite("Standard output", .timeLimit(.minutes(20)))
struct OutputTests {
  @Test("A write error ends a command with the exit code of all programs and names the cause")
  func writeError() throws {
    let server = try RunningServer()
    for arguments in [
      ["health"], ["methods"], ["call", "Account/WhoAmI"], ["equipment", "hub"], ["--help"],
      ["help", "event"], ["--version"],
    ] {
      let run = try server.run(arguments, outputPath: "/dev/full")
      #expect(run.code == 74, "\(arguments)")
      #expect(
        run.errors.contains("cannot write standard output: No space left on device"),
        "\(arguments): \(run.errors)")
    }
  }

  @Test("A reader that closes the pipe ends a command without a word, as SIGPIPE would")
  func closedPipe() throws {
    let server = try RunningServer()
    for arguments in [["--help"], ["help", "event"], ["methods"], ["principal", "list"]] {
      let run = try Run.Started(
        arguments, in: server.directory, environment: ["QUIVER_SERVER": server.address],
        isRead: false
      ).end()
      #expect(run.code == 128 + SIGPIPE && run.errors.isEmpty, "\(arguments): \(run.errors)")
    }
  }

  @Test("If a token's secret cannot be written, the error names the command that revokes it")
  func lostSecret() throws {
    let server = try RunningServer()
    let run = try server.run(
      ["token", "create", "--name", "Robin", "--kind", "user"], outputPath: "/dev/full")
    #expect(run.code == 74)
    let hint = try #require(run.errors.firstMatch(of: /quiver token revoke (\d+)/))
    #expect(try server.quiver("token", "revoke", String(hint.1)).code == 0)
  }

  @Test("A secret goes to a new file of its owner, and to no other")
  func secretFile() throws {
    let server = try RunningServer()
    let file = server.directory.path + "/robin.token"
    let create = ["token", "create", "--name", "Robin", "--kind", "user", "--secret-file"]
    let made = try server.run(create + [file])
    #expect(made.code == 0 && made.output.isEmpty, "\(made.errors)")
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let who = try server.run(["call", "Account/WhoAmI", "{}"], tokenFile: file)
    #expect(who.output.contains("Robin"), "\(who.errors)")
    let secret = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!made.errors.contains(secret.trimmingCharacters(in: .whitespacesAndNewlines)))
    // Nothing is created where the secret cannot be stored.
    let before = try server.quiver("token", "list").output
    let link = server.directory.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "elsewhere")
    for (path, reason) in [
      (file, "File exists"), (link, "File exists"), ("-", "--secret-file names a file"),
      ("/dev/full", "File exists"), (server.directory.path + "/none/a", "No such file"),
    ] {
      let refused = try server.run(create + [path])
      #expect(refused.code == 64 && refused.errors.contains(reason), "\(path): \(refused.errors)")
    }
    let both = try server.run(create + [server.directory.path + "/b", "--json"])
    #expect(both.code == 64 && both.errors.contains("exclude each other"))
    #expect(try server.quiver("token", "list").output == before)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == secret)
    // A file that was made is removed again where the server refuses the token.
    let rest = server.directory.path + "/rest"
    let unknown = try server.quiver("token", "create", "--principal", "99", "--secret-file", rest)
    #expect(unknown.code == 69 && !FileManager.default.fileExists(atPath: rest))
  }

  @Test("Control characters in text of other users are escaped, and the JSON keeps the value")
  func escapes() throws {
    let server = try RunningServer()
    let notes = "a\u{9B}31m\u{202E}b\u{2066}c\u{2028}d\u{2029}e\u{1B}[2J\u{7F}f\u{200F}"
    let request = ["riser": ["brand": "Hoyt", "model": "One", "notes": notes]]
    let body = String(
      decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self)
    let made = try server.quiver("call", "Equipment/CreateRiser", body)
    guard made.code == 0 else {
      // The service may reject some of them; then nothing of others can hold them.
      Issue.record("the riser was not created: \(made.errors)")
      return
    }
    #expect(try made.json()["notes"] as? String == notes)
    for scalar in made.output.unicodeScalars where scalar != "\n" {
      #expect(!scalar.properties.generalCategory.controlsTerminal, "U+\(scalar.value)")
    }
  }
}

extension Unicode.GeneralCategory {
  fileprivate var controlsTerminal: Bool {
    self == .control || self == .format || self == .lineSeparator || self == .paragraphSeparator
  }
}
