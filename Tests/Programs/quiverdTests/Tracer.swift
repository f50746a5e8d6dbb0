import ChildProcesses
import Foundation
import Testing

/// `strace` at work on a running server, putting faults into its system calls.
final class Tracer: Sendable {
  private let process = ChildProcess()

  /// Attaches to all threads; from here on calls fail, wait or kill as `injection` says.
  ///
  /// Records an issue where strace is missing or may not trace, and says what to do.
  init(_ server: ServerProcess, _ injection: String) throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"),
      "strace is missing; tools/test installs it")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
    let call = injection.split(separator: ":").first.map(String.init) ?? ""
    process.arguments = [
      "-f", "-o", "/dev/null", "-p", "\(server.id)", "-e", "trace=\(call)", "-e", "signal=none",
      "-e", "inject=\(injection)",
    ]
    let said = Pipe()
    process.standardError = said
    try process.run()
    var text = ""
    while !text.contains("attached") {
      let more = said.fileHandleForReading.availableData
      try #require(
        !more.isEmpty, "strace cannot attach (in a container: --cap-add=SYS_PTRACE): \(text)")
      text += String(decoding: more, as: UTF8.self)
    }
    // What it says later has to go somewhere.
    said.fileHandleForReading.readabilityHandler = { handle in
      if handle.availableData.isEmpty { handle.readabilityHandler = nil }
    }
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Lets the server go on as it was.
  func detach() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Waits until the server has ended.
  func waitForEnd() { process.waitUntilExit() }
}
