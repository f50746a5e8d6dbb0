import QuiverPostgres
import QuiverRules
import QuiverSQLite
import Synchronization

/// A statement of commands and reads, identified by a small number on every connection.
///
/// Store each in a `static let`. Parameters are `?1`, `?2` and so on, and each run binds all of
/// them. One text serves both engines; where they differ, a second one stands beside it.
// A class, so that passing one retains at most one object.
package final class Query: Sendable {
  let text: SQLText
  let postgreSQL: PostgresText

  /// The text for PostgreSQL that returns the key of the new row; nil where the query names none.
  let postgreSQLInsert: PostgresText?

  /// Whether it inserts a row into a table whose key `id` the database assigns.
  let assignsID: Bool

  /// Whether only SQLite has what the statement reads, such as `sqlite_schema`.
  let isOnlySQLite: Bool

  /// Whether only PostgreSQL has what the statement uses, such as `journal_position`.
  let isOnlyPostgreSQL: Bool

  /// - Parameters:
  ///   - postgreSQL: the text for PostgreSQL, if it differs.
  ///   - key: the column of the key that the database assigns, for ``Transaction/insert(_:_:)``.
  package init(
    _ text: String, postgreSQL: String? = nil, key: String? = nil, file: StaticString = #fileID
  ) {
    self.text = SQLText(text)
    let other = postgreSQL ?? text
    self.postgreSQL = PostgresText(other)
    postgreSQLInsert = key.map { PostgresText("\(other) RETURNING \($0)") }
    assignsID = key == "id"
    isOnlySQLite = false
    isOnlyPostgreSQL = false
    Self.note(self, file)
  }

  /// A query whose tables SQLite joins in the order of the text, by `CROSS JOIN … ON`, which
  /// PostgreSQL does not have. It chooses the order itself.
  convenience init(joiningInOrder text: String) {
    self.init(text, postgreSQL: text.replacing("CROSS JOIN", with: "JOIN"))
  }

  /// A statement on SQLite's own tables and functions.
  init(onlySQLite text: String) {
    self.text = SQLText(text)
    postgreSQL = PostgresText(text)
    postgreSQLInsert = nil
    assignsID = false
    isOnlySQLite = true
    isOnlyPostgreSQL = false
    Self.note(self, #fileID)
  }

  /// A statement on what only PostgreSQL has; `key` as for the other queries.
  init(onlyPostgreSQL text: String, key: String? = nil) {
    self.text = SQLText(text)
    postgreSQL = PostgresText(text)
    postgreSQLInsert = key.map { PostgresText("\(text) RETURNING \($0)") }
    assignsID = false
    isOnlySQLite = false
    isOnlyPostgreSQL = true
    Self.note(self, #fileID)
  }

  #if DEBUG
    /// Every query of the process so far with the file that makes it, for the test that prepares
    /// each on both engines.
    static let all = Mutex<[(query: Query, file: String)]>([])

    private static func note(_ query: Query, _ file: StaticString) {
      all.withLock { $0.append((query, "\(file)")) }
    }
  #else
    private static func note(_ query: Query, _ file: StaticString) {}
  #endif
}

/// A value of a statement's parameter.
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  static func optional(_ value: Int64?) -> SQLValue {
    value.map(SQLValue.integer) ?? .null
  }

  static func optional(_ value: [UInt8]?) -> SQLValue {
    value.map(SQLValue.blob) ?? .null
  }
}

/// The current row of a statement, with columns counted from 0; valid only inside the closure.
///
/// A column of another type is converted, and NULL reads as zero or empty: nothing traps.
package struct Row {
  private enum Source {
    case sqlite(Statement)
    case postgreSQL(PostgresCursor)
  }

  private let source: Source

  init(_ statement: Statement) {
    source = .sqlite(statement)
  }

  init(_ cursor: PostgresCursor) {
    source = .postgreSQL(cursor)
  }

  package func isNull(_ column: Int32) -> Bool {
    switch source {
    case .sqlite(let statement): statement.isNull(column)
    case .postgreSQL(let cursor): cursor.rows.isNull(cursor.row, column)
    }
  }

  package func int64(_ column: Int32) -> Int64 {
    switch source {
    case .sqlite(let statement): statement.int64(column)
    case .postgreSQL(let cursor): cursor.rows.int64(cursor.row, column)
    }
  }

  package func double(_ column: Int32) -> Double {
    switch source {
    case .sqlite(let statement): statement.double(column)
    case .postgreSQL(let cursor): cursor.rows.double(cursor.row, column)
    }
  }

  /// Stores of SQLite from before texts with U+0000 were refused can have some: they are read with
  /// a question mark instead, so that what is read can be stored again.
  package func optionalText(_ column: Int32) -> String? {
    switch source {
    case .sqlite(let statement): statement.optionalText(column)?.replacingZeroCharacters
    case .postgreSQL(let cursor): cursor.rows.optionalText(cursor.row, column)
    }
  }

  package func bytes(_ column: Int32) -> [UInt8] {
    switch source {
    case .sqlite(let statement): statement.bytes(column)
    case .postgreSQL(let cursor): cursor.rows.bytes(cursor.row, column)
    }
  }

  package func int32(_ column: Int32) -> Int32 { Int32(clamping: int64(column)) }
  package func uint64(_ column: Int32) -> UInt64 { UInt64(clamping: int64(column)) }
  package func bool(_ column: Int32) -> Bool { int64(column) != 0 }
  package func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  package func optionalInt64(_ column: Int32) -> Int64? {
    isNull(column) ? nil : int64(column)
  }
}
