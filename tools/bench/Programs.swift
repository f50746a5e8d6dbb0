import Foundation

/// What could not be measured, and why.
struct Unmeasured: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Runs other programs, pinned to a core.
enum Programs {
  static let serverCore = 0
  static let loadCore = 1

  /// The path and arguments that run a program on one core only.
  private static func pinned(_ command: [String], core: Int) -> [String] {
    let last = max(0, ProcessInfo.processInfo.activeProcessorCount - 1)
    return ["taskset", "-c", String(min(core, last))] + command
  }

  /// The arguments that run a program on all cores, whatever starts it.
  static func unpinned(_ command: [String]) -> [String] {
    let last = max(0, ProcessInfo.processInfo.activeProcessorCount - 1)
    return ["taskset", "-c", "0-\(last)"] + command
  }

  private static func process(_ command: [String], core: Int?) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = core.map { pinned(command, core: $0) } ?? command
    return process
  }

  /// The standard output of a program.
  ///
  /// Throws `Unmeasured` with the end of its standard error if it fails.
  static func output(_ command: [String], core: Int? = nil) throws -> String {
    let process = process(command, core: core)
    let output = Pipe()
    let errors = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: errors) }
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
      let name = command.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
      throw Unmeasured("\(name) failed (\(process.terminationStatus)): \(said.suffix(400))")
    }
    return text
  }

  /// The same, read as JSON.
  static func json<Value: Decodable>(
    _ type: Value.Type, _ command: [String], core: Int? = nil
  ) throws -> Value {
    let text = try output(command, core: core)
    return try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  /// Starts a program, on the server's core if none is named.
  static func start(
    _ command: [String], log: URL, core: Int = Programs.serverCore
  ) throws -> Process {
    let process = process(command, core: core)
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    let handle = try FileHandle(forWritingTo: log)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    return process
  }
}
