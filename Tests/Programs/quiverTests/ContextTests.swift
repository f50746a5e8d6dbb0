import Foundation
import QuiverCredentials
import TestSupport
import Testing

@testable import quiver_command

@Suite("Contexts", .timeLimit(.minutes(5)))
struct ContextTests {
  /// Runs without a server or a token from the environment, with another home than the server's.
  private func run(_ arguments: [String], in home: TemporaryDirectory, input: String? = nil) throws
    -> Run
  {
    try Run(arguments, in: home, input: input)
  }

  private func token(of server: RunningServer) throws -> String {
    let made = try server.quiver("token", "create", "--name", "Robin", "--kind", "user")
    #expect(made.code == 0, "\(made.errors)")
    return made.output
  }

  @Test("after a login commands use the stored server and token, which only the user can read")
  func login() throws {
    let server = try RunningServer()
    let home = try TemporaryDirectory()
    let token = try token(of: server)
    let login = try run(
      ["login", "club", "--server", server.address], in: home, input: token)
    #expect(login.code == 0 && login.output.contains("as Robin"), "\(login.errors)")
    let who = try run(["equipment", "hub"], in: home)
    #expect(who.code == 0, "\(who.errors)")
    for file in ["contexts.json", "tokens/club"] {
      let path = "\(home.path)/.config/quiver/\(file)"
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o600, "\(file)")
    }
    let list = try run(["contexts"], in: home)
    #expect(list.output.contains("club") && list.output.contains(server.address))
    #expect(!list.output.contains(token.trimmingCharacters(in: .newlines)))
    let wrong = try run(["equipment", "hub", "--context", "clab"], in: home)
    #expect(wrong.code == 64 && wrong.errors.contains("did you mean club?"))
    #expect(try run(["logout", "club"], in: home).code == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(home.path)/.config/quiver/tokens/club"))
    #expect(try run(["logout", "club"], in: home).code == 64)
  }

  @Test("An unknown token is not stored, and the error names its source")
  func unknownToken() throws {
    let server = try RunningServer()
    let home = try TemporaryDirectory()
    let unknown = "qv_" + String(repeating: "A", count: 43)
    let login = try run(
      ["login", "club", "--server", server.address], in: home, input: unknown)
    #expect(login.code == 80)
    #expect(!FileManager.default.fileExists(atPath: "\(home.path)/.config/quiver/contexts.json"))
    let file = "\(home.path)/token"
    try unknown.write(toFile: file, atomically: true, encoding: .utf8)
    let call = try run(
      ["equipment", "hub", "--server", server.address, "--token-file", file], in: home)
    #expect(call.code == 80 && call.errors.contains("--token-file \(file)"), "\(call.errors)")
  }

  @Test("a token file in the current folder does not override the user's configuration")
  func currentFolder() throws {
    let server = try RunningServer()
    let home = try TemporaryDirectory()
    let folder = "\(home.path)/.config/quiver"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: "\(home.path)/data", withIntermediateDirectories: true)
    try token(of: server).write(toFile: "\(folder)/token", atomically: true, encoding: .utf8)
    try ("qv_" + String(repeating: "A", count: 43)).write(
      toFile: "\(home.path)/data/admin.token", atomically: true, encoding: .utf8)
    let who = try run(["equipment", "hub", "--server", server.address], in: home)
    #expect(who.code == 0, "\(who.errors)")
  }

  @Test("A server in a flag does not get the token of a context")
  func otherServer() throws {
    let server = try RunningServer()
    let home = try TemporaryDirectory()
    let login = try run(
      ["login", "club", "--server", server.address], in: home, input: try token(of: server))
    #expect(login.code == 0, "\(login.errors)")
    let other = try RunningServer()
    let call = try run(["equipment", "hub", "--server", other.address], in: home)
    #expect(call.code == 80 && call.errors.contains("no token was found"), "\(call.errors)")
  }

  @Test("A context works from every folder, whatever the login's relative paths were")
  func relativePaths() throws {
    let directory = try TemporaryDirectory()
    let server = try RunningServer(listen: "unix:" + directory.path + "/socket")
    let token = try token(of: server)
    let login = try Run(
      ["login", "club", "--server", "unix:socket"], in: directory, input: token,
      environment: ["XDG_CONFIG_HOME": "configuration"])
    #expect(login.code == 0, "\(login.errors)")
    let who = try Run(
      ["equipment", "hub"], in: try TemporaryDirectory(),
      environment: ["XDG_CONFIG_HOME": directory.path + "/configuration"])
    #expect(who.code == 0, "\(who.errors)")
  }

  @Test("The administrator's token in the current folder goes to a server of this machine only")
  func administratorToken() throws {
    let home = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: "\(home.path)/data", withIntermediateDirectories: true)
    try ("qv_" + String(repeating: "A", count: 43)).write(
      toFile: "\(home.path)/data/admin.token", atomically: true, encoding: .utf8)
    // An address for documentation: nothing answers there. A token would not be sent without TLS.
    let far = ["equipment", "hub", "--server", "192.0.2.1:1", "--timeout", "200ms"]
    let given = try run(far + ["--token-file", "data/admin.token"], in: home)
    #expect(given.code != 0 && given.errors.contains("--allow-plaintext"), "\(given.errors)")
    let found = try run(far, in: home)
    #expect(found.code != 0 && !found.errors.contains("--allow-plaintext"), "\(found.errors)")
    let server = try RunningServer()
    let near = try run(["equipment", "hub", "--server", server.address], in: home)
    #expect(near.code == 80 && near.errors.contains("data/admin.token"), "\(near.errors)")
    for address in ["127.0.0.1:1", "tls://127.1.2.3:4", "unix:a", "localhost:1", "[::1]:2"] {
      #expect(Credentials.isLocal(address), "\(address)")
    }
    for address in [
      "127.example:1", "tls://127.0.0.1.example:1", "archery.example:1", "10.0.0.1:2",
    ] {
      #expect(!Credentials.isLocal(address), "\(address)")
    }
  }

  @Test(
    "A rotated token replaces the one in its file, and the old one is rejected after the overlap")
  func rotate() throws {
    let server = try RunningServer()
    let home = try TemporaryDirectory()
    let file = "\(home.path)/token"
    let token = try token(of: server)
    try token.write(toFile: file, atomically: true, encoding: .utf8)
    let arguments = ["--server", server.address, "--token-file", file]
    let wrong = try run(["token", "rotate", "--overlap", "8d"] + arguments, in: home)
    #expect(wrong.code != 0 && wrong.errors.contains("overlap_ms"), "\(wrong.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == token)
    let rotated = try run(["token", "rotate", "--overlap", "1ms"] + arguments, in: home)
    #expect(rotated.code == 0 && rotated.output.isEmpty, "\(rotated.errors)")
    let new = try String(contentsOfFile: file, encoding: .utf8)
    #expect(new != token && new.hasPrefix("qv_"))
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["token"])
    let hub = try run(["equipment", "hub"] + arguments, in: home)
    #expect(hub.code == 0, "\(hub.errors)")
    let old = "\(home.path)/old"
    try token.write(toFile: old, atomically: true, encoding: .utf8)
    let refused = try run(
      ["equipment", "hub", "--server", server.address, "--token-file", old], in: home)
    #expect(refused.code == 80, "\(refused.errors)")
  }
}
