import Foundation
import QuiverRules
import QuiverSQLite
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct MigratorTests {
  private static let newest = Int64(Migration.all.count)
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

  @Test("Migration 10 deletes the hashes of deleted content, and keeps others and the plans")
  func emptiedHashes() throws {
    let directory = try TemporaryDirectory()
    let connection = try Connection(path: directory.databasePath, mode: .readWriteCreate)
    let migrator = Migrator(
      connection: connection, path: directory.databasePath, nowMilliseconds: 7)
    try migrator.migrate(Array(Migration.all.prefix(9)))
    try connection.execute(
      """
      INSERT INTO weight_entry VALUES
        (1, 1, x'01', 1, 0, 0, 100, 0, 0, 80000, 2, 0, '', NULL, NULL);
      INSERT INTO lift_set VALUES (1, 1, x'03', 1, 0, 0, 100, 0, 5, 45, 1, 50);
      INSERT INTO weight_plan VALUES (1, 4, 0, 2, 80000, 70000, 2000, 100);
      INSERT INTO client_object VALUES (x'01', 1, 48, 1, x'AA'), (x'02', 1, 48, 2, x'AA'),
        (x'03', 1, 50, 1, x'AA'), (x'04', 1, 50, 2, x'AA'), (x'05', 1, 16, 9, x'AA');
      """)
    try migrator.migrate()
    #expect(
      try connection.value(
        "SELECT group_concat(hex(client_id)) FROM client_object WHERE length(content_hash) = 0")
        == "02,04")
    #expect(
      try connection.value("SELECT revision FROM weight_plan WHERE deleted_at_ms IS NULL") == "4")
  }

  @Test("Migration 21 gives each event one category and one stage, which count for its organiser")
  func structure() throws {
    let directory = try TemporaryDirectory()
    let connection = try Connection(path: directory.databasePath, mode: .readWriteCreate)
    let migrator = Migrator(
      connection: connection, path: directory.databasePath, nowMilliseconds: 7)
    try migrator.migrate(Array(Migration.all.prefix(20)))
    try connection.execute(
      """
      INSERT INTO shooting_session
        (id, principal_id, format_id, is_tournament, created_at_ms, notes)
        VALUES (3, 5, 1, 1, 70, ''), (4, 5, 1, 0, 80, ''), (9, 6, 1, 1, 90, '');
      INSERT INTO tournament VALUES
        (3, 5, 1, 1, 0, 0, 'A', 50, 2, 10, 0, 0, 0, 1, 100, NULL, NULL, 'cup'),
        (9, 6, 1, 1, 0, 0, 'B', 50, 2, 10, 0, 0, 0, 1, 200, NULL, NULL, 'open');
      """)
    let usage = "SELECT group_concat(rows) FROM (SELECT rows FROM usage ORDER BY principal_id)"
    #expect(try connection.value(usage) == "3,2")
    try migrator.migrate()
    #expect(
      try connection.value(
        "SELECT group_concat(event_id || code || is_first || format_id) FROM event_category")
        == "3ALL10,9ALL10")
    #expect(
      try connection.value(
        "SELECT group_concat(event_id || ' ' || rule_day || ' ' || created_at_ms) FROM event_stage")
        == "3 100 70,9 200 90")
    #expect(try connection.value(usage) == "5,4")
  }

  @Test("Operations on matches count for who sent them, and entries belong to the organiser")
  func owners() throws {
    let directory = try TemporaryDirectory()
    let connection = try Connection(path: directory.databasePath, mode: .readWriteCreate)
    let migrator = Migrator(
      connection: connection, path: directory.databasePath, nowMilliseconds: 7)
    let step = try #require(Migration.all.first { $0.script == Migration.owners }).number
    try migrator.migrate(Migration.all.filter { $0.number < step })
    try connection.execute(
      """
      INSERT INTO shooting_session
        (id, principal_id, format_id, is_tournament, created_at_ms, notes)
        VALUES (3, 5, 1, 1, 70, ''), (4, 8, 1, 0, 80, '');
      INSERT INTO tournament VALUES
        (3, 5, 1, 1, 0, 0, 'A', 50, 2, 10, 0, 0, 0, 1, 100, NULL, NULL, 'cup');
      INSERT INTO participant (id, session_id, kind, principal_id, scorer_id, status,
          display_name, joined_at_ms, last_active_at_ms)
        VALUES (1, 3, 1, 9, 0, 1, 'Robin', 1, 1), (2, 3, 3, 6, 0, 1, 'Much', 1, 1),
          (3, 4, 2, 8, 0, 1, 'Ann', 1, 1);
      INSERT INTO match_operation VALUES (1, 1, 3, 9, x'01', x'02', 1, 1),
        (2, 1, 3, 9, x'03', x'04', 1, 1), (3, 1, 3, 5, x'05', x'06', 1, 1);
      """)
    let usage = """
      SELECT group_concat(principal_id || ' ' || rows) FROM (
        SELECT principal_id, rows FROM usage ORDER BY principal_id)
      """
    #expect(try connection.value(usage) == "5 7,8 2")
    try migrator.migrate()
    #expect(try connection.value(usage) == "5 5,8 2,9 2")
    #expect(
      try connection.value(
        "SELECT group_concat(principal_id) FROM (SELECT principal_id FROM participant ORDER BY id)")
        == "9,5,8")
    try connection.execute("DELETE FROM match_operation")
    #expect(try connection.value(usage) == "5 4,8 2,9 0")
  }

  @Test("Migration 30 gives participants the session of their entry, and sessions the first round")
  func turnSessions() throws {
    let directory = try TemporaryDirectory()
    let connection = try Connection(path: directory.databasePath, mode: .readWriteCreate)
    let migrator = Migrator(
      connection: connection, path: directory.databasePath, nowMilliseconds: 7)
    try migrator.migrate(Array(Migration.all.prefix(29)))
    try connection.execute(
      """
      INSERT INTO participant (id, session_id, kind, principal_id, status, last_active_at_ms,
        joined_at_ms, display_name, turn_order)
        VALUES (1, 1, 3, 1, 1, 0, 0, 'Ann', 9), (2, 1, 3, 1, 1, 0, 0, 'Ben', 0);
      INSERT INTO event_session VALUES (5, 1, 1, 0, 1, 4, 4, 0, 0, 'line');
      INSERT INTO event_entry VALUES (1, 1, 1, 5, 2, 1, 1, '', '', '', ''),
        (2, 1, 1, 0, 0, 0, 1, '', '', '', '');
      """)
    try migrator.migrate()
    #expect(
      try connection.value(
        "SELECT group_concat(turn_session || ' ' || turn_order) FROM participant") == "5 9,0 0")
    #expect(try connection.value("SELECT round FROM event_session") == "1")
  }

  @Test("Migrations are numbered from 1 without gaps")
  func numbers() {
    #expect(Migration.all.map(\.number) == Array(1...Int64(Migration.all.count)))
  }

  @Test("Released migrations have their released checksums")
  func checksums() {
    let released = [
      "6591a67ffcbf94e85709a311947cf8ca10e99045944bd5a06794bbb97be406df",
      "3f008a3e08bfac96b755140226aa2ff37764c13ef02991bc0aa4a10431e2dabf",
      "c8bf1a134569a1b5a0c410b5d9117cd1da43cedaa8c8ca80e7c7e450fdd07819",
      "0ea29f16b7f49bc8601b97f99aaef831855d1573eb1d54606f338d7c37923503",
      "a808a6e681a081895958ef74fe5cd4371dfdc81dbd98a26f8f75d53cecdf6996",
      "eded398c317a6de85091d7d659633be4eabfa5a856f52e73308a59cd4186ca21",
      "9c78ebc5e917eb4539ddc0d9cce36abc04d3d74faecb55cf13cf2102e57696e8",
      "5177d8193e1839f7ee084b7de412541b6f1f7b3f155c2191603f9259729ec200",
      "405e635bbbeeedafa5d94384201013d81e42c0ef8eb3651fe70b931903dc180c",
      "d55004a60da1604e08295452405c1654260318ee2846f8360eaf717ea9a0d50e",
      "97a3b6496a1075a4001e306b9650ab676d69abdf748e00d7f5de4872ab0e1edb",
      "ac31c26456d29cb8c6a595bcb0bfd7df8502a380a97ee6136d50193778bdbdd8",
      "1608a3789007a331111deed5f4a56b2aaa8593b9763d1b531bce37f6712200e5",
      "64d7bb7279bab83e53af8ad5776e0eee46c8b47b0e3f231dff04f33c3c4741b4",
      "eff13b146d30d6edc4d8502227949bf19b81143da38730df06b9d56fa6990e4c",
      "f0e96d801fe5d04a0f8934d5298e3f5e020cc45fa2ffabd8e5624c097186b568",
      "4f49c0cbd61a20feee672f731d744122f85b874e80f020e0249d773875a334aa",
      "411a74f126b148f7b53546a6fb4758210e66c66f41551bc30f32dbade9037e52",
      "e6754907d7e7770805d5179634ea071a99d9432249016be578c4527937956222",
      "efbfd8b4e3fd2e4bc6e9dbfe54d4d4123ec23038d477866baf42ab5efb33ccb0",
      "d14352678e1ea7c916f996d8049317dae390e46f77cb40404b23c53ddc921b3e",
      "341ded597984bbc390f981e29fcbe7ec7f3bba093004bd070b88f18175dd67d1",
      "189cdd5feaf516eb82ce7b63e5e82fc1a1e55e4c299a8f4b55da93a813e151f9",
      "8abdeb437844413a4593d14efc385818761466c0f64070fef00f13590096647f",
      "ffb9097c830c8a83d1343f24ac54073abc2bb8981515144c26d7098c5fec5b37",
      "163ce542761628da520dfa27828fdbf679f69425833a0768cd8dc95e205941f5",
      "c4ef66042ca2dc167fe2a778d3d21b4c7f199e5d1cf87778b47a90f8b4f451e1",
      "0e963075c8be2ee4e9a28764045761f14893a20381bf4cfe292c24e7019818f8",
      "9bb8fdff38afc2a498bb8c8cf2f09b69fcdcce7971264ecb6e5491195bc8ef54",
      "ea03897f40643831496c4c799eee048f0e603cc6a22298cef1b391eff67d0318",
      "38da1ff441026de02bfdb31bd8724fc6d698f2524ee506c091e70a9a36a8fb01",
      "c39954153fda6de229edf1994ff1ed98240b5c9f4c487d576a47ea3eb64e1f1c",
      "d277998948634608aec39b07aeb3f161fd0a8b62be3d137baa258526f9c7f049",
      "ef66714e9c597b9c68bf5db5919f421edfed3d1d5cca42cb66b1c6080f455f5e",
      "01012dad7ce29a321115814bd89556b25af3bfaf54bd1bce58108c113899dd86",
      "16f9a9207e998c9ec70c9fb0846ce774292dcf85f761c5910195f064b56be7eb",
      "e1e44b81b5c46142666a9c6edd91832b00532fe455d3ff98753433547a2bb0ed",
      "66922805ce158f14a43624acf0a53350f32d94020cdb2d2e151728b592f15fae",
      "896102ac8e8f4ef63bb8d7b3b7802e53223b5a3680f63b94ec09bb899ea86d87",
      "c8a23fa0af28f7b36ff44685076be0758f9ee56534d71a4b4160e6feaf3a5916",
      "28f3ea69f12f83ed48a756c4456d3f01357950b8c5932a55a351e5759e77b401",
      "5ae4cd0a973f61226c7a7ac06a6bfcfcfb6c454bce0cfd8d5fedba0eee74544d",
      "8b6500c565ca336af4a11177f9bcf59d6a9d925d80f0bb4e9e4be7f42391e16f",
      "3f55a2592ebda1831b45189d9f7244b98a4d3e2aad97cefaf6a47b0a152f2425",
    ]
    let checksums = Migration.all.map { migration in
      migration.checksum.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    #expect(checksums == released)
  }
}
