import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("Standard output of all programs", .timeLimit(.minutes(10)))
struct StandardOutputTests {
  /// Where standard output goes, with what the error says.
  enum Sink: String, CaseIterable {
    case full = "No space left on device"
    case closed = "Bad file descriptor"
  }

  /// The programs of the package, by its manifest, without the one that the build alone runs.
  static let programs: [String] = {
    let here = URL(fileURLWithPath: #filePath)
    let root = (0..<4).reduce(here) { url, _ in url.deletingLastPathComponent() }
    let manifest = (try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8))
    let names = (manifest ?? "").matches(of: /\n +program\(\s*"([a-z-]+)"/).map { String($0.1) }
    // The product of this target has another name.
    return names.filter { $0 != "embed-pages" }.map { $0 == "quiver-command" ? "quiver" : $0 }
  }()

  /// Runs a program to its end; returns its exit code, or minus the signal that ended it, and its
  /// errors.
  static func run(
    _ program: String, _ arguments: [String], to sink: Sink
  ) throws -> (code: Int32, errors: String) {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let directory = try TemporaryDirectory()
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let redirection = sink == .full ? ">/dev/full" : ">&-"
    process.arguments = ["-c", "exec \"$0\" \"$@\" \(redirection)", folder.path + "/" + program]
    process.arguments += arguments
    process.currentDirectoryURL = URL(fileURLWithPath: directory.path)
    process.environment = ["SWIFT_BACKTRACE": "enable=no", "HOME": directory.path]
    process.standardInput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let code = process.terminationStatus
    return (process.terminationReason == .exit ? code : -code, text)
  }

  @Test("a help that cannot be written is an error of every program", arguments: Sink.allCases)
  func help(_ sink: Sink) throws {
    #expect(Self.programs.count >= 12, "\(Self.programs)")
    for program in Self.programs {
      let run = try Self.run(program, ["--help"], to: sink)
      #expect(run.code == 74, "\(program): \(run.errors)")
      #expect(
        run.errors.contains("\(program): cannot write standard output: \(sink.rawValue)"),
        "\(program): \(run.errors)")
    }
  }

  @Test(
    "so are a version, completions, lists and settings",
    arguments: [
      ["quiverd", "--version"], ["quiver-gateway", "--version"], ["quiver-load", "--version"],
      ["quiver", "--version"], ["quiverd", "--help-as", "man"], ["quiver", "--help-as", "bash"],
      ["quiver-load", "--help-as", "zsh"], ["quiver-gateway", "--help-as", "fish"],
      ["quiverd", "config", "print"], ["quiver-gateway", "config", "check"],
      ["quiver-load", "schema"], ["quiver-conformance", "--server", "unix:a", "--list"],
      ["tidy", "--list-rules"], ["bench", "--list"],
    ])
  func others(_ words: [String]) throws {
    for sink in Sink.allCases {
      let run = try Self.run(words[0], Array(words.dropFirst()), to: sink)
      #expect(run.code == 74, "\(words): \(run.errors)")
      #expect(run.errors.contains("cannot write standard output"), "\(words): \(run.errors)")
    }
  }
}
