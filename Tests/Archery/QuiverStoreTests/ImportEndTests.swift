import QuiverPostgres
import TestSupport
import Testing

@testable import QuiverStore

/// What a server that has ended leaves, and another one ends while it runs.
@Suite("Imports of servers that have ended", .timeLimit(.minutes(5))) struct ImportEndTests {
  private func archer(_ store: Store, _ name: String) throws -> Int64 {
    try store.perform(CreatePrincipal(kind: .user, displayName: name), .of(0)).id
  }

  @Test("imports of a server that has ended are ended by another one that runs, and no others")
  func endedServer() async throws {
    let database = try SharedDatabase()
    let (first, second) = try (database.open(), database.open())
    let (robin, marian) = try (archer(first, "Robin"), archer(first, "Marian"))
    _ = try first.perform(BeginLiftImport(replaces: false), .of(robin))
    _ = try second.perform(BeginLiftImport(replaces: false), .of(marian))
    #expect(throws: StoreError.self) {
      _ = try second.perform(BeginLiftImport(replaces: false), .of(robin))
    }
    let connection = try database.connect()
    let ended =
      try connection.value(
        "SELECT server_id FROM lift_import WHERE principal_id = \(robin)") ?? ""
    // One that was decided, and one that was not.
    try connection.execute(
      """
      INSERT INTO weight_import (principal_id, decided_at_ms, server_id)
      VALUES (\(robin), NULL, \(ended)), (\(marian), 1700000000000, \(ended));
      INSERT INTO weight_import_entry
        (import_id, principal_id, day, measured_at_ms, thousandths, unit, note, body_fat)
      SELECT id, principal_id, 20000, 1700000000000, 70000, 1, '', NULL FROM weight_import;
      """)
    // Its last sign of life becomes older than the limit.
    first.close()
    try connection.execute(
      """
      UPDATE server_presence SET seen_ms = seen_ms - \(StoreLimits.presenceMilliseconds)
      WHERE server_id = \(ended)
      """)
    let isEnded = try await eventually {
      try connection.value(
        "SELECT (SELECT count(*) FROM weight_import) + "
          + "(SELECT count(*) FROM lift_import WHERE principal_id = \(robin))") == "0"
    }
    #expect(isEnded)
    #expect(
      try connection.value("SELECT count(*) FROM lift_import WHERE principal_id = \(marian)") == "1"
    )
    #expect(
      try connection.value(
        "SELECT string_agg(CAST(principal_id AS text), ',') FROM weight_entry") == "\(marian)")
    _ = try second.perform(BeginLiftImport(replaces: false), .of(robin))
    #expect(try second.verify() == [])
  }
}
