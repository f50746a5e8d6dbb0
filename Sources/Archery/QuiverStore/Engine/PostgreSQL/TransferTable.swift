import QuiverPostgres

/// A table with its columns, which both engines have in the same order.
struct TransferTable {
  let name: String
  var columns: [String] = []
  var types: [ColumnType] = []
  /// The columns of the primary key, in its order.
  var keys: [String] = []
  /// The column whose values the database assigns.
  var identity: String?

  enum ColumnType { case integer, real, text, blob }

  /// The tables of a store in PostgreSQL, without those that each engine has for itself.
  static func all(_ connection: PostgresConnection) throws -> [TransferTable] {
    let rows = try connection.rows(
      """
      SELECT c.relname, a.attname, CAST(a.atttypid AS bigint), a.attidentity <> ''
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
        AND c.relname NOT IN ('migration', 'meta')
      ORDER BY c.relname, a.attnum
      """)
    var tables: [TransferTable] = []
    for row in 0..<rows.rowCount {
      let name = rows.text(row, 0)
      if tables.last?.name != name { tables.append(TransferTable(name: name)) }
      let column = rows.text(row, 1)
      tables[tables.count - 1].columns.append(column)
      tables[tables.count - 1].types.append(try type(rows.int64(row, 2)))
      if rows.int64(row, 3) == 1 { tables[tables.count - 1].identity = column }
    }
    let keys = try keys(connection)
    for index in tables.indices {
      guard let key = keys[tables[index].name] else {
        throw StoreError(.internalError, "the table \(tables[index].name) has no primary key")
      }
      tables[index].keys = key
    }
    return tables
  }

  private static func keys(_ connection: PostgresConnection) throws -> [String: [String]] {
    let rows = try connection.rows(
      """
      SELECT c.relname, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      CROSS JOIN LATERAL unnest(CAST(i.indkey AS smallint[])) WITH ORDINALITY AS k(number, place)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
      WHERE i.indisprimary AND c.relnamespace = current_schema()::regnamespace
      ORDER BY c.relname, k.place
      """)
    var keys: [String: [String]] = [:]
    for row in 0..<rows.rowCount { keys[rows.text(row, 0), default: []].append(rows.text(row, 1)) }
    return keys
  }

  private static func type(_ number: Int64) throws -> ColumnType {
    switch number {
    case 20: return .integer
    case 701: return .real
    case 25: return .text
    case 17: return .blob
    default: throw StoreError(.internalError, "a column has an unknown type")
    }
  }

  /// The places of columns.
  func places(of names: [String]) -> [Int] { names.compactMap { columns.firstIndex(of: $0) } }

  /// A slice of the rows behind a key, in the order of some columns. Both engines take the text,
  /// and compare texts and bytes alike.
  func selection(
    inOrderOf order: [String], isBehindKey: Bool, offset: Int64, limit: Int64
  ) -> String {
    let list = order.joined(separator: ", ")
    let values = order.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return """
      SELECT \(columns.joined(separator: ", ")) FROM \(name)
      \(isBehindKey ? "WHERE (\(list)) > (\(values))" : "")
      ORDER BY \(list) LIMIT \(limit) OFFSET \(offset)
      """
  }

  var insertion: String {
    let values = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(values))"
  }
}
