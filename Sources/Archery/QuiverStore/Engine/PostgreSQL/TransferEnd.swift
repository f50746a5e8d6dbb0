import QuiverPostgres
import QuiverSQLite

/// One of the two databases of a copy.
protocol TransferEnd {
  /// How many rows a table has.
  func rowCount(of table: Table) throws -> Int64

  /// A slice of the rows of a table, in the order of some columns, behind a key of them.
  func rows(
    of table: Table, inOrderOf order: [String], behind key: [SQLValue]?, offset: Int64,
    limit: Int64
  ) throws -> [[SQLValue]]

  /// Adds rows in one transaction.
  func insert(_ rows: [[SQLValue]], into table: Table) throws

  /// The hash of the latest row of the audit; of a principal if one is named.
  func lastAuditHash(of principal: Int64?) throws -> [UInt8]?
}

struct PostgresTransferEnd: TransferEnd {
  let connection: PostgresConnection

  func rowCount(of table: Table) throws -> Int64 {
    Int64(try connection.value("SELECT count(*) FROM \(table.name)") ?? "") ?? 0
  }

  func rows(
    of table: Table, inOrderOf order: [String], behind key: [SQLValue]?, offset: Int64,
    limit: Int64
  ) throws -> [[SQLValue]] {
    let text = PostgresText(
      table.selection(
        inOrderOf: order, isBehindKey: key != nil, offset: offset, limit: limit))
    let statement = try connection.statement(text)
    for (index, value) in (key ?? []).enumerated() {
      try statement.bind(value, at: Int32(index + 1))
    }
    let rows = try connection.run(statement)
    return (0..<rows.rowCount).map { row in
      table.columns.indices.map { index in
        let column = Int32(index)
        if rows.isNull(row, column) { return .null }
        return switch table.columns[index].type {
        case .integer: .integer(rows.int64(row, column))
        case .real: .real(rows.double(row, column))
        case .text: .text(rows.text(row, column))
        case .blob: .blob(rows.bytes(row, column))
        }
      }
    }
  }

  func insert(_ rows: [[SQLValue]], into table: Table) throws {
    let text = PostgresText(table.insertion)
    try connection.begin(.serializable)
    for row in rows {
      let statement = try connection.statement(text)
      for (index, value) in row.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
      try connection.enqueue(statement)
    }
    try connection.commit()
  }

  func lastAuditHash(of principal: Int64?) throws -> [UInt8]? {
    let condition = principal.map { "WHERE principal_id = \($0)" } ?? ""
    let rows = try connection.rows(
      "SELECT hash FROM audit \(condition) ORDER BY sequence DESC LIMIT 1")
    return rows.rowCount > 0 ? rows.bytes(0, 0) : nil
  }
}

struct SQLiteTransferEnd: TransferEnd {
  let connection: Connection

  func rowCount(of table: Table) throws -> Int64 {
    Int64(try connection.value("SELECT count(*) FROM \(table.name)") ?? "") ?? 0
  }

  func rows(
    of table: Table, inOrderOf order: [String], behind key: [SQLValue]?, offset: Int64,
    limit: Int64
  ) throws -> [[SQLValue]] {
    let statement = try connection.prepare(
      table.selection(
        inOrderOf: order, isBehindKey: key != nil, offset: offset, limit: limit))
    for (index, value) in (key ?? []).enumerated() {
      try statement.bind(value, at: Int32(index + 1))
    }
    var found: [[SQLValue]] = []
    while try statement.step() {
      found.append(
        table.columns.indices.map { index in
          let column = Int32(index)
          if statement.isNull(column) { return .null }
          return switch table.columns[index].type {
          case .integer: .integer(statement.int64(column))
          case .real: .real(statement.double(column))
          case .text: .text(statement.text(column))
          case .blob: .blob(statement.bytes(column))
          }
        })
    }
    return found
  }

  func insert(_ rows: [[SQLValue]], into table: Table) throws {
    try connection.execute("BEGIN IMMEDIATE")
    let statement = try connection.prepare(table.insertion)
    for row in rows {
      for (index, value) in row.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
      try statement.run()
    }
    try connection.execute("COMMIT")
  }

  func lastAuditHash(of principal: Int64?) throws -> [UInt8]? {
    let condition = principal.map { "WHERE principal_id = \($0)" } ?? ""
    let statement = try connection.prepare(
      "SELECT hash FROM audit \(condition) ORDER BY sequence DESC LIMIT 1")
    return try statement.step() ? statement.bytes(0) : nil
  }
}
