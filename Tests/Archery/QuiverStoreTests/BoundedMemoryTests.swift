#if DEBUG
  import QuiverSQLite
  import Synchronization
  import TestSupport
  import Testing

  @testable import QuiverStore

  /// What SQLite allocates is counted, not the memory of the process, which depends on times.
  @Suite("Memory of work on the whole store", .serialized, .timeLimit(.minutes(5)))
  struct BoundedMemoryTests {
    private static let texts = 64 << 20

    @Test("Verification needs no memory for the texts and the kept replies that are stored")
    func verification() throws {
      let directory = try TemporaryDirectory()
      let store = try directory.open()
      let length = Int(StoreLimits.preferenceValueByteCount)
      let count = Self.texts / length
      try store.perform(
        Statements([
          """
          WITH number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
          INSERT INTO preference (principal_id, key, value, updated_at_ms)
          SELECT 101 + n % 90, 'key.' || n, printf('%.*c', \(length), 'v'), 1 FROM number
          """,
          """
          WITH number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
          INSERT INTO idempotency_key (sequence, key, principal_id, request_hash, reply, at_ms)
          SELECT n, randomblob(16), 101 + n % 90, zeroblob(32), zeroblob(\(length)),
            CAST(strftime('%s', 'now') AS INTEGER) * 1000 FROM number
          """,
          """
          INSERT INTO usage (principal_id, keys, key_bytes)
          SELECT 101 + n, k, k * (128 + \(length)) FROM (
            SELECT principal_id - 101 AS n, count(*) AS k FROM idempotency_key GROUP BY 1)
          WHERE true ON CONFLICT (principal_id) DO UPDATE
            SET keys = excluded.keys, key_bytes = excluded.key_bytes
          """,
          "UPDATE kept_key SET keys = \(count), bytes = \(count) * (128 + \(length))",
        ]), .of(0))
      // A reader's cache has at most 8 MiB.
      var findings: [VerifyFinding] = []
      #expect(try highest { findings = try store.verify() } < 24 << 20)
      #expect(findings == [])
      store.close()
    }

    @Test("More principals than are kept at once are added up in parts")
    func parts() throws {
      let directory = try TemporaryDirectory()
      let store = try directory.open()
      let count = 2 * StoreLimits.verifiedPrincipalsPerPart
      let preference = "INSERT INTO preference (principal_id, key, value, updated_at_ms) VALUES"
      try store.perform(
        Statements([
          """
          WITH number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
          INSERT INTO usage (principal_id) SELECT 1000 + n FROM number
          """,
          "\(preference) (1, 'key', 'first', 1), (1000000, 'key', 'last', 1)",
        ]), .of(0))
      #expect(try store.verify() == [])
      try store.perform(
        Statements([
          "UPDATE usage SET rows = 5 WHERE principal_id IN (1, \(1_000 + count))",
          "DELETE FROM usage WHERE principal_id = 1000000",
        ]), .of(0))
      let findings = try store.verify()
      #expect(findings.map(\.subject) == [.usage, .usage, .usage])
      #expect(
        zip(findings, ["principal 1 ", "principal \(1_000 + count) ", "principal 1000000 "])
          .allSatisfy { $0.message.hasPrefix($1) })
      store.close()
    }

    @Test(
      "The start needs no memory for the entries of an import that it discards or completes",
      arguments: [nil, Int64(1_700_000_000_000)])
    func recovery(decidedAt: Int64?) throws {
      let directory = try TemporaryDirectory()
      let store = try directory.open()
      let count = try stage(decidedAt: decidedAt, in: store)
      store.close()
      // The writer's cache has at most 32 MiB.
      #expect(try highest { try directory.open().close() } < 48 << 20)
      #expect(try rows("weight_import_entry", in: directory) == 0)
      #expect(try rows("weight_import", in: directory) == 0)
      #expect(try rows("weight_entry", in: directory) == (decidedAt == nil ? 0 : count))
      let again = try directory.open()
      #expect(try again.verify() == [])
      again.close()
    }

    /// The largest number of bytes that SQLite had during `body`, above those before.
    private func highest(_ body: () throws -> Void) rethrows -> Int64 {
      let held = SQLiteMemory.byteCount
      SQLiteMemory.forgetHighest()
      try body()
      #expect(SQLiteMemory.highestByteCount > 0)
      return SQLiteMemory.highestByteCount - held
    }

    /// Leaves the entries of an import as an ended process does; returns how many.
    private func stage(decidedAt milliseconds: Int64?, in store: Store) throws -> Int {
      let length = 4_000
      let count = Self.texts / length
      let decided = milliseconds.map { "\($0)" } ?? "NULL"
      try store.perform(
        Statements([
          "INSERT INTO weight_import (principal_id, decided_at_ms) VALUES (101, \(decided))",
          """
          WITH number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
          INSERT INTO weight_import_entry
            (import_id, principal_id, day, measured_at_ms, thousandths, unit, note, body_fat)
          SELECT (SELECT id FROM weight_import), 101, 20000, 1700000000000, 70000, 1,
            printf('%.*c', \(length), 'n'), NULL FROM number
          """,
        ]), .of(101))
      return count
    }

    private func rows(_ table: String, in directory: TemporaryDirectory) throws -> Int {
      let connection = try Connection(path: directory.databasePath, mode: .readOnly)
      defer { connection.close() }
      return Int(try connection.value("SELECT count(*) FROM \(table)") ?? "") ?? -1
    }

    @Test("No check sorts rows: SQLite keeps all rows that it sorts in memory, with their texts")
    func plans() throws {
      _ = try StoreQueries.all()
      let queries = Query.all.withLock { $0 }.filter {
        $0.file.hasPrefix("QuiverStore/") && $0.file.hasSuffix("Check.swift")
          && !$0.query.isOnlyPostgreSQL
      }.map(\.query)
      #expect(queries.count > 30)
      let directory = try TemporaryDirectory()
      try directory.open().close()
      let connection = try Connection(path: directory.databasePath, mode: .readOnly)
      for query in queries where !Self.sortsFewRows(query) {
        let plan = try connection.prepare("EXPLAIN QUERY PLAN \(query.text.text)")
        var steps: [String] = []
        while try plan.step() { steps.append(plan.text(3)) }
        #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "in \(query.text.text)")
      }
    }

    /// The schema has some hundred objects, and a principal two counts for each type of equipment.
    private static func sortsFewRows(_ query: Query) -> Bool {
      ["FROM sqlite_schema", "FROM equipment_count WHERE principal_id"]
        .contains { query.text.text.contains($0) }
    }
  }

  /// Runs statements as a command.
  private struct Statements: Command {
    let queries: [Query]

    init(_ statements: [String]) { queries = statements.map { Query($0) } }

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      for query in queries { try transaction.run(query) }
    }
  }
#endif
