import Foundation
import QuiverRules
import QuiverSQLite
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct MigratorTests {
  private static let newest = Migration.all.last?.number ?? 0
  private static let following = Migration(
    number: newest + 1, name: "a table of bows",
    script: "CREATE TABLE bow (id INTEGER PRIMARY KEY);")

  @Test("A database with an older schema is copied completely and then migrated")
  func migrating() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    store.close()
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    let migrator = Migrator(
      connection: connection, path: directory.databasePath, nowMilliseconds: 7)
    try migrator.migrate(Migration.all + [Self.following])
    #expect(try connection.value("PRAGMA user_version") == "\(Self.newest + 1)")
    #expect(try connection.value("SELECT count(*) FROM bow") == "0")
    let applied = "SELECT applied_at_ms FROM migration ORDER BY number DESC"
    #expect(try connection.value(applied) == "7")

    let copy = try Connection(path: migrator.backupPath(version: Self.newest), mode: .readOnly)
    #expect(try copy.value("PRAGMA user_version") == "\(Self.newest)")
    #expect(try copy.value("PRAGMA application_id") == "\(Database.applicationID)")
    #expect(try copy.value("SELECT count(*) FROM riser") == "1")
    #expect(try copy.value("PRAGMA integrity_check") == "ok")
  }

  @Test("A copy before a migration that fails leaves no file, and the schema stays")
  func failingCopy() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    let migrator = Migrator(
      connection: connection, path: directory.databasePath, nowMilliseconds: 7)
    let copy = migrator.backupPath(version: Self.newest)
    #expect(mkdir(copy, 0o700) == 0)
    #expect(throws: StoreError.self) { try migrator.migrate(Migration.all + [Self.following]) }
    #expect(access(copy + ".new", F_OK) != 0)
    #expect(try connection.value("PRAGMA user_version") == "\(Self.newest)")
  }

  @Test("The copy before a migration is readable by its owner only while it is written")
  func privateCopy() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    let migrator = Migrator(
      connection: connection, path: directory.databasePath, nowMilliseconds: 7)
    let unfinished = migrator.backupPath(version: Self.newest) + ".new"
    let modes = Mutex<Set<mode_t>>([])
    let limit = RunLimit(now: { 0 })
    limit.begin(nanoseconds: .max) {
      var status = stat()
      if stat(unfinished, &status) == 0 { modes.withLock { _ = $0.insert(status.st_mode & 0o777) } }
      return false
    }
    connection.setRunLimit(limit)
    try migrator.migrate(Migration.all + [Self.following])
    #expect(modes.withLock { $0 } == [0o600])
  }

  @Test("A failed migration leaves no trace, and the database opens as before")
  func failingStep() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    do {
      let connection = try Connection(path: directory.databasePath, mode: .readWrite)
      let broken = Migration(
        number: Self.newest + 1, name: "broken",
        script: Self.following.script + "INSERT INTO missing VALUES (1);")
      let migrator = Migrator(
        connection: connection, path: directory.databasePath, nowMilliseconds: 7)
      #expect(throws: SQLiteError.self) { try migrator.migrate(Migration.all + [broken]) }
      #expect(
        try connection.value("SELECT count(*) FROM sqlite_schema WHERE name = 'bow'") == "0")
    }
    #expect(try directory.open().epoch != 0)
  }

  @Test("Older steps make of a store of schema 38 what a new store begins with")
  func older() throws {
    let directory = try TemporaryDirectory()
    try OldStore.write(to: directory.databasePath)
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    #expect(try connection.value("PRAGMA user_version") == "38")
    let rows = try connection.value("SELECT count(*) FROM scoring_operation")
    try Migrator(connection: connection, path: directory.databasePath, nowMilliseconds: 7).migrate()
    let new = try Connection(path: ":memory:", mode: .readWriteCreate)
    try Migrator(connection: new, path: "", nowMilliseconds: 7).migrate()
    #expect(try Self.schema(of: connection) == Self.schema(of: new))
    #expect(try connection.value("SELECT count(*) FROM scoring_operation") == rows && rows != "0")
    let numbers = "SELECT group_concat(number) FROM (SELECT number FROM migration ORDER BY number)"
    #expect(
      try connection.value(numbers)
        == (1...Self.newest).map(String.init).joined(separator: ","))
    #expect(try new.value(numbers) == Migration.all.map { "\($0.number)" }.joined(separator: ","))
  }

  @Test("The layout of a statement does not count, what is quoted does")
  func layout() {
    #expect(
      SchemaCheck.withoutLayout("CREATE TABLE a (\n  b TEXT NOT NULL,\n  c TEXT DEFAULT 'x  y'\n)")
        == "CREATE TABLE a(b TEXT NOT NULL,c TEXT DEFAULT 'x  y')")
    #expect(
      SchemaCheck.withoutLayout("CREATE TABLE a (b TEXT NOT NULL, c TEXT DEFAULT 'x  y')")
        == "CREATE TABLE a(b TEXT NOT NULL,c TEXT DEFAULT 'x  y')")
    #expect(SchemaCheck.withoutLayout("DEFAULT 'it''s ( a'  )") == "DEFAULT 'it''s ( a')")
  }

  @Test("A store of before schema 38 is refused with the version that reads it, and not changed")
  func tooOld() throws {
    let directory = try TemporaryDirectory()
    try OldStore.write(to: directory.databasePath)
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    try connection.execute("DELETE FROM migration WHERE number = 38; PRAGMA user_version = 37")
    let migrator = Migrator(
      connection: connection, path: directory.databasePath, nowMilliseconds: 7)
    let error = #expect(throws: StoreError.self) { try migrator.migrate() }
    #expect(error?.message.contains("has schema 37, and this version reads 38 and later") == true)
    #expect(try connection.value("PRAGMA user_version") == "37")
    #expect(access(migrator.backupPath(version: 37), F_OK) != 0)
  }

  @Test(
    "A store that was made with another step is refused",
    arguments: [
      "UPDATE migration SET checksum = x'00' WHERE number = 12",
      "DELETE FROM migration WHERE number = 3",
      "PRAGMA user_version = 41",
    ])
  func anotherStep(change: String) throws {
    let directory = try TemporaryDirectory()
    try OldStore.write(to: directory.databasePath)
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    try connection.execute(change)
    let migrator = Migrator(
      connection: connection, path: directory.databasePath, nowMilliseconds: 7)
    let error = #expect(throws: StoreError.self) { try migrator.migrate() }
    #expect(error?.message.contains("was made with another step") == true)
  }

  private static func schema(of connection: Connection) throws -> [String: String] {
    let statement = try connection.prepare(
      "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    var found: [String: String] = [:]
    while try statement.step() {
      found[statement.text(0)] = SchemaCheck.withoutLayout(statement.text(1))
    }
    return found
  }

  @Test("The older steps end with the number of the first step of a new store")
  func numbers() {
    let older = Migration.older.map(\.number)
    #expect(older == Array(Migration.oldestVersion + 1...(Migration.all.first?.number ?? 0)))
    let new = Migration.all.map(\.number)
    #expect(new == Array((new.first ?? 0)...(new.first ?? 0) + Int64(new.count - 1)))
  }

  @Test("Released migrations have their released checksums")
  func checksums() {
    let older = [
      "896102ac8e8f4ef63bb8d7b3b7802e53223b5a3680f63b94ec09bb899ea86d87",
      "c8a23fa0af28f7b36ff44685076be0758f9ee56534d71a4b4160e6feaf3a5916",
      "28f3ea69f12f83ed48a756c4456d3f01357950b8c5932a55a351e5759e77b401",
      "5ae4cd0a973f61226c7a7ac06a6bfcfcfb6c454bce0cfd8d5fedba0eee74544d",
      "8b6500c565ca336af4a11177f9bcf59d6a9d925d80f0bb4e9e4be7f42391e16f",
      "3f55a2592ebda1831b45189d9f7244b98a4d3e2aad97cefaf6a47b0a152f2425",
    ]
    let new = [
      "3b78bfb7670744c5a17dcbc62b9beb72bb8e136979dba4bbb431299a14ccf768",
      "273e8b91462521f741377662b97f86a74b57d8de9b6c4a2c8dd2c8aafb0804a6",
      "faacdc5d14bd0e88d9b1437b398a8f57792641ab30467629555ac9e479204fb3",
      "de27e8dc12ab4450dde6f5d346707c09266913a1b7b2399c0153a6129526680a",
      "a53602d480268772d623ae74e818d87bd34c359ead5585b49204852fc7f5af98",
      "b086ce8488153b3906a0c93fab18445caf1f53203b522ac1f8c67569b6c6fcf4",
      "d4e914b3a27cb9d02e320cca841d722ae0635592d53f2bf2e6b3a6d820c60cc9",
    ]
    #expect(Migration.older.map(Self.checksum) == older)
    #expect(Migration.all.map(Self.checksum) == new)
  }

  private static func checksum(_ migration: Migration) -> String {
    migration.checksum.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
