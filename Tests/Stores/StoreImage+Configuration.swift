import Foundation
package import QuiverStore
import TestSupport

extension StoreImage {
  /// Writes the file of a new store where the configuration would have it created by the steps of
  /// the schema. Does nothing for stores of other kinds, and where a file is.
  package static func prepare(_ configuration: StoreConfiguration) throws {
    let path = configuration.directory + "/quiver.db"
    guard configuration.createsDatabase, configuration.databaseAddress == nil,
      configuration.fileSystem == nil,
      try FileManager.default.isEmptyDirectory(configuration.directory)
    else { return }
    try shared.get().write(to: path)
  }

  private static let shared = Result {
    let directory = try TemporaryDirectory()
    return try withExtendedLifetime(directory) { try StoreImage(scratch: directory.path) }
  }
}

extension FileManager {
  fileprivate func isEmptyDirectory(_ path: String) throws -> Bool {
    var isDirectory: ObjCBool = false
    guard fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
      return false
    }
    return try contentsOfDirectory(atPath: path).isEmpty
  }
}
