import QuiverSQLite

/// A statement of commands and reads, identified by a small number on every connection.
///
/// Store each in a `static let`. Parameters are `?1`, `?2` and so on, and each run binds all of
/// them.
package struct Query: Sendable {
  let text: SQLText

  package init(_ text: String) {
    self.text = SQLText(text)
  }
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
  private let statement: Statement

  init(_ statement: Statement) {
    self.statement = statement
  }

  package func isNull(_ column: Int32) -> Bool { statement.isNull(column) }
  package func int64(_ column: Int32) -> Int64 { statement.int64(column) }
  package func int32(_ column: Int32) -> Int32 { Int32(clamping: statement.int64(column)) }
  package func uint64(_ column: Int32) -> UInt64 { UInt64(clamping: statement.int64(column)) }
  package func bool(_ column: Int32) -> Bool { statement.int64(column) != 0 }
  package func double(_ column: Int32) -> Double { statement.double(column) }
  package func text(_ column: Int32) -> String { statement.text(column) }
  package func bytes(_ column: Int32) -> [UInt8] { statement.bytes(column) }

  package func optionalText(_ column: Int32) -> String? { statement.optionalText(column) }

  package func optionalInt64(_ column: Int32) -> Int64? {
    statement.isNull(column) ? nil : statement.int64(column)
  }
}
