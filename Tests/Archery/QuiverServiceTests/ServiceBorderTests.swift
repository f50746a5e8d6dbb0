import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@testable import QuiverService

@Suite("Requests at the border of what services accept", .timeLimit(.minutes(5)))
struct ServiceBorderTests {
  @Test("A range of one day is accepted, and one that ends before it begins is not")
  func days() throws {
    #expect(try LogbookService.days(5, 5) == 5...5)
    let refusal = #expect(throws: RPCError.self) { try LogbookService.days(6, 5) }
    #expect(refusal?.code == .invalidArgument)
  }

  @Test("The position of a setup's only placed arrow is shown")
  func onePosition() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let setups = [try await archer.setup("Old"), try await archer.setup("New")]
      for setup in setups {
        let round = try await archer.begin(setup)
        var request = ApplyOperationsRequest()
        request.operations = try (0..<60).map { index in
          try ComparisonArcher.record(
            round.participantID, end: index / 3, arrow: index % 3, 9,
            at: ComparisonArcher.asOf - 3_600_000, x: index == 0 ? 0.1 : nil)
        }
        _ = try await archer.client.call(Rounds.applyOperations, request)
      }
      var request = ComparisonArcher.request(setups)
      request.includeUnfinished = true
      request.includeShots = true
      let response = try await archer.client.call(Comparison.compare, request)
      #expect(response.setups.map(\.shots.count) == [1, 1])
    }
  }

  @Test("A watch from a negative position is refused")
  func negativePosition() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let position = WatchPosition(sequence: -1, storeEpoch: server.store.epoch)
      var replies = try client.client.stream(
        Equipment.watchItems, WatchItemsRequest(),
        options: CallOptions(timeout: .seconds(30), after: position)
      ).makeAsyncIterator()
      let error = await #expect(throws: RPCError.self) { _ = try await replies.next() }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test("A service's import for a user ends when the service has sent all of it")
  func importing() async throws {
    try await TestServer.run { server in
      let people = try ActingTests.People(server)
      try await people.grant(people.robin)
      let call = try people.sync.client.open(
        Logbook.importSets,
        options: CallOptions(timeout: .seconds(60), metadata: ActingTests.naming(people.robin)))
      try await call.send(
        .with {
          $0.options = ImportOptions()
          $0.chunk = Array(ImportSetsTests.log(10).utf8)
        })
      call.finish()
      var hasResult = false
      for try await reply in call.replies where reply.result != nil { hasResult = true }
      #expect(hasResult)
    }
  }
}
