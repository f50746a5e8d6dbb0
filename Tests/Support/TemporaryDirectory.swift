package import Foundation

/// An empty directory that is removed when the last reference to it is released.
///
/// Its path is short enough for a Unix socket inside it.
package final class TemporaryDirectory: Sendable {
  package let url: URL

  package var path: String { url.path }

  /// Creates the directory. Throws the error of the file system.
  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "quiver-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file in the directory and returns its path.
  package func file(_ name: String, _ text: String) throws -> String {
    let file = url.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
