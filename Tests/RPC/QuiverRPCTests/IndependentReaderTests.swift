import ChildProcesses
import Foundation
import Testing

@Suite("An independent implementation", .timeLimit(.minutes(5)))
struct IndependentReaderTests {
  @Test("V02: a reader in Python, written from PROTOCOL.md, reads and creates the same vectors")
  func vectors() throws {
    let python = ProcessInfo.processInfo.environment["QUIVER_PYTHON"] ?? "python3"
    let process = ChildProcess()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      python, "-B", Vectors.root.appending(path: "Tests/Fixtures/wire/quiver_vectors.py").path,
      "check",
    ]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.contains("valid frames"))
  }
}
