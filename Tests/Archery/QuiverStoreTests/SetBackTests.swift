import QuiverPostgres
import Synchronization
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

@Suite("A database that was set back", .timeLimit(.minutes(5))) struct SetBackTests {
  /// The errors that end a server.
  private final class Ends: Sendable {
    private let messages = Mutex<[String]>([])

    func note(_ error: StoreError) { messages.withLock { $0.append(error.message) } }

    var first: String? { messages.withLock { $0.first } }
  }

  private func open(_ database: SharedDatabase, _ ends: Ends) throws -> Store {
    try database.open { configuration in configuration.hooks.fatal = { ends.note($0) } }
  }

  private func archer(_ store: Store) throws -> Int64 {
    try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)).id
  }

  @Test(
    "a server ends when rows of the journal that it has seen are gone or others, and only then",
    arguments: [
      "DELETE FROM journal WHERE sequence = (SELECT max(sequence) FROM journal)",
      "UPDATE journal SET object_id = object_id + 1",
    ])
  func lostRows(change: String) async throws {
    let database = try SharedDatabase()
    let ends = Ends()
    let store = try open(database, ends)
    let archer = try archer(store)
    let seen = SeenKeys(store)
    _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
    #expect(await seen.contains(.principal(archer)))
    // A database that merely ends connections is the same.
    try database.endConnections()
    #expect(
      await eventually {
        (try? store.perform(try CreateEquipment(.riser("Win&Win")), .of(archer))) != nil
      })
    #expect(ends.first == nil)
    try database.connect().execute(change)
    try database.endConnections()
    #expect(await eventually { ends.first != nil })
    #expect(ends.first?.hasPrefix("the database was set back") == true)
    // Nothing is stored there any more.
    #expect(throws: StoreError.self) {
      _ = try store.perform(try CreateEquipment(.riser("Kinetic")), .of(archer))
    }
  }

  @Test("rows that were removed because they are old are not missed, nor is anything at a start")
  func oldRows() async throws {
    let database = try SharedDatabase()
    let ends = Ends()
    let store = try open(database, ends)
    let archer = try archer(store)
    let seen = SeenKeys(store)
    _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
    #expect(await seen.contains(.principal(archer)))
    try database.connect().execute(
      """
      UPDATE meta SET value = convert_to(
        CAST((SELECT max(sequence) + 1 FROM journal) AS text), 'UTF8')
      WHERE name = '\(JournalPosition.startName)';
      DELETE FROM journal;
      """)
    try database.endConnections()
    #expect(
      await eventually {
        (try? store.perform(try CreateEquipment(.riser("Win&Win")), .of(archer))) != nil
      })
    #expect(ends.first == nil)
    store.close()
    // What happened before a start is not known to the server.
    try database.connect().execute("DELETE FROM journal")
    let again = try open(database, ends)
    _ = try again.perform(try CreateEquipment(.riser("Kinetic")), .of(archer))
    #expect(ends.first == nil)
  }
}
