import Foundation
import QuiverSQLite

/// A database file in a directory of its own, which goes with it.
final class TemporaryDatabase {
  let directory: URL
  var path: String { directory.appending(path: "test.db").path }

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "quiver-sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  func open(_ mode: Connection.Mode = .readWriteCreate) throws -> Connection {
    try Connection(path: path, mode: mode)
  }
}
