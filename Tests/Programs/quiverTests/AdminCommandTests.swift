import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("quiver admin", .timeLimit(.minutes(20)))
struct AdminCommandTests {
  private static let riser = #"{"riser":{"brand":"Hoyt","model":"Formula"}}"#

  @Test("A backup is created on the server's disk, and sha256sum agrees with the printed checksum")
  func backup() throws {
    let server = try RunningServer()
    #expect(try server.quiver("call", "CreateRiser", Self.riser).code == 0)
    let path = server.directory.path + "/backup.db"
    let run = try server.quiver("admin", "backup", path)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.hasSuffix("  \(path)\n"))
    let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
    #expect(run.errors.contains("\(size) bytes, synced, every page checked"))
    #expect(run.errors.contains("copies its database to \(path)"))
    let sums = try server.directory.file("sums", run.output)
    #expect(try Self.run(["sha256sum", "--check", "--quiet", sums]) == 0)

    let again = try server.quiver("admin", "backup", path)
    #expect(again.code == 64 + 6 && again.output.isEmpty)
    #expect(again.errors.contains("\(path) is there already; name another file"))
    let nowhere = try server.quiver("admin", "backup", server.directory.path + "/no/b.db")
    #expect(nowhere.code == 64 + 9)
    #expect(nowhere.errors.contains("its directory must be there"))
    #expect(try server.quiver("call", "ListItems").code == 0)
  }

  @Test("A restored backup has the changes that were acknowledged before it")
  func restored() throws {
    let server = try RunningServer()
    let made = try server.quiver("call", "CreateRiser", Self.riser).json()
    // Of the directory in which the command runs, since the server is on this machine.
    let run = try server.quiver("admin", "backup", "copy.db")
    #expect(run.code == 0, "\(run.errors)")
    let file = server.directory.path + "/copy.db"
    #expect(run.output.hasSuffix("  \(file)\n"))
    #expect(try server.quiver("call", "CreateRiser", Self.riser).code == 0)
    let other = server.directory.path + "/restored"
    let daemon = try Programs.url("quiverd").path
    #expect(try Self.run([daemon, "restore", file, "--data", other]) == 0)

    let token = server.directory.path + "/data/admin.token"
    let second = try RunningServer(data: other)
    let list = try second.run(["call", "ListItems"], tokenFile: token).json()
    let items = try #require(list["items"] as? [[String: Any]])
    #expect(items.map { $0["id"] as? String } == [made["id"] as? String])
    let verified = try second.run(["admin", "verify"], tokenFile: token)
    #expect(verified.code == 0, "\(verified.output)")
  }

  @Test("A relative FILE is refused before a remote server is called")
  func elsewhere() throws {
    let directory = try TemporaryDirectory()
    let run = try Run(
      ["admin", "backup", "copy.db", "--server", "192.0.2.1:7450"], in: directory)
    #expect(run.code == 64)
    #expect(run.errors.contains("/var/backups/copy.db"))
    #expect(run.errors.contains("quiver admin backup --help"))
  }

  @Test("verify names each check with its result")
  func verify() throws {
    let server = try RunningServer()
    #expect(try server.quiver("call", "CreateRiser", Self.riser).code == 0)
    let run = try server.quiver("admin", "verify")
    #expect(run.code == 0 && run.errors.isEmpty)
    let rows = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(
      rows == [
        ["pages", "ok"], ["schema", "ok"], ["audit", "ok"], ["journal", "ok"],
        ["idempotency-keys", "ok"], ["counts", "ok"], ["usage", "ok"], ["rollups", "ok"],
        ["logbook", "ok"],
      ])
    let json = try server.quiver("admin", "verify", "--json").json()
    #expect((json["findings"] as? [Any])?.isEmpty == true)
    #expect((json["subjects"] as? [String])?.first == "pages")
  }

  @Test("verify names a changed row of the audit and exits with 79")
  func changedAudit() throws {
    let server = try RunningServer()
    let made = try server.quiver("token", "create", "--name", "Marian", "--kind", "user")
    #expect(made.code == 0)
    server.stop()
    try server.change("UPDATE audit SET topic = topic + 1 WHERE sequence = 2")
    try server.restart()
    let run = try server.quiver("admin", "verify")
    #expect(run.code == 79)
    #expect(run.output.contains("audit             line 2 is not what was written after line 1"))
    #expect(run.output.contains("journal           ok"))
    #expect(run.errors.hasPrefix("quiver: DATA_LOSS: one finding"))
    #expect(run.errors.contains("quiverd restore FILE --data"))
    let json = try server.quiver("admin", "verify", "--json")
    #expect(json.code == 79)
    #expect((try json.json()["findings"] as? [Any])?.count == 1)
  }

  @Test("Only an administrator may run the commands, and the error says so")
  func permission() throws {
    let server = try RunningServer()
    let made = try server.quiver("token", "create", "--name", "Much", "--kind", "user")
    let token = try server.directory.file("much.token", made.output)
    let path = server.directory.path + "/backup.db"
    for words in [["admin", "backup", path], ["admin", "verify"]] {
      let run = try server.run(words, tokenFile: token)
      #expect(run.code == 64 + 7)
      #expect(run.errors.contains("only an administrator"))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A backup that exceeds its timeout leaves no file")
  func timeout() throws {
    let server = try RunningServer()
    let path = server.directory.path + "/backup.db"
    let run = try server.quiver("admin", "backup", path, "--timeout", "1ms")
    #expect(run.code == 64 + 4)
    // One backup runs at a time: when the next has ended, the first has.
    #expect(try server.quiver("admin", "backup", path + "2").code == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: server.directory.path)
    #expect(Set(files.filter { $0.hasPrefix("backup") }) == ["backup.db2", "backup.db2.sha256"])
  }

  @Test("Each command has help", arguments: ["backup", "verify"])
  func help(_ name: String) throws {
    let directory = try TemporaryDirectory()
    let run = try Run(["admin", name, "--help"], in: directory)
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("usage: quiver admin \(name)"))
    #expect(run.output.contains("1h by default"))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    let group = try Run(["admin"], in: directory)
    #expect(group.code == 64 && group.errors.contains("admin expects a command: backup, verify"))
  }

  /// Runs another program; answers its exit code.
  private static func run(_ words: [String]) throws -> Int32 {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}
