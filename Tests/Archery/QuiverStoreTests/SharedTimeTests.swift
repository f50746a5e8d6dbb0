import QuiverPostgres
import QuiverRules
import QuiverStore
import TestSupport
import Testing

@Suite("The clock of the database at a start", .timeLimit(.minutes(5))) struct SharedTimeTests {
  private static let hour: Int64 = 3_600_000

  @Test(
    "After days off servers start together, and a key of a minute before the stop is known",
    arguments: [3 * 24, 21 * 24] as [Int64])
  func daysOff(hours: Int64) async throws {
    let database = try SharedDatabase()
    let before = try database.open()
    let replies = try (UInt8(1)...3).map { try create(before, $0) }
    before.close()
    // The same as so many hours without a server; the first key is nearly 24 hours older.
    let hoursOff = hours * Self.hour
    try database.connect().execute(
      """
      UPDATE idempotency_key SET at_ms = at_ms - \(hoursOff) - 60000;
      UPDATE idempotency_key SET at_ms = at_ms - 86338000
        WHERE sequence = (SELECT min(sequence) FROM idempotency_key);
      UPDATE journal SET at_ms = at_ms - \(hoursOff);
      UPDATE audit SET at_ms = at_ms - \(hoursOff);
      UPDATE store_time SET last_ms = last_ms - \(hoursOff);
      """)
    let reported = Results()
    let servers = try await withThrowingTaskGroup(of: Store.self) { group in
      let configurations = try (0..<2).map { _ in
        try database.configuration { configuration in
          configuration.hooks.clockDiffered = { reported.set(0, .success(Array("\($0)".utf8))) }
        }
      }
      for configuration in configurations { group.addTask { try Store(configuration) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let difference = Int64(String(decoding: reported.reply(0) ?? [], as: UTF8.self))
    #expect(difference.map { abs($0 - hoursOff) < Self.hour } == true)
    #expect(try create(servers[1], 2) == replies[1])
    // The second one goes on with what both found at their start.
    servers[0].close()
    #expect(try await eventually { try !hasKey(1, database) })
    #expect(try hasKey(2, database))
    #expect(try create(servers[1], 2) == replies[1])
    #expect(try create(servers[1], 1) != replies[0])
    servers[1].close()
  }

  private func hasKey(_ number: UInt8, _ database: SharedDatabase) throws -> Bool {
    try database.connect().value(
      "SELECT count(*) FROM idempotency_key WHERE get_byte(key, 0) = \(number)") == "1"
  }

  private func create(_ store: Store, _ number: UInt8) throws -> [UInt8] {
    let results = Results()
    let target = RecordingTarget(expecting: 1)
    store.submit(
      try CreateEquipment(.riser()), .of(1, key: [UInt8](repeating: number, count: 16)),
      target: target, encode: { Array("\($0.id)".utf8) }, completion: { results.set(0, $0) })
    target.wait()
    return try #require(results.reply(0))
  }
}
