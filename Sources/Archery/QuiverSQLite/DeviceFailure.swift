import CSQLite
import QuiverPlatform

/// A read, write or flush of a file that the operating system failed.
package struct DeviceFailure: Sendable, Equatable {
  /// Whether it was the log beside the database file.
  package let isLog: Bool

  /// The error number (`errno`).
  package let errorNumber: Int32

  /// The text of the error number (`strerror`).
  package var text: String { String(cString: strerror(errorNumber)) }
}

extension Connection {
  /// The last failure of the operating system for the database file, or else for its log, since the
  /// connection was opened (`SQLITE_FCNTL_LAST_ERRNO`); nil: there was none.
  ///
  /// SQLite reports a page that the device failed to read (`EIO`) as a damaged one.
  package var deviceFailure: DeviceFailure? {
    var number: Int32 = 0
    if control(SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK, number != 0 {
      return DeviceFailure(isLog: false, errorNumber: number)
    }
    var log: UnsafeMutablePointer<sqlite3_file>?
    guard control(SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK, let log,
      // A log that was never opened has no methods.
      let fileControl = log.pointee.pMethods?.pointee.xFileControl,
      fileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK, number != 0
    else { return nil }
    return DeviceFailure(isLog: true, errorNumber: number)
  }

  /// Calls the file system of the database (`sqlite3_file_control`).
  func control<Argument>(_ operation: Int32, _ argument: inout Argument) -> Int32 {
    withUnsafeMutablePointer(to: &argument) { pointer in
      sqlite3_file_control(cHandle.pointer, "main", operation, pointer)
    }
  }
}

extension ResultCode {
  /// What could not be done with the file, as a participle for messages.
  package var failedOperation: String {
    guard primary == .inputOutput else { return "read" }
    return switch rawValue >> 8 {
    case 3: "written"
    case 4, 5: "flushed"
    case 6: "truncated"
    default: "read"
    }
  }
}
