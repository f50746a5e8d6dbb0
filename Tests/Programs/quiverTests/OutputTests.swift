import Foundation
import Testing

@Suite("Standard output", .timeLimit(.minutes(20)))
struct OutputTests {
  @Test("a write error ends a command with 64 and names the cause")
  func writeError() throws {
    let server = try RunningServer()
    for arguments in [["health"], ["methods"], ["call", "Account/WhoAmI"], ["equipment", "hub"]] {
      let run = try server.run(arguments, outputPath: "/dev/full")
      #expect(run.code == 64, "\(arguments)")
      #expect(
        run.errors.contains("cannot write standard output: No space left on device"),
        "\(arguments): \(run.errors)")
    }
  }

  @Test("If a token's secret cannot be written, the error names the command that revokes it")
  func lostSecret() throws {
    let server = try RunningServer()
    let run = try server.run(
      ["token", "create", "--name", "Robin", "--kind", "user"], outputPath: "/dev/full")
    #expect(run.code == 64)
    let hint = try #require(run.errors.firstMatch(of: /quiver token revoke (\d+)/))
    #expect(try server.quiver("token", "revoke", String(hint.1)).code == 0)
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
