import CSQLite

/// What SQLite answered, with its extended part.
package struct ResultCode: RawRepresentable, Sendable, Hashable {
  /// The extended code; its low byte is the primary one.
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The code without its extension.
  package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

  package static let ok = ResultCode(rawValue: SQLITE_OK)
  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  package static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  package static let outOfMemory = ResultCode(rawValue: SQLITE_NOMEM)
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  package static let interrupted = ResultCode(rawValue: SQLITE_INTERRUPT)
  package static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  package static let full = ResultCode(rawValue: SQLITE_FULL)
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)

  package static let inputOutputRead = ResultCode(rawValue: SQLITE_IOERR | 1 << 8)
  package static let inputOutputShortRead = ResultCode(rawValue: SQLITE_IOERR | 2 << 8)
  package static let inputOutputWrite = ResultCode(rawValue: SQLITE_IOERR | 3 << 8)
  package static let inputOutputNoMemory = ResultCode(rawValue: SQLITE_IOERR | 12 << 8)
  package static let inputOutputSharedMemoryOpen = ResultCode(rawValue: SQLITE_IOERR | 18 << 8)
  package static let inputOutputSharedMemorySize = ResultCode(rawValue: SQLITE_IOERR | 19 << 8)
  package static let inputOutputData = ResultCode(rawValue: SQLITE_IOERR | 32 << 8)
  /// A read of the file system failed, by an error of the device. Statements report it as corrupt.
  package static let inputOutputCorruptFileSystem = ResultCode(rawValue: SQLITE_IOERR | 33 << 8)
  package static let constraintUnique = ResultCode(rawValue: SQLITE_CONSTRAINT | 8 << 8)
}
