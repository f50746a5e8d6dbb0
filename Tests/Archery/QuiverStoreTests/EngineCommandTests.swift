import Foundation
import QuiverPostgres
import QuiverRules
import QuiverSQLite
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct EngineCommandTests {
  /// Rows of a table as text. Bytes are shown by their number: identifiers, secrets and hashes are
  /// random.
  private struct Dump {
    var rows: [String: [String]] = [:]

    /// Not compared: what is random or depends on the time of the run, and what SQLite erases in
    /// the background.
    static let excluded: Set<String> = [
      "migration", "meta", "store_time", "time_gap", "account_erasure", "sqlite_sequence",
      // Summed in the background on PostgreSQL.
      "kept_key",
      // Of other servers, which SQLite does not have.
      "ended_permission",
    ]

    /// Numbers that differ: positions of the journal.
    static let numbered: Set<String> = ["journal"]

    init(_ connection: Connection) throws {
      let tables = try connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      while try tables.step() {
        let table = tables.text(0)
        guard !Self.excluded.contains(table) else { continue }
        var types: [String] = []
        let columns = try connection.prepare("SELECT type FROM pragma_table_info('\(table)')")
        while try columns.step() { types.append(columns.text(0)) }
        let statement = try connection.prepare("SELECT * FROM \(table)")
        var found: [String] = []
        while try statement.step() {
          found.append(
            types.indices.dropFirst(Self.numbered.contains(table) ? 1 : 0).map { index in
              let column = Int32(index)
              if statement.isNull(column) { return "NULL" }
              switch types[index] {
              case "BLOB": return "\(statement.bytes(column).count) bytes"
              case "REAL": return "\(statement.double(column))"
              default: return statement.text(column)
              }
            }.joined(separator: "|"))
        }
        rows[table] = found.sorted()
      }
    }

    init(_ connection: PostgresConnection) throws {
      let tables = try connection.run(
        connection.statement(
          PostgresText(
            """
            SELECT relname FROM pg_class
            WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
            """)))
      for number in 0..<tables.rowCount {
        let table = tables.text(number, 0)
        guard !Self.excluded.contains(table) else { continue }
        let types = try connection.run(
          connection.statement(
            PostgresText(
              """
              SELECT CAST(atttypid AS bigint) FROM pg_attribute
              WHERE attrelid = '\(table)'::regclass AND attnum > 0 ORDER BY attnum
              """)))
        let found = try connection.run(
          connection.statement(PostgresText("SELECT * FROM \(table)")))
        let isNumbered = Self.numbered.contains(table)
        // Ended permissions, of which other servers learn, belong to nobody.
        let isShown = { row in !isNumbered || found.int64(row, 1) != 0 }
        rows[table] = (0..<found.rowCount).filter(isShown).map { row in
          ((isNumbered ? 1 : 0)..<types.rowCount).map { index in
            let column = Int32(index)
            if found.isNull(row, column) { return "NULL" }
            switch types.int64(index, 0) {
            case 17: return "\(found.bytes(row, column).count) bytes"
            case 701: return "\(found.double(row, column))"
            default: return found.text(row, column)
            }
          }.joined(separator: "|")
        }.sorted()
      }
    }
  }

  private func expectEqual(_ sqlite: Dump, _ postgreSQL: Dump, except: Set<String> = []) {
    #expect(Set(sqlite.rows.keys) == Set(postgreSQL.rows.keys))
    for table in sqlite.rows.keys.sorted() where !except.contains(table) {
      #expect(postgreSQL.rows[table] == sqlite.rows[table], "\(table)")
    }
  }

  @Test("commands of every kind leave the same rows in both engines, and erasure removes the same")
  func sameRows() throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    let store = try directory.open(clock: clock)
    defer { store.close() }
    let performer = try PostgresPerformer()
    let sqlite = try Connection(path: directory.databasePath, mode: .readOnly)
    let kept = try (
      FullAccount(in: store, mark: "kept"), FullAccount(in: performer, mark: "kept")
    )
    #expect(kept.0.principal == kept.1.principal)
    let gone = try (
      FullAccount(in: store, mark: "gone"), FullAccount(in: performer, mark: "gone")
    )
    let (first, second) = (try Dump(sqlite), try Dump(performer.connection))
    expectEqual(first, second)
    #expect(first.rows.values.count { !$0.isEmpty } > 30)
    let deletion = DeleteAccount(confirmation: "gone Robin")
    try store.perform(deletion, .of(gone.0.principal))
    try performer.perform(deletion, .of(gone.1.principal))
    expectEqual(try Dump(sqlite), try Dump(performer.connection))
  }

  @Test("an event, its elimination and their erasure have the same rows and reads in both engines")
  func sameEvents() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open(clock: TestClock())
    defer { store.close() }
    let performer = try PostgresPerformer()
    let sqlite = try Connection(path: directory.databasePath, mode: .readOnly)
    let (full, other) = try (FullEvent(in: store), FullEvent(in: performer))
    let event = full.event
    // The join code is random.
    let except: Set<String> = ["tournament"]
    let found = try Dump(performer.connection)
    expectEqual(try Dump(sqlite), found, except: except)
    for table in EventRows.tables { #expect(found.rows[table]?.isEmpty == false, "\(table)") }
    func reads(_ snapshot: borrowing Snapshot) throws(StoreError) -> [String] {
      let caller = full.organiser
      var filter = Snapshot.EntryFilter()
      let all = try snapshot.eventEntries(event: event, filter, limit: 10)
      filter.club = "C1"
      filter.category = all[0].content.category
      let entries = try snapshot.eventEntries(event: event, filter, limit: 10)
      let steps = try snapshot.progress(event: event, principal: caller).steps
      let officials = try snapshot.officials(event: event, principal: caller)
      let sessions = try snapshot.eventSessions(event: event, principal: caller)
      let categories = try snapshot.categories(event: event, principal: caller)
      return (all + entries).map { "\($0)" } + steps.map { "\($0.kind) \($0.missing)" }
        + officials.map { "\($0)" } + sessions.map { "\($0)" }
        + categories.map { "\($0.content) \($0.entryCount)" }
    }
    func bracket(_ snapshot: borrowing Snapshot) throws(StoreError) -> BracketRecord {
      try snapshot.bracket(stage: full.stage)
    }
    #expect(try performer.read(reads) == store.read(reads))
    #expect(try performer.read(reads).count == 7 + 3 + 14 + 1 + 2 + 3)
    #expect(try performer.read(bracket) == store.read(bracket))
    func stages(_ snapshot: borrowing Snapshot) throws(StoreError) -> [BracketRecord] {
      var brackets: [BracketRecord] = []
      for stage in try snapshot.stages(event: event, principal: full.organiser) {
        brackets.append(try snapshot.bracket(stage: stage.id))
      }
      return brackets
    }
    let shown = try performer.read(stages)
    #expect(try shown == store.read(stages))
    #expect(shown.map(\.entrants.count) == [4, 2, 6] && shown.map(\.matches.count) == [4, 1, 6])
    try erase(full, in: store)
    try erase(other, in: performer)
    expectEqual(try Dump(sqlite), try Dump(performer.connection), except: except)
  }

  /// Ends the event, deletes another, and erases its judge and its organiser.
  private func erase(_ event: FullEvent, in store: some CommandPerformer) throws {
    _ = try store.perform(
      try ChangeTournamentState(event.event, .finalise, anyway: true), .of(event.organiser))
    // SQLite gives the numbers of deleted changes of status again, so this comes after them.
    let second = try FullEvent.open(in: store, as: event.organiser)
    try store.perform(DeleteTournament(second), .of(event.organiser))
    try store.perform(DeleteAccount(confirmation: "Tuck"), .of(event.judge))
    try store.perform(DeleteAccount(confirmation: "Sheriff"), .of(event.organiser))
  }

  @Test("a command takes one round trip for each result that it waits for, and one for the COMMIT")
  func roundTrips() throws {
    let performer = try PostgresPerformer()
    let archer = try performer.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)
    ).id
    func create(_ key: UInt8) throws -> UInt64 {
      let before = performer.connection.roundTripCount
      let options = CommandOptions.of(archer, key: Array(repeating: key, count: 16))
      _ = try performer.call(try CreateEquipment(.riser("Hoyt")), options, reply: [key])
      return performer.connection.roundTripCount - before
    }
    // The first one prepares its statements.
    _ = try create(1)
    // What every command reads, the count of items, the id of the new one, and the COMMIT.
    #expect(try create(2) == 4)
    // The first repeated one prepares the question for its position.
    _ = try create(2)
    // The kept reply, and the end of the transaction that was begun beside the question.
    #expect(try create(2) == 2)
  }

  @Test("an error of a statement that a command does not wait for is that of the command")
  func deferredErrors() throws {
    let performer = try PostgresPerformer()
    let archer = try performer.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)
    ).id
    let create = try CreateEquipment(.riser("Hoyt"))
    _ = try performer.perform(create, .of(archer))
    let raising = """
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = TG_ARGV[0]; END $$;
      """
    try performer.connection.execute(raising)
    // At the place of each statement of the command, in the order of the statements.
    for table in ["equipment", "riser", "equipment_count", "journal"] {
      for (state, code, attempts) in [
        ("53100", StoreError.Code.resourceExhausted, 1), ("40001", .aborted, 10),
        ("XX001", .dataLoss, 1),
      ] {
        try performer.connection.execute(
          """
          CREATE TRIGGER failing BEFORE INSERT OR UPDATE ON \(table)
            FOR EACH ROW EXECUTE FUNCTION fail('\(state)');
          """)
        let error = #expect(throws: StoreError.self) {
          _ = try performer.perform(create, .of(archer))
        }
        #expect(error?.code == code, "\(table) \(state)")
        #expect(performer.attemptCount == attempts, "\(table) \(state)")
        try performer.connection.execute("DROP TRIGGER failing ON \(table)")
      }
    }
    _ = try performer.perform(create, .of(archer))
    let counts = try performer.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentCounts(principal: archer)
    }
    #expect(counts.first { $0.type == .riser }?.active == 2)
  }

  @Test("snapshots of both engines read the same journal, lists and export")
  func sameReads() async throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open(clock: TestClock())
    defer { store.close() }
    let performer = try PostgresPerformer()
    let account = try FullAccount(in: store, mark: "read")
    _ = try FullAccount(in: performer, mark: "read")
    func journal(_ snapshot: borrowing Snapshot) throws(StoreError) -> [String] {
      try snapshot.journal(after: 0, limit: 1_000).filter { $0.principal != 0 }.map {
        "\($0.principal) \($0.topic) \($0.kind) \($0.objectID) \($0.change)"
      }
    }
    // Transactions of other tests on the same server keep the horizon back for a moment.
    let expected = try store.read(journal)
    var found: [String] = []
    _ = try await eventually {
      found = try performer.read(journal)
      return found.count >= expected.count
    }
    #expect(found == expected && expected.count > 20)
    func items(_ snapshot: borrowing Snapshot) throws(StoreError) -> [String] {
      try snapshot.equipmentItems(
        principal: account.principal, EquipmentFilter(includesArchived: true), pageSize: 0,
        pageToken: ""
      ).items.map { "\($0.id) \($0.type) \($0.displayBrand) \($0.isArchived)" }
    }
    #expect(try performer.read(items) == store.read(items))
    #expect(try performer.read(items).count > 5)
    func exported(_ snapshot: borrowing Snapshot) throws(StoreError) -> [Int] {
      try snapshot.export(principal: account.principal, pageSize: 500, pageToken: "").items
        .map(\.byteCount)
    }
    #expect(try performer.read(exported) == store.read(exported))
    #expect(try performer.read(exported).count > 15)
  }

  @Test("a repeated call has one effect and its first reply in PostgreSQL")
  func idempotency() throws {
    let performer = try PostgresPerformer()
    let archer = try performer.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    let options = CommandOptions.of(archer.id, key: Array(repeating: 5, count: 16), hash: 1)
    let command = try CreateEquipment(.riser())
    #expect(try performer.call(command, options, reply: [1]) == [1])
    #expect(try performer.call(command, options, reply: [2]) == [1])
    #expect(try performer.connection.value("SELECT count(*) FROM riser") == "1")
    let other = CommandOptions.of(archer.id, key: Array(repeating: 5, count: 16), hash: 2)
    let error = #expect(throws: StoreError.self) {
      _ = try performer.call(command, other, reply: [3])
    }
    #expect(error?.code == .alreadyExists)
  }

  @Test("a call that is refused because the same call had its effect meanwhile gets that reply")
  func sameCall() throws {
    let database = try PostgresServer.shared.makeDatabase()
    let (first, second) = try (
      PostgresPerformer(database: database), PostgresPerformer(database: database)
    )
    let archer = try first.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    let options = CommandOptions.of(archer.id, key: Array(repeating: 7, count: 16), hash: 1)
    let command = Refused {
      _ = try? second.call(try CreateEquipment(.riser()), options, reply: [1])
    }
    #expect(try first.call(command, options, reply: [2]) == [1])
    let other = CommandOptions.of(archer.id, key: Array(repeating: 8, count: 16), hash: 1)
    let error = #expect(throws: StoreError.self) {
      _ = try first.call(Refused {}, other, reply: [2])
    }
    #expect(error?.code == .aborted)
    #expect(try first.connection.value("SELECT count(*) FROM riser") == "1")
  }

  @Test("of commands that conflict one runs again, and both take effect")
  func conflict() throws {
    let database = try PostgresServer.shared.makeDatabase()
    let (first, second) = try (
      PostgresPerformer(database: database), PostgresPerformer(database: database)
    )
    let archer = try first.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    // Within its first attempt, after its first read, another server changes what it has read.
    let command = Interrupted(
      other: { _ = try? second.perform(try CreateEquipment(.riser("Hoyt")), .of(archer.id)) },
      own: try CreateEquipment(.riser("Win&Win")))
    _ = try first.perform(command, .of(archer.id))
    #expect(first.attemptCount == 2)
    #expect(
      try first.connection.value(
        "SELECT string_agg(brand, ' ' ORDER BY id) FROM equipment") == "Hoyt Win&Win")
    #expect(try first.connection.value("SELECT sum(active) FROM equipment_count") == "2")
  }

  @Test("a command that conflicts each time is refused after its attempts, and stores nothing")
  func conflicts() throws {
    let database = try PostgresServer.shared.makeDatabase()
    let first = try PostgresPerformer(database: database)
    let second = try PostgresServer.shared.connect(database: database)
    let archer = try first.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    _ = try first.perform(try CreateEquipment(.riser("Hoyt")), .of(archer.id))
    // Not a command, which would wait for one that runs alone.
    let command = Interrupted(
      other: { try? second.execute("UPDATE usage SET written_bytes = written_bytes + 1") },
      own: try CreateEquipment(.riser("Win&Win")), isRepeated: true)
    let error = #expect(throws: StoreError.self) {
      _ = try first.perform(command, .of(archer.id))
    }
    #expect(error?.code == .aborted && error?.notProcessed == true)
    #expect(first.attemptCount == PostgresCommands.maximumAttempts)
    #expect(
      try first.connection.value("SELECT count(*) FROM equipment WHERE brand = 'Win&Win'") == "0")
  }

  @Test("a command that has conflicted often runs alone, and other commands wait for it")
  func alone() throws {
    let database = try PostgresServer.shared.makeDatabase()
    let (first, second) = try (
      PostgresPerformer(database: database), PostgresPerformer(database: database)
    )
    let archer = try first.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    let others = Codes()
    let command = Interrupted(
      other: {
        do throws(StoreError) {
          let deadline = StoreClock.system.monotonicNanoseconds() + 1_000_000_000
          _ = try second.perform(
            try CreateEquipment(.riser("Hoyt")), .of(archer.id, deadline: deadline))
          others.found.append(nil)
        } catch {
          others.found.append(error.code)
        }
      },
      own: try CreateEquipment(.riser("Win&Win")), isRepeated: true)
    _ = try first.perform(command, .of(archer.id))
    #expect(first.attemptCount == PostgresCommands.sharedAttempts + 1)
    // The last of the others waited for the right to change anything, as long as it may.
    let expected = Array(repeating: nil as StoreError.Code?, count: PostgresCommands.sharedAttempts)
    #expect(others.found == expected + [.deadlineExceeded])
    #expect(try first.connection.value("SELECT sum(active) FROM equipment_count") == "5")
  }
}

/// A command that is refused behind what happens meanwhile.
private final class Refused: Command, @unchecked Sendable {
  // `@unchecked`: the test runs it on one thread.
  private let other: () -> Void

  init(_ other: @escaping () -> Void) { self.other = other }

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    other()
    throw StoreError(.aborted, "it was changed")
  }
}

/// The errors of commands that run one after the other; nil for those that succeed.
private final class Codes {
  var found: [StoreError.Code?] = []
}

/// A command during which another connection commits a change.
private final class Interrupted: Command, @unchecked Sendable {
  // `@unchecked`: the test runs it on one thread.
  private let other: () -> Void
  private let own: CreateEquipment
  private let isRepeated: Bool
  private var isInterrupted = false

  init(other: @escaping () -> Void, own: CreateEquipment, isRepeated: Bool = false) {
    self.other = other
    self.own = own
    self.isRepeated = isRepeated
  }

  func apply(in transaction: borrowing Transaction) throws(StoreError) -> CreateEquipment.Reply {
    _ = try transaction.snapshot.usage(principal: transaction.caller.principal)
    if isRepeated || !isInterrupted {
      isInterrupted = true
      other()
    }
    return try own.apply(in: transaction)
  }
}
