import Foundation
import QuiverPostgres
import QuiverRules
import QuiverSQLite
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct StoreTransferTests {
  private func transfer(_ directory: TemporaryDirectory, _ database: SharedDatabase) throws
    -> StoreTransfer.Report
  {
    try StoreTransfer.run(
      from: directory.path, to: PostgresServer.sharedAddress(database: database.name))
  }

  @Test("a store of SQLite has the same content and identity in PostgreSQL, and goes on there")
  func content() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let account = try FullAccount(in: store, mark: "moved")
    let event = try FullEvent(in: store)
    let gone = try FullAccount(in: store, mark: "gone")
    try store.perform(DeleteAccount(confirmation: "gone Robin"), .of(gone.principal))
    let options = CommandOptions.of(
      account.principal, key: Array(repeating: 5, count: 16), hash: 1)
    let command = try CreateEquipment(.riser("Keyed"))
    #expect(try store.call(command, options, reply: [4, 2]) == [4, 2])
    func exported(_ snapshot: borrowing Snapshot) throws(StoreError) -> [ExportItem] {
      try snapshot.export(principal: account.principal, pageSize: 500, pageToken: "").items
    }
    func bracket(_ snapshot: borrowing Snapshot) throws(StoreError) -> BracketRecord {
      try snapshot.bracket(stage: event.stage)
    }
    func journal(_ snapshot: borrowing Snapshot) throws(StoreError) -> [JournalEntry] {
      try snapshot.journal(after: 0, limit: 1_000)
    }
    // The account that is gone is erased in the background, which changes the journal.
    while try !store.read({ (snapshot) throws(StoreError) in
      try EraseAccount.unfinished(in: snapshot)
    }).isEmpty {}
    let before = try (store.read(exported), store.read(bracket), store.read(journal))
    let epoch = store.epoch
    store.close()

    let database = try SharedDatabase()
    let report = try transfer(directory, database)
    #expect(report.tableCount > 50 && report.rowCount > 300)
    let moved = try database.open { $0.createsDatabase = false }
    #expect(moved.epoch == epoch)
    #expect(try moved.read(exported).map { "\($0)" } == before.0.map { "\($0)" })
    #expect(try moved.read(bracket) == before.1)
    #expect(try moved.read(journal) == before.2)
    #expect(try moved.verify() == [])
    // The call of before has its reply, and a new one gets a new id.
    #expect(try moved.call(command, options, reply: [0]) == [4, 2])
    let made = try moved.perform(try CreateEquipment(.riser("New")), .of(account.principal))
    let known = try directory.open()
    let other = try known.perform(try CreateEquipment(.riser("New")), .of(account.principal))
    #expect(made.id == other.id)
    known.close()
    #expect(try moved.verify() == [])
  }

  /// The rows of all tables but the journal, of which the way back leaves nothing, and the time.
  private func rows(_ directory: TemporaryDirectory) throws -> [String: [String]] {
    let connection = try Connection(path: directory.databasePath, mode: .readOnly)
    defer { connection.close() }
    let tables = try connection.prepare(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
        AND name NOT IN ('journal', 'migration', 'store_time', 'time_gap')
      """)
    var found: [String: [String]] = [:]
    while try tables.step() {
      let name = tables.text(0)
      let columns = try connection.prepare("SELECT name FROM pragma_table_info('\(name)')")
      var quoted: [String] = []
      while try columns.step() { quoted.append("quote(\(columns.text(0)))") }
      let rows = try connection.prepare(
        "SELECT \(quoted.joined(separator: " || ',' || ")) AS row FROM \(name) ORDER BY row")
      var list: [String] = []
      while try rows.step() { list.append(rows.text(0)) }
      found[name] = list
    }
    return found
  }

  /// Ends the connections of a copy when it has come to a table.
  private func endCopy(
    of database: SharedDatabase, at table: String
  ) -> (_ table: String, _ rowCount: Int64) -> Void {
    { found, _ in
      guard found == table else { return }
      try? database.connect().execute(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = '\(database.name)' AND pid <> pg_backend_pid()
        """)
    }
  }

  @Test("a store that goes to PostgreSQL and back has the same rows, also if both ways break off")
  func andBack() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let account = try FullAccount(in: store, mark: "moved")
    _ = try FullEvent(in: store)
    let options = CommandOptions.of(
      account.principal, key: Array(repeating: 5, count: 16), hash: 1)
    let command = try CreateEquipment(.riser("Keyed"))
    #expect(try store.call(command, options, reply: [4, 2]) == [4, 2])
    store.close()
    let before = try rows(directory)
    #expect(before.count > 50 && before.values.map(\.count).reduce(0, +) > 100)

    let database = try SharedDatabase()
    let address = PostgresServer.sharedAddress(database: database.name)
    #expect(throws: StoreError.self) {
      try StoreTransfer.run(
        from: directory.path, to: address, rowsPerSlice: 2,
        progress: endCopy(of: database, at: "equipment"))
    }
    // Nobody may use what is there so far.
    let unusable = #expect(throws: StoreError.self) { _ = try database.open() }
    #expect(unusable?.message.contains("migrate") == true)
    let there = try StoreTransfer.run(from: directory.path, to: address, rowsPerSlice: 3)
    let server = try database.open()
    #expect(try server.verify() == [])
    let position = try server.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() }
    server.close()

    let home = try TemporaryDirectory()
    #expect(throws: StoreError.self) {
      try StoreTransfer.run(
        fromDatabase: address, to: home.path, rowsPerSlice: 2,
        progress: endCopy(of: database, at: "equipment"))
    }
    let back = try StoreTransfer.run(fromDatabase: address, to: home.path, rowsPerSlice: 3)
    #expect(back.rowCount > 100 && there.rowCount > back.rowCount)
    let after = try rows(home)
    for (table, list) in before { #expect(after[table] == list, "\(table)") }
    let again = try home.open()
    #expect(try again.verify() == [])
    #expect(again.epoch == store.epoch)
    #expect(try again.call(command, options, reply: [0]) == [4, 2])
    // A watch that was at a position of PostgreSQL begins anew or goes on, and misses nothing.
    let (first, last) = try again.read { (snapshot) throws(StoreError) in
      (try snapshot.firstSequence(), try snapshot.lastSequence())
    }
    #expect(first > position && last >= first)
    again.close()
  }

  @Test("a database with a store, or with servers, and a missing directory are refused")
  func refusals() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    let database = try SharedDatabase()
    let server = try database.open()
    // The server's background work holds its lock from its first turn on.
    _ = try server.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    let used = #expect(throws: StoreError.self) { _ = try transfer(directory, database) }
    #expect(used?.code == .unavailable || used?.code == .alreadyExists)
    server.close()
    let full = #expect(throws: StoreError.self) { _ = try transfer(directory, database) }
    #expect(full?.code == .alreadyExists)
    let missing = try TemporaryDirectory()
    let none = #expect(throws: StoreError.self) {
      _ = try transfer(missing, try SharedDatabase())
    }
    #expect(none?.code == .failedPrecondition)
  }
}
