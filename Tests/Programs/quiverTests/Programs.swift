import ChildProcesses
import Foundation
import TestSupport

/// The built programs, in the folder of the tests.
enum Programs {
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// Throws if `swift build` has not built it.
  static func url(_ name: String) throws -> URL {
    let here = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let program = here.deletingLastPathComponent().appending(path: name)
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw Missing(description: "\(program.path) is missing; build everything before the tests")
    }
    return program
  }
}

/// One run of `quiver`, with its own directory and environment.
struct Run {
  let code: Int32
  let output: String
  let errors: String

  /// Runs it until it ends.
  init(
    _ arguments: [String], in directory: TemporaryDirectory, input: String? = nil,
    environment: [String: String] = [:], outputPath: String? = nil
  ) throws {
    self = try Started(
      arguments, in: directory, input: input, environment: environment, outputPath: outputPath
    ).end()
  }

  /// A run in the background of the test.
  final class Started {
    private let process = ChildProcess()
    private let output = Pipe()
    private let errors = Pipe()
    private let isRead: Bool
    private var seen = Data()

    /// - Parameters:
    /// - isRead: whether the test reads its output.
    /// - outputPath: the file of its standard output; nil for a pipe.
    init(
      _ arguments: [String], in directory: TemporaryDirectory, input: String? = nil,
      environment: [String: String] = [:], isRead: Bool = true, outputPath: String? = nil
    ) throws {
      self.isRead = isRead && outputPath == nil
      if !isRead { try output.fileHandleForReading.close() }
      process.executableURL = try Programs.url("quiver")
      process.arguments = arguments
      process.currentDirectoryURL = URL(fileURLWithPath: directory.path)
      process.environment = environment.merging(
        ["SWIFT_BACKTRACE": "enable=no", "HOME": directory.path]
      ) { given, _ in given }
      if let outputPath {
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
      } else {
        process.standardOutput = output
      }
      process.standardError = errors
      if let input {
        let pipe = Pipe()
        process.standardInput = pipe
        try process.run()
        pipe.fileHandleForWriting.write(Data(input.utf8))
        try pipe.fileHandleForWriting.close()
      } else {
        process.standardInput = FileHandle.nullDevice
        try process.run()
      }
    }

    /// Reads its standard output until it contains `text`, or ends.
    func read(until text: String) {
      while !String(decoding: seen, as: UTF8.self).contains(text) {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { return }
        seen += more
      }
    }

    /// Sends it a signal.
    func signal(_ number: Int32) { _ = process.signal(number) }

    func end() -> Run {
      let output = isRead ? seen + output.fileHandleForReading.readDataToEndOfFile() : Data()
      let errors = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return Run(
        code: process.terminationReason == .exit ? process.terminationStatus : -1,
        output: String(decoding: output, as: UTF8.self),
        errors: String(decoding: errors, as: UTF8.self))
    }
  }

  private init(code: Int32, output: String, errors: String) {
    self.code = code
    self.output = output
    self.errors = errors
  }

  /// The output as JSON.
  func json() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
  }

  /// Standard error, line by line.
  var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
}
