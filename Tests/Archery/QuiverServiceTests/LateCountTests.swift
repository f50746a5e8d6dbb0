import QuiverAPI
import QuiverClient
import QuiverRPC
import Testing

@Suite("The number of late operations that wait", .timeLimit(.minutes(5)))
struct LateCountTests {
  @Test("Results and watches show after each ruling how many late operations wait")
  func lateCount() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let id = try await tournament.entries(["Much"])[0].id
      try await tournament.start()
      try await tournament.record(id, 0, 0, 9)
      try await tournament.finalise()
      // Both name the same arrow, so that the second ruling finds its value there.
      for _ in 0..<2 { try await tournament.record(id, 0, 1, 8) }
      try await tournament.record(id, 0, 2, 7)
      func results() async throws -> UInt32 {
        try await tournament.organiser.call(
          Tournament.getResults, .with { $0.tournamentID = tournament.event.id }
        ).lateCount
      }
      var watch = try tournament.organiser.client.stream(
        Tournament.watchTournament, .with { $0.tournamentID = tournament.event.id }
      ).makeAsyncIterator()
      #expect(try await results() == 3)
      #expect(try await watch.next()?.tournament?.lateCount == 3)
      let waiting = try await tournament.organiser.call(
        Tournament.listLateOperations, .with { $0.tournamentID = tournament.event.id })
      for (place, operation) in waiting.operations.enumerated() {
        _ = try await tournament.organiser.call(
          Tournament.admitOperations,
          .with { request in
            request.tournamentID = tournament.event.id
            request.operationIDs = [operation.id]
            request.reason = "seen"
          })
        let left = UInt32(2 - place)
        #expect(try await results() == left)
        #expect(try await watch.next()?.tournament?.lateCount == left)
      }
    }
  }
}
