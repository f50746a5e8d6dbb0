import Foundation
import QuiverSQLite
import TestSupport

/// A database file in a temporary directory.
final class TemporaryDatabase {
  private let directory: TemporaryDirectory
  var path: String { directory.path + "/test.db" }

  init() throws { directory = try TemporaryDirectory() }

  func open(_ mode: Connection.Mode = .readWriteCreate) throws -> Connection {
    try Connection(path: path, mode: mode)
  }
}
