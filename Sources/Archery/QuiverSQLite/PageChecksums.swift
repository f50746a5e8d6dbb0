import CPageChecksums
import CSQLite

extension Connection {
  /// Has pages of the database carry checksums (`SQLITE_FCNTL_RESERVE_BYTES`), if it is new or
  /// when it is vacuumed next. A page that differs from its checksum reads as damaged.
  package func requestPageChecksums() {
    var byteCount = Int32(quiver_page_checksum_bytes)
    _ = control(SQLITE_FCNTL_RESERVE_BYTES, &byteCount)
  }

  /// Has pages of a file that has no header yet be written with checksums from the first one on.
  /// Call it before a copy of a database with checksums is made into the file.
  package func beginPageChecksums() throws(SQLiteError) {
    var pageByteCount = Int32(try value("PRAGMA page_size") ?? "") ?? 0
    let result = control(Int32(quiver_page_checksums_begin), &pageByteCount)
    if result != SQLITE_OK { throw cHandle.error(result) }
  }

  /// Whether the pages of the database file have checksums.
  package func hasPageChecksums() throws(SQLiteError) -> Bool {
    try scanPages(from: 1, count: 0).isEnabled
  }

  /// Compares pages of the database file with their checksums, without the log; a page that is
  /// being written meanwhile is read again.
  package func scanPages(from first: Int64, count: Int64) throws(SQLiteError) -> PageScan {
    var scan = quiver_page_scan(
      first_page: first, page_count: count, damaged_page: 0, is_enabled: 0)
    let result = control(Int32(quiver_page_checksums_scan), &scan)
    if result != SQLITE_OK { throw cHandle.error(result) }
    return PageScan(
      isEnabled: scan.is_enabled != 0, pageCount: scan.page_count,
      damagedPage: scan.damaged_page == 0 ? nil : scan.damaged_page)
  }

}

/// What a comparison of pages with their checksums found.
package struct PageScan: Sendable, Equatable {
  /// Whether the pages of the file have checksums.
  package let isEnabled: Bool

  /// How many pages were read: fewer than asked for at the end of the file, or before damage.
  package let pageCount: Int64

  /// The first page that differs from its checksum, from 1.
  package let damagedPage: Int64?
}
