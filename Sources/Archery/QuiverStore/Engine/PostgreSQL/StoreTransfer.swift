import QuiverPostgres
import QuiverSQLite

/// Copies a store on SQLite, of a server that does not run, into a database of PostgreSQL.
///
/// All rows are copied in one transaction, and compared before it is committed: each table must
/// have as many rows with the same checksum. The store keeps its identity: tokens, idempotency keys
/// and the positions of watches stay valid. The SQLite store is not changed, except that it is
/// brought to this version's schema.
package enum StoreTransfer {
  /// What was copied.
  package struct Report: Sendable, Equatable {
    package var tableCount = 0
    package var rowCount: Int64 = 0
  }

  /// Copies the store in a data directory to the database at an address, which must have no store
  /// with a principal.
  ///
  /// After a failure the database has an empty store at most: run it again.
  package static func run(
    from dataDirectory: String, to address: String
  ) throws(StoreError) -> Report {
    try upgrade(dataDirectory)
    let directory = try DataDirectory(path: dataDirectory)
    defer { directory.release() }
    do {
      let source = try Connection(path: directory.databasePath, mode: .readOnly)
      let target = try open(address)
      var transfer = TableTransfer(source: source, target: target)
      return try transfer.run()
    } catch let error as StoreError {
      throw error
    } catch let error as PostgresError {
      throw StoreError(
        .failedPrecondition, "the database cannot take the store: \(error); run it again")
    } catch let error as SQLiteError {
      throw StoreError(
        .failedPrecondition, "the database in \(dataDirectory) cannot be read: \(error)")
    } catch {
      throw StoreError(.internalError, "the store could not be copied")
    }
  }

  /// Recovers the log of SQLite, and brings the schema to this version's.
  private static func upgrade(_ dataDirectory: String) throws(StoreError) {
    var configuration = StoreConfiguration(directory: dataDirectory)
    configuration.createsDatabase = false
    configuration.clockPolicy = .ignore
    try Store(configuration).close()
  }

  private static func open(_ address: String) throws -> PostgresConnection {
    let connection = try PostgresConnection(PostgresConfiguration(PostgresAddress(address)))
    try PostgresDatabase.check(connection)
    try connection.execute("SET idle_in_transaction_session_timeout = 0")
    guard
      try connection.value("SELECT pg_try_advisory_lock(\(PostgresDatabase.presenceKey))") == "1"
    else {
      throw StoreError(.unavailable, "servers use the database; stop them first")
    }
    let migrator = PostgresMigrator(
      connection: connection, nowMilliseconds: StoreClock.system.wallMilliseconds())
    try migrator.migrate()
    guard try connection.value("SELECT count(*) FROM principal") == "0" else {
      throw StoreError(
        .alreadyExists, "there is a store in the database already; name an empty database")
    }
    return connection
  }
}

/// Copies the tables of one store.
private struct TableTransfer {
  let source: Connection
  let target: PostgresConnection
  private var report = StoreTransfer.Report()
  /// The hash of the latest row of the audit of each principal: PostgreSQL has a chain for each.
  private var auditHashes: [Int64: [UInt8]] = [:]

  init(source: Connection, target: PostgresConnection) {
    self.source = source
    self.target = target
  }

  /// A table with its columns, which both engines have in the same order.
  private struct Table {
    let name: String
    var columns: [String] = []
    var types: [ColumnType] = []
    /// The column whose values the database assigns.
    var identity: String?
  }

  private enum ColumnType { case integer, real, text, blob }

  private static let rowsPerFetch = 1_000

  mutating func run() throws -> StoreTransfer.Report {
    let tables = try tables()
    try target.begin(.serializable)
    for table in tables { try setTriggers(of: table, "DISABLE") }
    try target.run(control: "DELETE FROM kept_key")
    for table in tables {
      let written = try copy(table)
      let read = try checksum(of: table)
      guard written == read else {
        throw StoreError(
          .dataLoss,
          "the rows of \(table.name) differ after they were copied; nothing was stored")
      }
      report.tableCount += 1
      report.rowCount += written.rowCount
      if let identity = table.identity { try advance(table.name, identity) }
    }
    try copyMeta()
    for table in tables { try setTriggers(of: table, "ENABLE") }
    try target.commit()
    return report
  }

  /// What the triggers count is copied itself.
  private func setTriggers(of table: Table, _ action: String) throws {
    try target.run(control: "ALTER TABLE \(table.name) \(action) TRIGGER USER")
  }

