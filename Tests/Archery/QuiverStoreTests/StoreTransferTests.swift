import Foundation
import QuiverPostgres
import QuiverRules
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
