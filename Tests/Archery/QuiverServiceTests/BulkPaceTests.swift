import QuiverAPI
import QuiverRPC
import QuiverStore
import Testing

@testable import QuiverService

@Suite("The pace of an import", .timeLimit(.minutes(5)))
struct BulkPaceTests {
  @Test("An import shares the writer for a moment after each single command, and only then")
  func shared() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var pace = BulkPace(server.store)
      let start = ContinuousClock.now
      let end = start + BulkPace.sharedDuration
      var isShared = pace.isShared(at: start)
      #expect(!isShared)
      _ = try await client.call(Equipment.risers.create, .of(.hoyt))
      isShared = pace.isShared(at: start)
      #expect(isShared)
      isShared = pace.isShared(at: end - .nanoseconds(1))
      #expect(isShared)
      isShared = pace.isShared(at: end)
      #expect(!isShared)
      _ = try await client.call(Equipment.listItems, ListItemsRequest())
      isShared = pace.isShared(at: end)
      #expect(!isShared, "a read is in nobody's way")
      _ = try await client.call(Equipment.risers.create, .of(.hoyt))
      isShared = pace.isShared(at: end)
      #expect(isShared)
    }
  }

  @Test("Beside single commands a batch has as many rows as fit into its time, alone the most")
  func rowCounts() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var pace = BulkPace(server.store)
      func count() -> Int { pace.rowCount(fewest: 25, mostShared: 500, most: 2_000) }
      #expect(count() == 2_000)
      // 2,000 rows in 20 ms are 200 rows in 2 ms.
      pace.note(rows: 2_000, nanoseconds: 20_000_000)
      #expect(count() == 2_000, "nobody else writes")
      _ = try await client.call(Equipment.risers.create, .of(.hoyt))
      #expect(count() == 200)
      // The next batch takes ten times as long for a row: the mean of both speeds counts.
      pace.note(rows: 200, nanoseconds: 20_000_000)
      _ = try await client.call(Equipment.risers.create, .of(.hoyt))
      #expect(count() == 110)
      for _ in 0..<4 { pace.note(rows: 25, nanoseconds: 10_000_000_000) }
      _ = try await client.call(Equipment.risers.create, .of(.hoyt))
      #expect(count() == 25, "a batch has the fewest rows, however slow the disk is")
      for _ in 0..<2 { pace.note(rows: 25, nanoseconds: 1_000) }
      _ = try await client.call(Equipment.risers.create, .of(.hoyt))
      #expect(count() == 500)
    }
  }
}
