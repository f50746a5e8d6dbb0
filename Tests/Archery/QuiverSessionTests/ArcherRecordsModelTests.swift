import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("The model of an archer's records", .timeLimit(.minutes(5)))
struct ArcherRecordsModelTests {
  /// A completed Bray I of tens.
  private static func shoot(_ client: RPCClient) async throws {
    var request = CreateSessionRequest()
    request.format = FormatReference()
    request.format?.codename = "bray_i"
    let round = try #require(try await client.call(Rounds.createSession, request).rounds.first)
    for end in 0..<10 {
      var scored = RecordEndRequest()
      scored.operations = (0..<3).map { arrow in
        var operation = ScoringOperation()
        operation.kind = .record
        operation.participantID = round.participantID
        operation.endIndex = UInt32(end)
        operation.arrowIndex = UInt32(arrow)
        operation.value = 10
        return operation
      }
      _ = try await client.call(Rounds.recordEnd, scored)
    }
  }

  @Test("Bests and the handicap of a location load, and stay without a connection")
  func loads() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let client = try server.client(token)
      let model = ArcherRecordsModel(session, location: .indoor)
      #expect(model.bests.isEmpty && model.handicap == nil)
      try await model.load()
      #expect(model.bests.isEmpty && model.handicap?.missingRounds == 3)
      try await Self.shoot(client)
      try await model.load()
      #expect(model.bests.map(\.score) == [300] && model.handicap?.missingRounds == 2)
      #expect(model.state.staleSince == nil && !model.state.isLoading)
      for _ in 0..<2 { try await Self.shoot(client) }
      try await model.load()
      let handicap = Double(try #require(model.handicap?.handicap))
      let points = model.chart.series.map { $0.points.map(\.y) }
      #expect(points == [[handicap, handicap, handicap], [handicap]])

      transport.disconnect()
      try await model.load()
      #expect(model.bests.map(\.score) == [300] && model.state.staleSince != nil)
      // The handicap of a place that was never loaded is not known.
      await #expect(throws: SessionError.self) { try await model.choose(.outdoor) }
      #expect(model.handicap == nil && model.state.errorText?.contains("load records") == true)
      model.clearError()
      #expect(model.state.error == nil)
      transport.reconnect()
      try await model.load()
      #expect(model.handicap?.roundCount == 0 && model.bests.map(\.score) == [300])
      await session.close()
    }
  }
}
