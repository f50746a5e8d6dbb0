import Foundation
import QuiverPostgres
import QuiverSQLite
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct EngineTests {
  /// A database of PostgreSQL with the store's schema.
  private func migrated() throws -> PostgresConnection {
    let server = try PostgresServer.shared
    let connection = try server.connect(database: server.makeDatabase())
    #expect(
      try PostgresMigrator(connection: connection, nowMilliseconds: 5).migrate()
        == Migration.postgreSQL.map(\.number))
    return connection
  }

  #if DEBUG
    @Test("every query of the store is prepared by SQLite and by PostgreSQL")
    func preparedQueries() throws {
      let directory = try TemporaryDirectory()
      try directory.open().close()
      let sqlite = try Connection(path: directory.databasePath, mode: .readOnly)
      let postgreSQL = try migrated()
      let queries = try StoreQueries.all()
      var preparedCount = 0
      for query in queries {
        if !query.isOnlyPostgreSQL {
          #expect(throws: Never.self, "\(query.text.text)") {
            _ = try sqlite.prepare(query.text.text)
          }
        }
        guard !query.isOnlySQLite else { continue }
        let parameterCount =
          query.isOnlyPostgreSQL ? nil : try sqlite.prepare(query.text.text).parameterCount
        for text in [query.postgreSQL, query.postgreSQLInsert] {
          guard let text else { continue }
          preparedCount += 1
          do throws(PostgresError) {
            let statement = try postgreSQL.statement(text)
            if let parameterCount {
              #expect(statement.parameterCount == parameterCount, "\(text.text)")
            }
          } catch {
            Issue.record("\(error) in \(text.text)")
          }
        }
      }
      #expect(preparedCount > 400)
    }
  #endif

  /// The columns of all declared tables, with the place in the primary key.
  private func declared(_ line: (Table, Column, _ keyPlace: Int) -> String) -> [String] {
    Table.all.flatMap { table in
      table.columns.map { column in
        line(table, column, (table.keyColumns.firstIndex(of: column.name) ?? -1) + 1)
      }
    }.sorted()
  }

  @Test("the schema of SQLite has the tables and columns that are declared")
  func columnsOfSQLite() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    let sqlite = try Connection(path: directory.databasePath, mode: .readOnly)
    let types: [Column.ColumnType: String] = [
      .integer: "INTEGER", .text: "TEXT", .blob: "BLOB", .real: "REAL",
    ]
    let statement = try sqlite.prepare(
      """
      SELECT t.name, c.name, c.type, c."notnull" OR c.pk > 0, c.pk > 0
      FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'
      """)
    var found: [String] = []
    while try statement.step() {
      found.append((0...4).map { statement.text($0) }.joined(separator: " "))
    }
    let expected = declared { table, column, place in
      "\(table.name) \(column.name) \(types[column.type] ?? "") \(column.isOptional ? 0 : 1) "
        + "\(place > 0 ? 1 : 0)"
    }
    #expect(found.sorted() == expected)
    #expect(expected.count > 300)
  }

  @Test("the schema of PostgreSQL has the tables and columns that are declared")
  func columnsOfPostgreSQL() throws {
    let types: [Column.ColumnType: String] = [
      .integer: "bigint", .text: "text", .blob: "bytea", .real: "double precision",
    ]
    let rows = try migrated().rows(
      """
      SELECT concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attnotnull THEN 1 ELSE 0 END,
        coalesce(array_position(CAST(i.indkey AS smallint[]), a.attnum) + 1, 0),
        CASE WHEN a.attidentity <> '' THEN 1 ELSE 0 END)
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        AND NOT a.attisdropped
      LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
      WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
      """)
    let found = (0..<rows.rowCount).map { row in rows.text(row, 0) }
    let expected = declared { table, column, place in
      "\(table.name) \(column.name) \(types[column.type] ?? "") \(column.isOptional ? 0 : 1) "
        + "\(place) \(table.assignedColumn == column.name ? 1 : 0)"
    }
    #expect(found.sorted() == expected)
  }

  @Test("a table whose texts are in an export names their sections, each of which has a number")
  func sections() {
    for table in Table.all {
      guard case .omitted = table.export else { continue }
      for column in table.columns where column.type == .text {
        guard case .omitted = column.export else {
          Issue.record("\(table.name).\(column.name) is in no section")
          continue
        }
      }
    }
    #expect(ExportSection.all.map(\.number) == [1, 2, 3, 4, 5, 16] + Array(20...48))
  }

  @Test("the schema of PostgreSQL has the indexes of SQLite's, with their columns and conditions")
  func indexes() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    let sqlite = try Connection(path: directory.databasePath, mode: .readOnly)
    let statement = try sqlite.prepare(
      """
      SELECT name, (SELECT group_concat(c.name, ',') FROM pragma_index_info(s.name) c),
        sql LIKE '%UNIQUE%', sql LIKE '%WHERE%'
      FROM sqlite_schema s WHERE type = 'index' AND sql IS NOT NULL ORDER BY name
      """)
    var expected: [String] = []
    while try statement.step() {
      expected.append(
        "\(statement.text(0)) \(statement.text(1)) \(statement.int64(2)) \(statement.int64(3))")
    }
    let connection = try migrated()
    let rows = try connection.run(
      connection.statement(
        PostgresText(
          """
          SELECT c.relname, (
            SELECT string_agg(a.attname, ',' ORDER BY a.attnum) FROM pg_attribute a
            WHERE a.attrelid = c.oid),
            i.indisunique, i.indpred IS NOT NULL
          FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
          WHERE c.relnamespace = current_schema()::regnamespace
            AND NOT EXISTS (SELECT 1 FROM pg_constraint o WHERE o.conindid = c.oid)
          ORDER BY c.relname COLLATE "C"
          """)))
    let found = (0..<rows.rowCount).map { row in
      "\(rows.text(row, 0)) \(rows.text(row, 1)) \(rows.int64(row, 2)) \(rows.int64(row, 3))"
    }
    // What commands of several servers need: keys that begin with the principal, and indexes of
    // the chains of the audit, of changes of one event, and of objects of any principal.
    let changed = [
      "idempotency_key_by_key principal_id,key 1 0",
      "scoring_operation_by_client_id principal_id,client_id 0 1",
    ]
    let names = changed.map { $0.prefix { $0 != " " } + " " }
    let added = [
      "audit_by_principal principal_id,sequence 0 0", "client_object_by_id client_id 0 0",
      "journal_by_topic topic,sequence 0 1", "equipment_by_id id 0 0", "bow_setup_by_id id 0 0",
      "shooting_session_by_id id 0 0",
    ]
    let same = expected.filter { line in !names.contains { line.hasPrefix($0) } }
    #expect(same.count == expected.count - changed.count)
    #expect(Set(found) == Set(same + changed + added))
    #expect(expected.count > 30)
  }

  @Test(
    "owners of new rows are not found by the page where the keys of all new rows are inserted",
    arguments: ["equipment", "bow_setup", "shooting_session"])
  func ownersByHash(_ table: String) throws {
    let connection = try migrated()
    try connection.execute("SET enable_seqscan = off")
    let plan = try connection.value(
      "EXPLAIN SELECT principal_id FROM \(table) WHERE id = CAST(5 AS bigint)")
    #expect(plan?.contains("using \(table)_by_id") == true, "\(plan ?? "")")
  }

  @Test("a migrated database is migrated once, and one of another program is refused")
  func migrations() throws {
    let connection = try migrated()
    let migrator = PostgresMigrator(connection: connection, nowMilliseconds: 6)
    #expect(try migrator.migrate() == [])
    #expect(try migrator.version() == Migration.postgreSQL.last?.number)
    let changed = Migration(number: 20, name: "another", script: "SELECT 1")
    let error = #expect(throws: StoreError.self) { try migrator.migrate([changed]) }
    #expect(error?.code == .failedPrecondition)
    let older = #expect(throws: StoreError.self) { try migrator.migrate([]) }
    #expect(older?.message.contains("newer Quiver") == true)
    let server = try PostgresServer.shared
    let other = try server.connect(database: server.makeDatabase())
    try other.execute("CREATE TABLE theirs (id bigint)")
    let refusal = #expect(throws: StoreError.self) {
      try PostgresMigrator(connection: other, nowMilliseconds: 5).migrate()
    }
    #expect(refusal?.message.contains("another program") == true)
    #expect(try other.value("SELECT count(*) FROM theirs") == "0")
  }

  @Test("both engines have the same steps from the oldest schema on that SQLite reads")
  func steps() {
    let steps = Migration.older + Migration.all.dropFirst()
    let same = Migration.postgreSQL.filter { $0.number > Migration.oldestVersion }
    #expect(same.map(\.number) == steps.map(\.number))
    #expect(same.map(\.name) == steps.map(\.name))
  }

  @Test("step 21 gives each event one category and one stage, which count for its organiser")
  func structure() throws {
    let server = try PostgresServer.shared
    let connection = try server.connect(database: server.makeDatabase())
    let migrator = PostgresMigrator(connection: connection, nowMilliseconds: 7)
    try migrator.migrate(Array(Migration.postgreSQL.prefix(1)))
    try connection.execute(
      """
      INSERT INTO shooting_session
        (id, principal_id, format_id, is_tournament, created_at_ms, notes)
        VALUES (3, 5, 1, 1, 70, ''), (4, 5, 1, 0, 80, ''), (9, 6, 1, 1, 90, '');
      INSERT INTO tournament VALUES
        (3, 5, 1, 1, 0, 0, 'A', 50, 2, 10, 0, 0, 0, 1, 100, NULL, NULL, 'cup'),
        (9, 6, 1, 1, 0, 0, 'B', 50, 2, 10, 0, 0, 0, 1, 200, NULL, NULL, 'open');
      """)
    let usage = "SELECT string_agg(CAST(rows AS text), ',' ORDER BY principal_id) FROM usage"
    #expect(try connection.value(usage) == "3,2")
    #expect(try migrator.migrate() == Migration.postgreSQL.dropFirst().map(\.number))
    #expect(
      try connection.value(
        """
        SELECT string_agg(event_id || code || is_first || format_id, ',' ORDER BY id)
        FROM event_category
        """) == "3ALL10,9ALL10")
    #expect(
      try connection.value(
        """
        SELECT string_agg(event_id || ' ' || rule_day || ' ' || created_at_ms, ',' ORDER BY id)
        FROM event_stage
        """) == "3 100 70,9 200 90")
    #expect(try connection.value(usage) == "5,4")
  }

  @Test("a migration that fails leaves the database as it was")
  func failedMigration() throws {
    let connection = try migrated()
    let newest = try #require(Migration.postgreSQL.last?.number)
    let broken = Migration(
      number: newest + 1, name: "broken",
      script: "CREATE TABLE half (id bigint); SELECT no_such_column")
    #expect(throws: PostgresError.self) {
      try PostgresMigrator(connection: connection, nowMilliseconds: 6)
        .migrate(Migration.postgreSQL + [broken])
    }
    #expect(try connection.value("SELECT to_regclass('half')") == nil)
    #expect(try PostgresMigrator(connection: connection, nowMilliseconds: 6).version() == newest)
  }
}
