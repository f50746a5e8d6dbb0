import CSQLite

/// An answer of SQLite other than success.
///
/// The description names the code and the statement's shape, never a value that was bound.
package struct SQLiteError: Error, Sendable, CustomStringConvertible {
  package let code: ResultCode
  package let message: String

  package init(code: ResultCode, message: String) {
    self.code = code
    self.message = message
  }

  /// A page that could not be read.
  package static let unreadable = SQLiteError(
    code: .inputOutputRead, message: "a page cannot be read")

  package var description: String {
    "SQLite \(code.rawValue) (\(String(cString: sqlite3_errstr(code.rawValue)))): \(message)"
  }
}
