import ChildProcesses
import Foundation
import ServerPrograms

/// A device in a process of its own, whose output is a file.
struct DeviceProcess {
  private let process = ChildProcess()
  private let output: String

  private static let readyMilliseconds = 60_000
  /// The longest time in which a device sends and loads everything.
  private static let endMilliseconds = 120_000

  /// Starts a device with the arguments of `session-kills device`.
  init(_ arguments: [String], output: String) throws {
    self.output = output
    guard FileManager.default.createFile(atPath: output, contents: nil),
      let handle = FileHandle(forWritingAtPath: output)
    else { throw Complaint("cannot write \(output)") }
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["device"] + arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle
    try process.run()
    try? handle.close()
  }

  /// Waits until the device has printed what its store has, or has ended.
  func waitUntilReady() async throws {
    let ready = Data("\(DeviceLine.ready.text)\n".utf8)
    for _ in 0..<Self.readyMilliseconds {
      guard process.isRunning else { return }
      let text = try Data(contentsOf: URL(fileURLWithPath: output))
      if text.range(of: ready) != nil { return }
      try await Task.sleep(for: .milliseconds(1))
    }
    throw Complaint("a device did not start; its output is \(output)")
  }

  /// Kills the device; returns how it had ended by itself, nil if it had not.
  @discardableResult
  func kill() -> String? {
    guard process.signal(SIGKILL) else {
      process.waitUntilExit()
      return ending
    }
    process.waitUntilExit()
    let wasKilled =
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    return wasKilled ? nil : ending
  }

  /// Waits until the device ends; returns what prevented it from ending well, nil if nothing did.
  func wait() -> String? {
    for _ in 0..<Self.endMilliseconds where process.isRunning { usleep(1_000) }
    if process.signal(SIGKILL) {
      process.waitUntilExit()
      return "it did not end within \(Self.endMilliseconds) ms"
    }
    process.waitUntilExit()
    let isGood = process.terminationReason == .exit && process.terminationStatus == 0
    return isGood ? nil : ending
  }

  /// The output of a device that has ended.
  func lines() throws -> [DeviceLine] {
    let text = try String(contentsOfFile: output, encoding: .utf8)
    // A line without its end was cut by the kill.
    return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      line in
      guard let line = DeviceLine(line) else { throw Complaint("cannot read \(line)") }
      return line
    }
  }

  private var ending: String {
    let kind = process.terminationReason == .exit ? "exit code" : "signal"
    return "\(kind) \(process.terminationStatus)"
  }
}
