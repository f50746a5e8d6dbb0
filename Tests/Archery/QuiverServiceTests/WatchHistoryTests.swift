import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Watches at the end of the history", .timeLimit(.minutes(5)))
struct WatchHistoryTests {
  @Test("A position directly before the oldest kept change goes on, the one before is OUT_OF_RANGE")
  func border() async throws {
    let clock = HeldClock()
    var bounds = TestServer.StoreBounds()
    bounds.clock = clock.clock
    try await TestServer.run(opening: bounds) { server in
      let client = try server.client()
      for number in 0..<10 {
        var request = CreateItemRequest<Riser>()
        request.item = Riser()
        request.item?.brand = "Hoyt"
        request.item?.model = "\(number)"
        _ = try await client.call(Equipment.createRiser, request)
      }
      clock.advance(milliseconds: 1 + StoreLimits.journalKeepMilliseconds)
      // Old changes expire with the commands, whether these succeed or not.
      let caller = CommandOptions(caller: QuiverStore.Caller(principal: 1))
      for _ in 0..<2 * StoreLimits.commandsPerExpiry {
        #expect(throws: StoreError.self) {
          try server.store.perform(DeleteEquipment(.riser, .id(999)), caller)
        }
      }
      let (first, last) = try server.store.read { (snapshot) throws(StoreError) in
        (try snapshot.firstSequence(), try snapshot.lastSequence())
      }
      #expect(first == last, "only the newest change is kept")

      func next(after sequence: Int64) async throws -> WatchHubResponse? {
        let position = WatchPosition(sequence: sequence, storeEpoch: server.store.epoch)
        var replies = try client.client.stream(
          Equipment.watchHub, WatchHubRequest(), options: CallOptions(after: position)
        ).makeAsyncIterator()
        return try await replies.next()
      }
      let message = try #require(try await next(after: first - 1))
      #expect(message.span?.after == first - 1 && message.span?.upto == last)
      #expect(message.hub?.total == 10)
      let error = await #expect(throws: RPCError.self) { try await next(after: first - 2) }
      #expect(error?.code == .outOfRange)
    }
  }
}
