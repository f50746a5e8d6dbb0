import Foundation
import QuiverPostgres
import QuiverRules
import Synchronization
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct SharedStoreTests {
  private func archer(_ store: Store, _ name: String = "Robin") throws -> Int64 {
    try store.perform(CreatePrincipal(kind: .user, displayName: name), .of(0)).id
  }

  private func brands(_ store: Store, of principal: Int64) throws -> [String] {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentItems(
        principal: principal, EquipmentFilter(), pageSize: 500, pageToken: ""
      ).items.map(\.displayBrand)
    }
  }

  @Test("a command of one store is read by another one, which learns of it by the journal")
  func twoStores() async throws {
    let database = try SharedDatabase()
    let (first, second) = try (database.open(), database.open())
    #expect(first.epoch == second.epoch && first.isShared)
    let archer = try archer(first)
    let seen = SeenKeys(second)
    _ = try first.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
    #expect(try brands(second, of: archer) == ["Hoyt"])
    #expect(await seen.contains(.principal(archer)))
    // The other way round, and the store learns of its own commits in the same way.
    let own = SeenKeys(first)
    let other = try self.archer(first, "Marian")
    _ = try second.perform(try CreateEquipment(.riser("Win&Win")), .of(other))
    #expect(await own.contains(.principal(other)))
    #expect(try brands(first, of: other) == ["Win&Win"])
  }

  @Test("a store that is opened again has what was stored, and an empty database is not created")
  func openedAgain() throws {
    let database = try SharedDatabase()
    let refusal = #expect(throws: StoreError.self) {
      _ = try database.open { $0.createsDatabase = false }
    }
    #expect(refusal?.message.contains("--init") == true)
    let store = try database.open()
    let archer = try archer(store)
    _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
    store.close()
    let again = try database.open { $0.createsDatabase = false }
    #expect(try brands(again, of: archer) == ["Hoyt"])
    #expect(again.epoch == store.epoch)
  }

  @Test("a call that arrives at two stores at once takes effect once, and both get one reply")
  func sameKey() throws {
    let database = try SharedDatabase()
    let stores = try (0..<2).map { _ in try database.open() }
    let archer = try archer(stores[0])
    for round in UInt8(0)..<10 {
      let results = Results()
      let target = RecordingTarget(expecting: stores.count * 2)
      for place in 0..<stores.count * 2 {
        stores[place % 2].submit(
          try CreateEquipment(.riser("Hoyt")),
          .of(archer, key: Array(repeating: round, count: 16), hash: round), target: target,
          encode: { reply in Array("\(reply.id)".utf8) },
          completion: { results.set(place, $0) })
      }
      target.wait()
      let replies = Set((0..<stores.count * 2).map { results.reply($0) })
      #expect(replies.count == 1 && replies.first != .some(nil))
    }
    #expect(try brands(stores[1], of: archer).count == 10)
  }

  @Test("many principals at two stores at once lose and double nothing, and all counts are right")
  func manyCommands() throws {
    let database = try SharedDatabase()
    let stores = try (0..<2).map { _ in try database.open() }
    let archers = try (0..<8).map { try archer(stores[0], "A\($0)") }
    let (rounds, results) = (10, Results())
    let target = RecordingTarget(expecting: archers.count * rounds)
    for round in 0..<rounds {
      for (index, archer) in archers.enumerated() {
        let place = round * archers.count + index
        let key = Array(withUnsafeBytes(of: UInt64(place).bigEndian) { $0 }) + Array(1...8)
        stores[round % 2].submit(
          try CreateEquipment(.riser("B\(round)")), .of(archer, key: key), target: target,
          encode: { _ in [] }, completion: { results.set(place, $0) })
      }
    }
    target.wait()
    #expect((0..<archers.count * rounds).allSatisfy { results.reply($0) != nil })
    for archer in archers {
      #expect(Set(try brands(stores[0], of: archer)) == Set((0..<rounds).map { "B\($0)" }))
    }
    #expect(try stores[1].verify() == [])
    let count = stores.reduce(0) { $0 + $1.statistics.committedCommands }
    #expect(count == UInt64(archers.count * (rounds + 1)))
  }

  @Test("commands of one principal run in the order of their arrival")
  func order() throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let archer = try archer(store)
    let target = RecordingTarget(expecting: 40)
    let finished = Mutex<[Int]>([])
    for place in 0..<40 {
      store.submit(
        try CreateEquipment(.riser("B\(place)")), .of(archer), target: target,
        encode: { _ in [] }, completion: { _ in finished.withLock { $0.append(place) } })
    }
    target.wait()
    #expect(finished.withLock { $0 } == Array(0..<40))
    let stored = try store.read { (snapshot) throws(StoreError) in
      try snapshot.journal(after: 0, limit: 100)
    }
    #expect(stored.map(\.sequence) == stored.map(\.sequence).sorted())
  }

  @Test("rows of the journal wait for earlier transactions, and none is skipped")
  func horizon() async throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let archer = try archer(store)
    let seen = SeenKeys(store)
    // A transaction of another server that has its number and no end yet.
    let slow = try database.connect()
    try slow.begin(.serializable)
    try slow.run(
      control: """
        INSERT INTO journal (sequence, principal_id, topic, kind, object_id, change, at_ms)
        VALUES (journal_position(0), 4711, 0, 16, 1, 1, 1)
        """)
    _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
    let before = try store.read { (snapshot) throws(StoreError) in
      (last: try snapshot.lastSequence(), rows: try snapshot.journal(after: 0, limit: 100))
    }
    // The command's row is later than the open transaction, so that nobody may see it yet.
    #expect(!before.rows.contains { $0.kind == .equipment })
    #expect(!seen.containsNow(.principal(4711)))
    try slow.commit()
    #expect(await seen.contains(.principal(4711)))
    #expect(await seen.contains(.principal(archer)))
    let after = try store.read { (snapshot) throws(StoreError) in
      try snapshot.journal(after: before.last, limit: 100)
    }
    #expect(after.filter { $0.kind == .equipment }.map(\.principal) == [4711, archer])
    #expect(seen.sequences == seen.sequences.sorted())
  }

  @Test("after the connections have ended commands and reads work, and the journal is followed on")
  func endedConnections() async throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let archer = try archer(store)
    let seen = SeenKeys(store)
    _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
    #expect(await seen.contains(.principal(archer)))
    try database.endConnections()
    let other = try self.archer(store, "Marian")
    _ = try store.perform(try CreateEquipment(.riser("Win&Win")), .of(other))
    #expect(try brands(store, of: archer) == ["Hoyt"])
    #expect(await seen.contains(.principal(other)))
  }

  @Test("while the database refuses connections commands are refused, and health says so and heals")
  func unreachable() async throws {
    let database = try SharedDatabase()
    let states = Mutex<[Bool]>([])
    let store = try database.open { configuration in
      configuration.hooks.storingChanged = { error in
        states.withLock { $0.append(error == nil) }
      }
    }
    let archer = try archer(store)
    let server = try PostgresServer.shared.connect()
    try server.execute("ALTER DATABASE \(database.name) ALLOW_CONNECTIONS false")
    try server.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database.name)'")
    #expect(await eventually { states.withLock { $0.last == false } })
    let error = #expect(throws: StoreError.self) {
      _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
    }
    #expect(error?.code == .unavailable && error?.notProcessed == true)
    #expect(throws: StoreError.self) { try brands(store, of: archer) }
    try server.execute("ALTER DATABASE \(database.name) ALLOW_CONNECTIONS true")
    // Without a command.
    #expect(await eventually { states.withLock { $0.last == true } })
    _ = try store.perform(try CreateEquipment(.riser("Win&Win")), .of(archer))
    #expect(try brands(store, of: archer) == ["Win&Win"])
  }

  @Test("a call whose COMMIT has no answer runs again by its key, and has its effect once")
  func lostCommit() throws {
    let database = try SharedDatabase()
    let store = try database.open { $0.databaseWorkers = 1 }
    let archer = try archer(store)
    // A deferred trigger runs within COMMIT, and ends the connection behind the first one.
    try database.connect().execute(
      """
      CREATE SEQUENCE commits;
      CREATE FUNCTION end_first_commit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('commits') = 1 THEN
          PERFORM pg_terminate_backend(pg_backend_pid());
          PERFORM pg_sleep(0);
        END IF;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER end_first_commit AFTER INSERT ON riser
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_first_commit();
      """)
    let key = Array(repeating: UInt8(3), count: 16)
    let command = try CreateEquipment(.riser("Hoyt"))
    let reply = try store.call(command, .of(archer, key: key), reply: [7])
    #expect(reply == [7])
    #expect(try brands(store, of: archer) == ["Hoyt"])
    try database.connect().execute("ALTER SEQUENCE commits RESTART")
    // Without a key nobody knows whether it had its effect.
    let error = #expect(throws: StoreError.self) {
      _ = try store.perform(try CreateEquipment(.riser("Win&Win")), .of(archer))
    }
    #expect(error?.code == .unavailable && error?.notProcessed == false)
  }

  @Test("a read that takes too long or is cancelled ends its statement")
  func endedReads() async throws {
    let database = try SharedDatabase()
    let store = try database.open { $0.readMilliseconds = 200 }
    let sleep = Query(onlyPostgreSQL: "SELECT 1 FROM pg_sleep(?1)")
    let error = #expect(throws: StoreError.self) {
      try store.read { (snapshot) throws(StoreError) in
        _ = try snapshot.first(sleep, .real(30)) { row in row.int64(0) }
      }
    }
    #expect(error?.code == .deadlineExceeded)
    let patient = try database.open { $0.readMilliseconds = 60_000 }
    let task = Task {
      try await patient.reads.run(of: .server) { () throws(StoreError) in
        try patient.read { (snapshot) throws(StoreError) in
          _ = try snapshot.first(sleep, .real(30)) { row in row.int64(0) }
        }
      }
    }
    let connection = try database.connect()
    let isAsleep = try await eventually {
      try connection.value(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE wait_event = 'PgSleep' AND application_name = 'quiverd'
        """) == "1"
    }
    #expect(isAsleep)
    task.cancel()
    let cancelled = await task.result
    #expect(throws: StoreError.self) { try cancelled.get() }
    // The connection is used again.
    _ = try patient.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() }
  }

  @Test("a read of one statement sees each commit, and one that wants more runs in one snapshot")
  func readsOfOneStatement() throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let archer = try archer(store)
    let count = Query(
      "SELECT coalesce(sum(active), 0) FROM equipment_count WHERE principal_id = ?1")
    for number in 1...20 {
      let item = try store.perform(try CreateEquipment(.riser("B\(number)")), .of(archer))
      let read = try store.equipment(.riser, .id(item.id), principal: archer)
      #expect(read.content.displayBrand == "B\(number)")
      var runCount = 0
      let counts = try store.readOne { (snapshot) throws(StoreError) in
        runCount += 1
        let first = try snapshot.first(count, .integer(archer)) { row in row.int64(0) }
        return [first, try snapshot.first(count, .integer(archer)) { row in row.int64(0) }]
      }
      #expect(counts == [Int64(number), Int64(number)] && runCount == 2)
    }
    let missing = #expect(throws: StoreError.self) {
      _ = try store.equipment(.riser, .id(4711), principal: archer)
    }
    #expect(missing?.code == .notFound)
    // An error that the body takes for its own does not hide the second statement.
    let swallowed = try store.readOne { (snapshot) throws(StoreError) in
      _ = try snapshot.first(count, .integer(archer)) { row in row.int64(0) }
      return try? snapshot.first(count, .integer(archer)) { row in row.int64(0) }
    }
    #expect(swallowed == .some(20))
  }

  @Test("both stores show the same leaderboard after each arrow, wherever it was recorded")
  func leaderboards() throws {
    let database = try SharedDatabase()
    let (first, second) = try (database.open(), database.open())
    let full = try FullEvent(in: first)
    func rows(_ store: Store) throws(StoreError) -> [String] {
      try store.leaderboard(full.event).read { (_, order, _) throws(StoreError) in
        order.rows(from: 0, limit: 10).entries.map { entry in
          "\(entry.displayName) \(entry.contender.tally.total)"
        }
      }
    }
    #expect(try rows(first).count == 7)
    #expect(try rows(first) == rows(second))
    let before = try second.leaderboard(full.event).read { (_, _, sequence) in sequence }
    _ = try first.perform(
      try ChangeTournamentState(full.event, .finalise, anyway: true), .of(full.organiser))
    let after = try second.leaderboard(full.event).read { (head, _, sequence) in
      (head.status, sequence)
    }
    #expect(after.0 == .completed && after.1 > before)
  }

  @Test("permissions that end at one store end at the other one")
  func endedPermissions() async throws {
    let database = try SharedDatabase()
    let ended = Mutex<[PermissionChanges]>([])
    let own = Mutex<[PermissionChanges]>([])
    let first = try database.open { configuration in
      configuration.hooks.permissionsEnded = { changes in own.withLock { $0.append(changes) } }
    }
    let second = try database.open { configuration in
      configuration.hooks.permissionsEnded = { changes in ended.withLock { $0.append(changes) } }
    }
    let archer = try archer(first)
    let token = try first.perform(
      CreateToken(
        principal: archer, label: "phone", expiresAtMilliseconds: nil,
        secret: try TokenSecret.make()), .of(0))
    let count = second.endedPermissionCount
    _ = try first.perform(RevokeToken(id: token.record.id), .of(0))
    #expect(await eventually { second.endedPermissionCount > count })
    let isTold: ([PermissionChanges], Bool) -> Bool = { changes, areFromTable in
      changes.contains {
        $0.tokenIDs == [token.record.id] && $0.areFromTable == areFromTable
      }
    }
    #expect(await eventually { ended.withLock { isTold($0, true) } })
    // The store itself learns of it with its commit, and by the table, as the other one does.
    #expect(await eventually { own.withLock { isTold($0, true) && isTold($0, false) } })
    #expect(ended.withLock { !$0.contains { !$0.areFromTable } })
  }

  @Test("a deleted account is erased, and the sums of all keys are refreshed in the background")
  func housekeeping() async throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let full = try FullAccount(in: store, mark: "gone")
    let key = Array(repeating: UInt8(9), count: 16)
    let other = try archer(store, "Marian")
    _ = try store.call(try CreateEquipment(.riser("Hoyt")), .of(other, key: key), reply: [1, 2])
    try store.perform(DeleteAccount(confirmation: "gone Robin"), .of(full.principal))
    let connection = try database.connect()
    let isErased = try await eventually {
      try connection.value("SELECT count(*) FROM account_erasure") == "0"
    }
    #expect(isErased)
    let isSummed = try await eventually {
      try connection.value("SELECT (SELECT sum(keys) FROM usage) = keys AND keys > 0 FROM kept_key")
        == "1"
    }
    #expect(isSummed)
    #expect(try store.verify() == [])
  }

  @Test("a database in another encoding, and a directory with a store of SQLite, are refused")
  func refusals() throws {
    let server = try PostgresServer.shared
    try server.connect().execute(
      "CREATE DATABASE ascii_only ENCODING 'SQL_ASCII' TEMPLATE template0")
    let directory = try TemporaryDirectory()
    var configuration = StoreConfiguration(directory: directory.path)
    configuration.databaseAddress = PostgresServer.sharedAddress(database: "ascii_only")
    let encoding = #expect(throws: StoreError.self) { _ = try Store(configuration) }
    #expect(encoding?.message.contains("ENCODING 'UTF8'") == true)
    configuration.databaseAddress = "postgresql://quiver:hidden@127.0.0.1:1/none"
    let unreachable = #expect(throws: StoreError.self) { _ = try Store(configuration) }
    #expect(unreachable?.code == .unavailable)
    #expect(unreachable?.message.contains("hidden") == false)
    configuration.databaseAddress = nil
    try Store(configuration).close()
    configuration.databaseAddress = PostgresServer.sharedAddress(database: "quiver")
    let other = #expect(throws: StoreError.self) { _ = try Store(configuration) }
    #expect(other?.message.contains("SQLite") == true)
  }
}
