import ChildProcesses
package import Foundation

/// The real `protoc` on the real files.
package enum Protoc {
  /// The root of the repository.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The `.proto` files of the project, as they import each other.
  package static func projectFiles() throws -> [String] {
    let folder = root.appendingPathComponent("Protos/quiver/v1")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".proto") }.sorted().map { "quiver/v1/" + $0 }
  }

  /// The file of `AllTypes`.
  package static let fixtureFile = "AllTypes.proto"

  /// The bytes of the `google.protobuf.FileDescriptorSet` of some files and all that they import.
  ///
  /// - Throws: a sentence when protoc is absent or refuses a file.
  package static func descriptorSet(of files: [String]) throws -> [UInt8] {
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-descriptors-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "protoc", "--include_imports", "--descriptor_set_out=\(output.path)",
        "-I", root.appendingPathComponent("Protos").path,
        "-I", root.appendingPathComponent("Tests/Fixtures").path,
      ] + files
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw FixtureError(
        "protoc failed (the package protobuf-compiler must be installed): "
          + String(decoding: text, as: UTF8.self))
    }
    return [UInt8](try Data(contentsOf: output))
  }
}

/// What a test needs and does not have, in a sentence.
package struct FixtureError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
