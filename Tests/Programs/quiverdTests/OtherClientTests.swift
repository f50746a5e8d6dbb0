import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("quiverd with a client in another language", .timeLimit(.minutes(20)))
struct OtherClientTests {
  @Test("V02: a client in Python, written from PROTOCOL.md, makes calls of every kind")
  func python() throws {
    let directory = try TemporaryDirectory()
    let server = try ServerProcess(
      "--data", directory.path, "--listen", "127.0.0.1:0", "--diagnostics")
    let line = server.line(of: "listening")
    let address = line.split(separator: " ").first { $0.hasPrefix("address=") }
    let port = try #require(address).dropFirst("address=".count)
    #expect(server.line(of: "administrator").contains("admin.token"))

    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let client = ChildProcess()
    let output = Pipe()
    client.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    client.arguments = [
      ProcessInfo.processInfo.environment["QUIVER_PYTHON"] ?? "python3", "-B",
      root.appending(path: "Tests/Fixtures/wire/quiver_client.py").path, String(port),
      directory.path + "/admin.token",
    ]
    client.standardOutput = output
    client.standardError = output
    try client.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    client.waitUntilExit()
    #expect(client.terminationStatus == 0, "\(text)")
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("ok ") }.count == 10, "\(text)")
    server.send(SIGTERM)
    #expect(server.end().code == 0)
  }
}
