import Foundation

/// A store of the oldest schema that can be opened: the database of
/// `Tests/Fixtures/stores/schema-38`.
package enum OldStore {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/stores/schema-38")

  /// A token of an administrator, as in `admin.token`.
  package static func token() throws -> String {
    try String(contentsOf: folder.appending(path: "admin.token"), encoding: .utf8)
  }

  package static func write(to path: String) throws {
    _ = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    let unpacking = Process()
    unpacking.executableURL = URL(filePath: "/usr/bin/env")
    unpacking.arguments = ["gzip", "-dc", folder.appending(path: "quiver.db.gz").path]
    unpacking.standardOutput = try FileHandle(forWritingTo: URL(filePath: path))
    try unpacking.run()
    unpacking.waitUntilExit()
    guard unpacking.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
  }
}
