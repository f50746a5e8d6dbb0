import CPageChecksums
import CSQLite
import QuiverPlatform

extension Connection {
  /// The C connection, closed when the connection and its last statement are released.
  final class Handle {
    let pointer: OpaquePointer

    /// Frames in the write-ahead log after the latest commit of this connection.
    // A cell of its own, since `sqlite3_wal_hook` keeps the address for as long as the connection.
    let walFrameCount: UnsafeMutablePointer<Int32>

    /// What ends statements that run too long; SQLite calls it by its address.
    var runLimit: RunLimit?

    private var isClosed = false

    /// Configures SQLite once for the process (`sqlite3_config`).
    private static let configuration: Int32 = {
      let result = quiver_sqlite_configure()
      #if DEBUG
        return quiver_sqlite_count_memory()
      #else
        return result
      #endif
    }()

    init(path: String, mode: Mode, fileSystem: String?) throws(SQLiteError) {
      _ = Self.configuration
      guard let fileSystem = quiver_page_checksums(fileSystem) else {
        throw SQLiteError(code: .cannotOpen, message: "there is no such layer below SQLite")
      }
      var pointer: OpaquePointer?
      let result = sqlite3_open_v2(path, &pointer, mode.flags, fileSystem)
      guard let pointer else {
        throw SQLiteError(code: .outOfMemory, message: "no memory for a connection")
      }
      guard result == SQLITE_OK else {
        let error = Self.error(result, of: pointer)
        sqlite3_close_v2(pointer)
        throw error
      }
      self.pointer = pointer
      walFrameCount = .allocate(capacity: 1)
      walFrameCount.initialize(to: 0)
    }

    deinit {
      close()
      walFrameCount.deallocate()
    }

    /// Closes it now instead of when the last reference is released; may be called twice.
    func close() {
      guard !isClosed else { return }
      isClosed = true
      sqlite3_close_v2(pointer)
    }

    /// The error that SQLite has just answered with.
    func error(_ result: Int32) -> SQLiteError {
      Self.error(result, of: pointer)
    }

    private static func error(_ result: Int32, of pointer: OpaquePointer) -> SQLiteError {
      // `sqlite3_system_errno` does not report a write that failed in COMMIT, but `errno` does.
      let systemError = errno
      let extended = sqlite3_extended_errcode(pointer)
      var code = extended & 0xFF == result & 0xFF ? extended : result
      // SQLite reports ENOSPC alone as `full`. A quota or file size limit is the same to us.
      if code == ResultCode.inputOutputWrite.rawValue,
        [EDQUOT, EFBIG, ENOSPC].contains(systemError)
      {
        code = SQLITE_FULL
      }
      return SQLiteError(
        code: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(pointer)))
    }
  }
}

extension Connection.Mode {
  fileprivate var flags: Int32 {
    let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    switch self {
    case .readOnly: return SQLITE_OPEN_READONLY | common
    case .readWrite: return SQLITE_OPEN_READWRITE | common
    case .readWriteCreate: return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | common
    }
  }
}
