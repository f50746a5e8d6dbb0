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
        #expect(throws: Never.self, "\(query.text.text)") {
          _ = try sqlite.prepare(query.text.text)
        }
        guard !query.isOnlySQLite else { continue }
        let parameterCount = try sqlite.prepare(query.text.text).parameterCount
        for text in [query.postgreSQL, query.postgreSQLInsert] {
          guard let text else { continue }
          preparedCount += 1
          do throws(PostgresError) {
            let statement = try postgreSQL.statement(text)
            #expect(statement.parameterCount == parameterCount, "\(text.text)")
          } catch {
            Issue.record("\(error) in \(text.text)")
          }
        }
      }
      #expect(preparedCount > 400)
    }
  #endif

  @Test("the schema of PostgreSQL has the tables and columns of SQLite's, in their order")
  func columns() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    let sqlite = try Connection(path: directory.databasePath, mode: .readOnly)
    let types = [
      "INTEGER": "bigint", "TEXT": "text", "BLOB": "bytea", "REAL": "double precision",
    ]
    let statement = try sqlite.prepare(
      """
      SELECT t.name, c.name, c.type, c."notnull" OR c.pk > 0, c.pk
      FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name <> 'migration'
      ORDER BY t.name, c.cid
      """)
    var expected: [String] = []
    while try statement.step() {
      expected.append(
        "\(statement.text(0)).\(statement.text(1)) \(types[statement.text(2)] ?? "?") "
          + "\(statement.int64(3)) \(statement.int64(4))")
    }
    let connection = try migrated()
    let rows = try connection.run(
      connection.statement(
        PostgresText(
          """
          SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
            CASE WHEN a.attnotnull THEN 1 ELSE 0 END,
            coalesce(array_position(CAST(i.indkey AS smallint[]), a.attnum) + 1, 0)
          FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
          LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
          WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
            AND c.relname <> 'migration'
          ORDER BY c.relname COLLATE "C", a.attnum
          """)))
    let found = (0..<rows.rowCount).map { row in
      "\(rows.text(row, 0)).\(rows.text(row, 1)) \(rows.text(row, 2)) \(rows.int64(row, 3)) "
        + "\(rows.int64(row, 4))"
    }
    #expect(found == expected)
    #expect(expected.count > 300)
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
    #expect(found == expected)
    #expect(expected.count > 30)
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

  @Test("a migration that fails leaves the database as it was")
  func failedMigration() throws {
    let connection = try migrated()
    let broken = Migration(
      number: 21, name: "broken", script: "CREATE TABLE half (id bigint); SELECT no_such_column")
    #expect(throws: PostgresError.self) {
      try PostgresMigrator(connection: connection, nowMilliseconds: 6)
        .migrate(Migration.postgreSQL + [broken])
    }
    #expect(try connection.value("SELECT to_regclass('half')") == nil)
    #expect(try PostgresMigrator(connection: connection, nowMilliseconds: 6).version() == 20)
  }
}
