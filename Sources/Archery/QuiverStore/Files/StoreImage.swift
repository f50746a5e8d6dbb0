import Glibc
import QuiverCrypto
import QuiverSQLite

/// The file of a store that has the newest schema and nothing else, for processes that make many
/// stores: to copy it costs a small part of what the steps of the schema cost.
package struct StoreImage: Sendable {
  private let bytes: [UInt8]

  /// Makes the file in a directory, in which it does not stay.
  package init(scratch directory: String) throws {
    let path = directory + "/quiver.image"
    defer { unlink(path) }
    let (connection, _) = try Database.open(path, nil)
    connection.setCheckpointsOnClose(true)
    try Database.configure(connection)
    try Migrator(connection: connection, path: path, nowMilliseconds: 0).migrate()
    // Two connections to a file in this mode would need the log, which is not copied.
    try connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    guard let file = fopen(path, "rbe") else { throw Self.failure(path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while true {
      let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = fread(buffer.baseAddress, 1, buffer.count, file)
      }
      if part.isEmpty { break }
      bytes += part
    }
    self.bytes = bytes
  }

  /// Writes a new store of its own identity, which no other store has, to a path where nothing is.
  package func write(to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path) }
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    close(descriptor)
    guard isWritten else { throw Self.failure(path) }
    let (connection, _) = try Database.open(path, nil)
    defer { connection.close() }
    try Migrator(connection: connection, path: path, nowMilliseconds: 0).writeMeta()
  }

  private static func failure(_ path: String) -> StoreError {
    StoreError(
      .failedPrecondition, "cannot write the file \(path): \(String(cString: strerror(errno)))")
  }
}
