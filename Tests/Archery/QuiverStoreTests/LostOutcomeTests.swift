import QuiverPostgres
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

/// What a call is answered whose COMMIT takes long or has no answer.
@Suite(.timeLimit(.minutes(5))) struct LostOutcomeTests {
  private let database: SharedDatabase
  /// Has the lock that each COMMIT of a new riser waits for, from ``closeGate()`` on.
  private let gate: PostgresConnection
  private let command: CreateEquipment

  init() throws {
    database = try SharedDatabase()
    gate = try database.connect()
    command = try CreateEquipment(.riser("Hoyt"))
  }

  private func closeGate() throws {
    // A deferred trigger runs within COMMIT. A wait for the lock itself would end by lock_timeout.
    try gate.execute(
      """
      CREATE FUNCTION await_gate() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        WHILE NOT pg_try_advisory_xact_lock_shared(4711) LOOP PERFORM pg_sleep(0.02); END LOOP;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER await_gate AFTER INSERT ON riser
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION await_gate();
      SELECT pg_advisory_lock(4711);
      """)
  }

  private func openGate() throws {
    try gate.execute("SELECT pg_advisory_unlock(4711)")
  }

  private func isCommitting() async throws -> Bool {
    let other = try database.connect()
    return try await eventually {
      try other.value(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = '\(database.name)' AND wait_event = 'PgSleep'
        """) == "1"
    }
  }

  private func archer(_ store: Store) throws -> Int64 {
    try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)).id
  }

  private func options(_ archer: Int64, milliseconds: UInt64) -> CommandOptions {
    .of(
      archer, key: Array(repeating: 3, count: 16),
      deadline: StoreClock.system.monotonicNanoseconds() + milliseconds * 1_000_000)
  }

  private func submit(
    to store: Store, _ options: CommandOptions, _ reply: UInt8
  ) -> (results: Results, target: RecordingTarget) {
    let (results, target) = (Results(), RecordingTarget(expecting: 1))
    store.submit(
      command, options, target: target, encode: { _ in [reply] },
      completion: { results.set(0, $0) })
    return (results, target)
  }

  private func error(_ results: Results) throws -> StoreError {
    guard case .failure(let error)? = results[0] else { throw Unexpected() }
    return error
  }

  private struct Unexpected: Error {}

  @Test(
    "a call whose COMMIT has no answer may have had its effect, however its second run fails",
    arguments: [false, true])
  func lostAnswer(refusesConnections: Bool) async throws {
    let relay = try DatabaseRelay(PostgresServer.shared, database: database.name)
    let store = try database.open { configuration in
      configuration.databaseWorkers = 1
      configuration.databaseAddress = relay.address
    }
    let archer = try archer(store)
    try closeGate()
    let call = submit(to: store, options(archer, milliseconds: 4_000), 1)
    #expect(try await isCommitting())
    relay.cut(refusesConnections: refusesConnections)
    call.target.wait()
    let error = try error(call.results)
    #expect(error.code == .unavailable)
    #expect(!error.notProcessed)
    // The database goes on with the COMMIT.
    try openGate()
    let isStored = try await eventually { try gate.value("SELECT count(*) FROM riser") == "1" }
    #expect(isStored)
  }

  @Test(
    "a call that waits for the same call at another server may have its effect, or gets its reply")
  func sameCallElsewhere() async throws {
    let stores = try (0..<2).map { _ in try database.open() }
    let archer = try archer(stores[0])
    try closeGate()
    let first = submit(to: stores[0], options(archer, milliseconds: 60_000), 1)
    #expect(try await isCommitting())
    let impatient = submit(to: stores[1], options(archer, milliseconds: 2_500), 2)
    impatient.target.wait()
    let error = try error(impatient.results)
    #expect(error.code == .deadlineExceeded)
    #expect(!error.notProcessed)
    let patient = submit(to: stores[1], options(archer, milliseconds: 60_000), 3)
    // Longer than a wait for one lock.
    try await Task.sleep(for: .milliseconds(PostgresCommands.lockMilliseconds + 300))
    try openGate()
    patient.target.wait()
    first.target.wait()
    #expect(first.results.reply(0) == [1])
    #expect(patient.results.reply(0) == [1])
    #expect(try gate.value("SELECT count(*) FROM riser") == "1")
  }

  @Test(
    "positions are those of rows, which a crash does not take away, and not of other transactions")
  func positions() async throws {
    let store = try database.open()
    #expect(try store.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() } == 0)
    let archer = try archer(store)
    _ = try store.perform(command, .of(archer))
    let newest = Int64(try gate.value("SELECT max(sequence) FROM journal") ?? "")
    // They take numbers, and the end of none of them need be on the disk.
    for _ in 0..<3 { try gate.execute("SELECT pg_current_xact_id()") }
    let isBelowHorizon = try await eventually {
      try gate.value("SELECT max(sequence) < journal_horizon() FROM journal") == "1"
    }
    #expect(isBelowHorizon)
    let position = try store.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() }
    #expect(position == newest)
  }
}
