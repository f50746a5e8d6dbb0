import ChildProcesses
import Foundation
import ServerPrograms

/// The program as a child process, under `strace` if a fault is injected.
struct Child {
  /// How it ended.
  struct Ending: Equatable {
    /// The exit code; nil if a signal ended it.
    var code: Int32?
    var events: [History.Event]
    /// The output of strace, if it ran.
    var trace: String
  }

  /// The path of the program in the same directory.
  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "torture")

  var scratch: ScratchDirectory
  var arguments: [String]
  /// The injection of strace, for example `fdatasync:signal=SIGKILL:when=3`; nil runs without
  /// strace.
  var injection: String?
  /// Kills the program after it has acknowledged this many operations.
  var killAfterAcknowledged: Int?
  /// What is done then instead of the kill.
  var disturbance: (@Sendable () -> Void)?

  /// Throws unless strace can trace here; the error says what to do.
  static func requireStrace(searching path: String? = nil) throws {
    let probe = ChildProcess()
    if let path { probe.environment = ["PATH": path] }
    probe.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    probe.arguments = [
      "strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=fdatasync:error=EIO", "true",
    ]
    probe.standardError = FileHandle.nullDevice
    try probe.run()
    probe.waitUntilExit()
    guard probe.terminationReason == .exit, probe.terminationStatus == 0 else {
      throw Complaint(
        "strace cannot run here: install it (apt-get install strace) and allow ptrace (in a"
          + " container: --cap-add=SYS_PTRACE); without it crashes are not tried")
    }
  }

  func run() throws -> Ending {
    let log = scratch.make()
    let (history, trace) = (log + "/history", log + "/trace")
    guard FileManager.default.createFile(atPath: history, contents: nil) else {
      throw Complaint("cannot write \(history)")
    }
    let process = ChildProcess()
    if let injection {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      let name = injection.split(separator: ":").first.map(String.init) ?? ""
      process.arguments =
        [
          "strace", "-f", "-qq", "-o", trace, "-e", "trace=write,\(name)", "-e",
          "signal=none", "-e", "inject=\(injection)", Self.program.path,
        ] + arguments
    } else {
      process.executableURL = Self.program
      process.arguments = arguments
    }
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = killAfterAcknowledged == nil ? nil : output
    if killAfterAcknowledged == nil {
      process.standardOutput = FileHandle(forWritingAtPath: history)
    }
    try process.run()
    if let killAfterAcknowledged {
      try follow(output.fileHandleForReading, into: history, process, killAfterAcknowledged)
    }
    process.waitUntilExit()
    let ending = Ending(
      code: process.terminationReason == .exit ? process.terminationStatus : nil,
      events: try History.read(history),
      trace: (try? String(contentsOfFile: trace, encoding: .utf8)) ?? "")
    try? FileManager.default.removeItem(atPath: log)
    return ending
  }

  /// Copies the lines as they arrive, kills at the count, and copies the rest.
  private func follow(
    _ output: FileHandle, into path: String, _ process: ChildProcess, _ count: Int
  ) throws {
    guard let history = FileHandle(forWritingAtPath: path) else {
      throw Complaint("cannot write \(path)")
    }
    var acknowledged = 0
    var isKilled = false
    while true {
      let part = output.availableData
      guard !part.isEmpty else { break }
      history.write(part)
      acknowledged +=
        String(decoding: part, as: UTF8.self).components(separatedBy: "done ").count - 1
      if acknowledged >= count, !isKilled {
        if let disturbance { disturbance() } else { _ = process.signal(SIGKILL) }
        isKilled = true
      }
    }
  }
}
