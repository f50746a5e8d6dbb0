import Glibc

/// Validates the database's file by its first bytes before SQLite opens it.
///
/// Opening a file may change it or the files beside it, so a file that is not a Quiver database,
/// or is visibly damaged, is refused first.
struct DatabaseFile {
  let path: String

  /// Its size; 0 if it does not exist.
  let byteCount: Int64

  /// The size of the log beside it; 0 if there is none.
  let logByteCount: Int64

  /// Whether a journal beside it has content.
  let hasJournal: Bool

  private let header: [UInt8]

  private static let headerByteCount = 100
  private static let magic = Array("SQLite format 3".utf8) + [0]

  /// Whether the log beside it has content.
  var hasLog: Bool { logByteCount > 0 }

  var isEmpty: Bool { byteCount == 0 && !hasLog && !hasJournal }

  init(path: String) throws(StoreError) {
    self.path = path
    logByteCount = Self.byteCount(of: path + "-wal")
    hasJournal = Self.byteCount(of: path + "-journal") > 0
    byteCount = Self.byteCount(of: path)
    header = byteCount > 0 ? try Self.firstBytes(of: path) : []
  }

  /// Refuses a file that cannot be a database of this program.
  func validate() throws(StoreError) {
    guard byteCount > 0 else {
      guard !hasLog else { throw Database.damage(path, "it is empty and its log is not") }
      return
    }
    // An interrupted journal may have to restore a partly written first page.
    if hasJournal, !header.starts(with: Self.magic) { return }
    guard !header.allSatisfy({ $0 == 0 }) else {
      throw Database.damage(path, "its first page is zeros")
    }
    guard header.starts(with: Self.magic.prefix(header.count)) else {
      throw StoreError(
        .failedPrecondition,
        "\(path) is not a database; name another data directory or move it away")
    }
    guard header.count == Self.headerByteCount else {
      throw Database.damage(path, "it has only \(byteCount) bytes")
    }
    try validateHeader()
  }

  private func validateHeader() throws(StoreError) {
    let application = number(at: 68)
    let isBlank = application == 0 && number(at: 60) == 0 && pageCount <= 1
    guard application == Database.applicationID || isBlank else {
      throw StoreError(
        .failedPrecondition,
        "\(path) is a database of another program; name another data directory or move it away")
    }
    // With a log the pages may be in the log; with a journal the old size may be restored.
    guard !hasLog, !hasJournal, isPageCountValid else { return }
    let expected = pageCount * pageByteCount
    guard byteCount >= expected else {
      throw Database.damage(path, "it has \(byteCount) bytes of \(expected)")
    }
  }

  private var pageCount: Int64 { number(at: 28) }

  /// Whether the page count is valid according to SQLite's change counter.
  private var isPageCountValid: Bool { number(at: 24) == number(at: 92) }

  private var pageByteCount: Int64 {
    let written = number(at: 16) >> 16
    return written == 1 ? 65_536 : written
  }

  /// The big-endian number of four bytes.
  private func number(at offset: Int) -> Int64 {
    header.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int64($1) }
  }

  private static func byteCount(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  private static func firstBytes(of path: String) throws(StoreError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: headerByteCount)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw .deviceFailed(path, "read", String(cString: strerror(errno))) }
    return Array(bytes.prefix(count))
  }

  private static func unreadable(_ path: String) -> StoreError {
    StoreError(
      .failedPrecondition,
      "cannot read the database \(path): \(String(cString: strerror(errno)))")
  }
}
