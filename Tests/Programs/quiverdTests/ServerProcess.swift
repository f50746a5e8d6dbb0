import ChildProcesses
import Foundation
import Synchronization
import TestSupport
import Testing

/// The built `quiverd` as a child process.
final class ServerProcess: Sendable {
  private let process = ChildProcess()
  private let output = Pipe()
  private let log = Pipe()
  private let text = Mutex("")

  /// How a run ended.
  struct Ending {
    var code: Int32
    var output: String
    var log: String
  }

  /// Starts it with these arguments, and with `--init` if they name no command.
  convenience init(_ arguments: String...) throws { try self.init(arguments) }

  /// The same; a server creates its data directory unless `initializes` is false.
  ///
  /// - Parameter descriptorCount: its descriptor limit; nil for that of this process.
  /// - Parameter fileByteLimit: the size that no file may exceed at first; nil: any.
  /// - Parameter failedReads: a file whose reads end with an error of the device, and which of them
  ///   (`when` of strace's `inject`); nil: none.
  /// - Parameter smallDisk: a directory on which a file system of so many mebibytes is mounted that
  ///   only the server sees (tmpfs), which others reach below /proc/PID/root; nil: none.
  init(
    _ arguments: [String], descriptorCount: Int? = nil, fileByteLimit: Int? = nil,
    smallDisk: (path: String, mebibytes: Int)? = nil,
    failedReads: (path: String, which: String)? = nil, initializes: Bool = true,
    environment: [String: String] = [:]
  ) throws {
    let isServer = arguments.first?.hasPrefix("--") == true
    let arguments = arguments + (isServer && initializes ? ["--init"] : [])
    let here = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let program = here.deletingLastPathComponent().appending(path: "quiverd")
    if let descriptorCount {
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments =
        ["-c", "ulimit -n \(descriptorCount) && exec \"$0\" \"$@\"", program.path] + arguments
    } else if let smallDisk {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
      // Users other than root mount in a namespace of their own.
      process.arguments =
        ["--mount"] + (getuid() == 0 ? [] : ["--map-root-user"])
        + [
          "/bin/sh", "-c",
          "mount -t tmpfs -o size=\(smallDisk.mebibytes)m tmpfs \"$0\" && exec \"$@\"",
          smallDisk.path, program.path,
        ] + arguments
    } else if let failedReads {
      // With -D the tracer is no parent of the server, which gets the signals.
      process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
      process.arguments =
        [
          "-D", "-f", "-qq", "-o", "/dev/null", "-P", failedReads.path, "-e", "trace=pread64",
          "-e", "signal=none", "-e", "inject=pread64:error=EIO:when=\(failedReads.which)",
          program.path,
        ] + arguments
    } else if let fileByteLimit {
      // The soft limit alone, which can be raised again.
      process.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
      process.arguments = ["--fsize=\(fileByteLimit):unlimited", program.path] + arguments
    } else {
      process.executableURL = program
      process.arguments = arguments
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = log
    var variables = ["SWIFT_BACKTRACE": "enable=no"]
    // The mutant that tools/mutants/run has selected.
    variables["QUIVER_MUTANT"] = ProcessInfo.processInfo.environment["QUIVER_MUTANT"]
    process.environment = variables.merging(environment) { $1 }
    try process.run()
  }

  deinit {
    guard !process.isRunning else { return process.terminate() }
    let isCrash =
      process.terminationReason == .uncaughtSignal
      && [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV].contains(process.terminationStatus)
    if isCrash {
      Issue.record("quiverd crashed: signal \(process.terminationStatus)\n\(text.withLock { $0 })")
    }
  }

  /// Reads the log until the first line with this event, or the one of this number; returns the
  /// line, or what there was.
  func line(of event: String, number: Int = 1) -> String {
    while true {
      let found = text.withLock { text in
        text.split(separator: "\n").filter {
          "\($0) ".contains(" event=\(event) ") || $0.contains("\"event\":\"\(event)\"")
        }.dropFirst(number - 1).first
      }
      if let found { return String(found) }
      let more = log.fileHandleForReading.availableData
      guard !more.isEmpty else { return text.withLock { $0 } }
      text.withLock { $0 += String(decoding: more, as: UTF8.self) }
    }
  }

  var id: Int32 { process.processIdentifier }

  /// The number of its open descriptors.
  func descriptorCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count
  }

  /// Lets files grow again.
  func removeFileByteLimit() throws {
    let change = ChildProcess()
    change.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
    change.arguments = ["--pid=\(id)", "--fsize=unlimited:unlimited"]
    try change.run()
    change.waitUntilExit()
    try #require(change.terminationStatus == 0)
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits until it ends.
  func end() -> Ending {
    let rest = log.fileHandleForReading.readDataToEndOfFile()
    let output = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Ending(
      code: process.terminationReason == .exit ? process.terminationStatus : -1,
      output: String(decoding: output, as: UTF8.self),
      log: text.withLock { $0 } + String(decoding: rest, as: UTF8.self))
  }
}
