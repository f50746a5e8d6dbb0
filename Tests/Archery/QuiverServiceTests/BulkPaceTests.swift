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
}