  private func tables() throws -> [Table] {
    let rows = try target.rows(
      """
      SELECT c.relname, a.attname, CAST(a.atttypid AS bigint), a.attidentity <> ''
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
        AND c.relname NOT IN ('migration', 'meta')
      ORDER BY c.relname, a.attnum
      """)
    var tables: [Table] = []
    for row in 0..<rows.rowCount {
      let name = rows.text(row, 0)
      if tables.last?.name != name { tables.append(Table(name: name)) }
      let column = rows.text(row, 1)
      tables[tables.count - 1].columns.append(column)
      tables[tables.count - 1].types.append(try Self.type(rows.int64(row, 2)))
      if rows.int64(row, 3) == 1 { tables[tables.count - 1].identity = column }
    }
    return tables
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

  /// The number of the rows, and the sum of their hashes, whatever their order.
  private struct Checksum: Equatable {
    var rowCount: Int64 = 0
    var sum: UInt64 = 0

    mutating func add(_ values: [SQLValue]) {
      rowCount += 1
      let hash = AuditChain.hash(previous: [], values)
      sum &+= hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  private mutating func copy(_ table: Table) throws -> Checksum {
    let columns = table.columns.joined(separator: ", ")
    let places = table.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let insert = PostgresText("INSERT INTO \(table.name) (\(columns)) VALUES (\(places))")
    let order = table.name == "audit" ? " ORDER BY sequence" : ""
    let rows = try source.prepare("SELECT \(columns) FROM \(table.name)\(order)")
    var checksum = Checksum()
    while try rows.step() {
      var values = table.types.indices.map { index -> SQLValue in
        let column = Int32(index)
        if rows.isNull(column) { return .null }
        return switch table.types[index] {
        case .integer: .integer(rows.int64(column))
        case .real: .real(rows.double(column))
        case .text: .text(rows.text(column))
        case .blob: .blob(rows.bytes(column))
        }
      }
      if table.name == "audit" { chain(&values, table) }
      checksum.add(values)
      let statement = try target.statement(insert)
      for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
      try target.enqueue(statement)
    }
    try target.synchronize()
    return checksum
  }

  /// Chains a row of the audit to the previous one of its principal.
  ///
  /// A text whose hash is empty was erased with what its row was chained with: the hash of that row
  /// can no longer be computed, and stays.
  private mutating func chain(_ values: inout [SQLValue], _ table: Table) {
    func value(_ name: String) -> SQLValue {
      table.columns.firstIndex(of: name).map { values[$0] } ?? .null
    }
    guard case .integer(let principal) = value("principal_id"),
      let place = table.columns.firstIndex(of: "hash"), case .blob(let stored) = values[place]
    else { return }
    var hash = stored
    var textHash: [UInt8]?
    if case .blob(let bytes) = value("text_hash") { textHash = bytes }
    if textHash != [] {
      let content = [
        "at_ms", "actor_id", "principal_id", "token_id", "action", "kind", "object_id", "topic",
        "before", "after",
      ].map(value)
      let texts = ["device", "reason"].map(value)
      hash = AuditChain.hash(
        previous: auditHashes[principal] ?? AuditChain.beginning,
        content + AuditChain.chained(texts, textHash: textHash))
    }
    values[place] = .blob(hash)
    auditHashes[principal] = hash
  }

  private func checksum(of table: Table) throws -> Checksum {
    var checksum = Checksum()
    let columns = table.columns.joined(separator: ", ")
    let cursor = "DECLARE copied NO SCROLL CURSOR FOR"
    try target.run(control: "\(cursor) SELECT \(columns) FROM \(table.name)")
    while true {
      let rows = try target.rows("FETCH \(Self.rowsPerFetch) FROM copied")
      for row in 0..<rows.rowCount {
        checksum.add(
          table.types.indices.map { index -> SQLValue in
            let column = Int32(index)
            if rows.isNull(row, column) { return .null }
            return switch table.types[index] {
            case .integer: .integer(rows.int64(row, column))
            case .real: .real(rows.double(row, column))
            case .text: .text(rows.text(row, column))
            case .blob: .blob(rows.bytes(row, column))
            }
          })
      }
      if rows.rowCount < Self.rowsPerFetch { break }
    }
    try target.run(control: "CLOSE copied")
    return checksum
  }

  /// Lets the database assign greater keys than those that were ever assigned.
  private func advance(_ table: String, _ column: String) throws {
    let sequences = try source.value(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'")
    let last =
      sequences == "1"
      ? try source.value("SELECT seq FROM sqlite_sequence WHERE name = '\(table)'") : nil
    _ = try target.value(
      """
      SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'),
        greatest(\(Int64(last ?? "") ?? 0), (SELECT coalesce(max(\(column)), 0) FROM \(table))) + 1,
        false)
      """)
  }

  /// The identity of the store, and where its journal begins. Positions of SQLite are below all
  /// those of PostgreSQL.
  private func copyMeta() throws {
    let update = PostgresText("UPDATE meta SET value = ?2 WHERE name = ?1")
    let last = Int64(try source.value("SELECT coalesce(max(sequence), 0) FROM journal") ?? "") ?? 0
    let horizon = Int64(try target.value("SELECT journal_horizon()") ?? "") ?? 0
    guard last < horizon else {
      throw StoreError(
        .failedPrecondition,
        "the journal has come further than the transactions of this database; name another one")
    }
    let first = try source.value("SELECT coalesce(min(sequence), 1) FROM journal") ?? "1"
    let epoch = try source.value("SELECT value FROM meta WHERE name = 'store_epoch'") ?? ""
    let key = try source.prepare("SELECT value FROM meta WHERE name = 'page_token_key'")
    guard !epoch.isEmpty, try key.step() else {
      throw StoreError(.dataLoss, "the database has lost its identity; restore a backup")
    }
    let values: [(String, [UInt8])] = [
      ("store_epoch", Array(epoch.utf8)), ("page_token_key", key.bytes(0)),
      (JournalPosition.startName, Array(first.utf8)),
    ]
    for (name, value) in values {
      let statement = try target.statement(update)
      try statement.bind(name, at: 1)
      try statement.bind(value, at: 2)
      try target.enqueue(statement)
    }
    try target.synchronize()
  }
}
