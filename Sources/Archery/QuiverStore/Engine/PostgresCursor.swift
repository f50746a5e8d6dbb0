import QuiverPostgres

/// The rows of one run of a query, and which of them is read.
final class PostgresCursor {
  let rows: PostgresRows
  private(set) var row = -1

  init(_ rows: PostgresRows) {
    self.rows = rows
  }

  var affectedRowCount: Int64 { rows.affectedRowCount }

  /// Advances to the next row; false if there is none.
  func next() -> Bool {
    row += 1
    return row < rows.rowCount
  }
}
