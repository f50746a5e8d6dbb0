import CSQLite

/// A copy of one database into another, some pages at a time (`sqlite3_backup`).
///
/// Changes by the source's own connection are copied too; a change by another connection restarts
/// the copy. Both connections must not be used by another thread during a step, and the destination
/// for nothing else until the copy has ended.
package final class Backup {
  private let source: Connection
  private let destination: Connection
  private var handle: OpaquePointer?

  /// Begins; nothing is copied yet.
  package init(from source: Connection, to destination: Connection) throws(SQLiteError) {
    self.source = source
    self.destination = destination
    handle = sqlite3_backup_init(
      destination.cHandle.pointer, "main", source.cHandle.pointer, "main")
    guard handle != nil else {
      throw destination.cHandle.error(sqlite3_errcode(destination.cHandle.pointer))
    }
  }

  deinit {
    sqlite3_backup_finish(handle)
  }

  /// Copies at most this number of further pages; returns whether all are copied.
  package func step(pageCount: Int32) throws(SQLiteError) -> Bool {
    let result = sqlite3_backup_step(handle, pageCount)
    switch result & 0xFF {
    case SQLITE_DONE: return true
    case SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED: return false
    default: throw destination.cHandle.error(result)
    }
  }

  /// How many pages are copied, of how many, after the latest step (`sqlite3_backup_remaining`).
  package var pages: (copied: Int64, total: Int64) {
    guard let handle else { return (0, 0) }
    let total = Int64(sqlite3_backup_pagecount(handle))
    return (total - Int64(sqlite3_backup_remaining(handle)), total)
  }

  /// Ends it, whole or not.
  package func finish() throws(SQLiteError) {
    let result = sqlite3_backup_finish(handle)
    handle = nil
    guard result == SQLITE_OK else { throw destination.cHandle.error(result) }
  }
}
