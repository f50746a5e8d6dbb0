import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import Testing

@testable import QuiverSession

@MainActor
@Suite("A bracket on a device", .timeLimit(.minutes(5)))
struct BracketModelTests {
  private func wait(
    until isShown: () -> Bool, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<6_000 where !isShown() { try await Task.sleep(for: .milliseconds(5)) }
    try #require(isShown(), "nothing moved", sourceLocation: location)
  }

  @Test("A bracket is kept current by its watch, and stays without a connection")
  func follow() async throws {
    try await SessionServer.run { server in
      let (organiser, viewer) = (try server.token(), try server.token())
      let archers = try (0..<4).map { _ in try server.token() }
      let event = try await server.tournament(organiser, arrows: 3) { request in
        (request.joins, request.isPublic) = (false, true)
      }
      let client = try server.client(organiser)
      var ids: [Int64] = []
      for archer in archers { ids.append(try await server.join(event, by: archer).id) }
      try await server.start(event, by: organiser)
      for (id, value) in zip(ids, [10, 9, 8, 7] as [UInt32]) {
        for arrow in 0..<UInt32(3) {
          _ = try await client.call(
            Tournament.recordArrow,
            .with { request in
              request.operation = .with { operation in
                (operation.participantID, operation.arrowIndex) = (id, arrow)
                operation.value = value
              }
            })
        }
      }
      let categories = try await client.call(
        Events.listEventCategories, .with { $0.tournamentID = event.id })
      let stage =
        try await client.call(
          Elimination.cutCategory,
          .with { request in
            (request.tournamentID, request.categoryID) = (event.id, categories.categories[0].id)
            (request.size, request.system) = (4, .individualSets)
          }
        ).stage?.id ?? 0

      let transport = FaultyTransport(try server.client(viewer))
      let session = try await server.session(viewer, transport: transport)
      let stages = StageListModel(session, event: event.id)
      try await stages.load()
      #expect(stages.stages.map(\.id) == [stage])
      let bracket = BracketModel(session, event: event.id, stage: stage)
      try await bracket.load()
      #expect(bracket.matches.map(\.roundSize) == [4, 4, 2, 2] && bracket.ranks.count == 4)
      bracket.follow()
      try await wait { transport.received.contains { $0.hasSuffix("WatchBracket") } }
      let match = bracket.matches[0]
      _ = try await client.call(
        Elimination.forfeitMatch,
        .with { ($0.matchID, $0.side, $0.reason) = (match.id, 2, "a broken bow") })
      try await wait { bracket.matches[0].winner == 1 }
      #expect(bracket.matches.count == 4)
      #expect(bracket.matches[0].decision == .forfeit)
      bracket.stopFollowing()
      transport.disconnect()
      try await bracket.load()
      #expect(bracket.matches.count == 4 && bracket.state.staleSince != nil)
      let other = BracketModel(session, event: event.id, stage: stage + 1)
      #expect(await failure { try await other.load() } != nil)
      #expect(other.matches.isEmpty && other.state.error != nil)
      await session.close()
    }
  }
}
