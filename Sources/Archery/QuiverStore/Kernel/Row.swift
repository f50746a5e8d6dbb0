import QuiverSQLite

/// The row that a statement stands on, with columns counted from 0; good only inside the closure.
///
/// A column of another kind is converted, and NULL reads as zero or empty: nothing traps.
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
