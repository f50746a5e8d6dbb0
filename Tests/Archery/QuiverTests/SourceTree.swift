import ChildProcesses
import Foundation
import TestSupport

/// The package that these tests belong to, and the compiler that built it.
enum SourceTree {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The lines of the Swift files below a folder, by path.
  static func swiftFiles(below folder: String) throws -> [(path: String, text: String)] {
    let base = root.appending(path: folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: base.path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      (folder + "/" + path, try String(contentsOf: base.appending(path: path), encoding: .utf8))
    }
  }

  /// What the compiler says of a program that imports the package's modules; empty: it compiles.
  static func diagnostics(of program: String) throws -> String {
    let directory = try TemporaryDirectory()
    let process = ChildProcess()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let modules = try modulesFolder()
    let file = try directory.file("Snippet.swift", program)
    let arguments = [
      "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors",
      "-enable-upcoming-feature", "ExistentialAny",
      "-enable-upcoming-feature", "MemberImportVisibility",
      "-enable-upcoming-feature", "NonisolatedNonsendingByDefault", "-I", modules.path,
    ]
    let libraries = ["CProtobufC", "CEpoll", "CSQLite", "CCrypto", "CTLS"].flatMap {
      ["-I", root.appending(path: "Sources/C/\($0)").path]
    }
    // SwiftPM writes the module maps of C targets beside their objects.
    let compiled = modules.deletingLastPathComponent()
      .appending(path: "CPageChecksums.build/module.modulemap")
    process.arguments =
      arguments + libraries + ["-Xcc", "-fmodule-map-file=\(compiled.path)", file]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try output.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    return process.terminationStatus == 0 ? "" : text
  }

  /// The folder of the modules beside the program that runs the tests.
  private static func modulesFolder() throws -> URL {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let modules = folder.appending(path: "Modules")
      if FileManager.default.fileExists(atPath: modules.appending(path: "Quiver.swiftmodule").path)
      {
        return modules
      }
      folder.deleteLastPathComponent()
    }
    throw MissingModules()
  }

  struct MissingModules: Error {}
}
