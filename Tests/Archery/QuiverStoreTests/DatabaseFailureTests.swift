import Foundation
import QuiverPostgres
import Synchronization
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

/// What a server does when its database is silent, refuses it, or belongs to a newer version.
@Suite(.timeLimit(.minutes(5))) struct DatabaseFailureTests {
  private func archer(_ store: Store) throws -> Int64 {
    try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)).id
  }

  @Test(
    "a call whose COMMIT has no answer and that cannot run again may have had its effect",
    .timeLimit(.minutes(1)))
  func unclearCommit() async throws {
    let database = try SharedDatabase()
    let store = try database.open { $0.databaseWorkers = 1 }
    let archer = try archer(store)
    // A deferred trigger runs within COMMIT.
    try database.connect().execute(
      """
      CREATE FUNCTION sleep_in_commit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER sleep_in_commit AFTER INSERT ON riser
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sleep_in_commit();
      """)
    let (results, target) = (Results(), RecordingTarget(expecting: 1))
    store.submit(
      try CreateEquipment(.riser("Hoyt")), .of(archer, key: Array(repeating: 3, count: 16)),
      target: target, encode: { _ in [] }, completion: { results.set(0, $0) })
    let server = try PostgresServer.shared.connect()
    let isCommitting = try await eventually {
      try server.value(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = '\(database.name)' AND wait_event = 'PgSleep'
        """) == "1"
    }
    #expect(isCommitting)
    try server.execute("ALTER DATABASE \(database.name) ALLOW_CONNECTIONS false")
    try server.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database.name)'")
    target.wait()
    guard case .failure(let error)? = results[0] else {
      Issue.record("the call was answered")
      return
    }
    #expect(error.code == .unavailable)
    #expect(!error.notProcessed)
  }

  @Test("a connection is given up when the database falls silent while it is prepared")
  func silentSettings() throws {
    let server = try SilentServer()
    var configuration = PostgresConfiguration(try PostgresAddress(server.address))
    (configuration.connectMilliseconds, configuration.graceMilliseconds) = (300, 50)
    let connector = PostgresConnector(
      configuration, monotonicNanoseconds: StoreClock.system.monotonicNanoseconds)
    let error = #expect(throws: PostgresError.self) { _ = try connector.connect(.command) }
    #expect(error?.kind == .noAnswer)
    withExtendedLifetime(server) {}
  }

  @Test("a server does not use a schema of a newer version, says so, and goes on when it is back")
  func newerSchema() async throws {
    let database = try SharedDatabase()
    let states = Mutex<[Bool]>([])
    let store = try database.open { configuration in
      configuration.hooks.storingChanged = { error in
        states.withLock { $0.append(error == nil) }
      }
    }
    let archer = try archer(store)
    let other = try database.connect()
    try other.execute(
      "INSERT INTO migration VALUES (9999, 'of a newer version', convert_to('x', 'UTF8'), 0)")
    try database.endConnections()
    let error = #expect(throws: StoreError.self) {
      _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
    }
    #expect(error?.code == .unavailable && error?.notProcessed == true)
    #expect(throws: StoreError.self) {
      try store.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() }
    }
    #expect(await eventually { states.withLock { $0.last == false } })
    try other.execute("DELETE FROM migration WHERE number = 9999")
    #expect(await eventually { states.withLock { $0.last == true } })
    _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
  }

  @Test("a server is known to run for as long as a connection of its commands exists")
  func presence() async throws {
    let database = try SharedDatabase()
    let store = try database.open()
    _ = try archer(store)
    let other = try database.connect()
    let key = PostgresDatabase.presenceKey
    let presence = """
      FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND d.datname = '\(database.name)' AND l.objid
      """
    // The connection of the background work has another lock too.
    let isEnded = try await eventually {
      try other.value("SELECT pg_terminate_backend(l.pid) \(presence) <> \(key)") == "1"
    }
    #expect(isEnded)
    let isGone = try await eventually {
      try other.value("SELECT count(*) \(presence) <> \(key)") == "0"
    }
    #expect(isGone)
    #expect(try other.value("SELECT pg_try_advisory_lock(\(key))") == "0")
    withExtendedLifetime(store) {}
  }
}
