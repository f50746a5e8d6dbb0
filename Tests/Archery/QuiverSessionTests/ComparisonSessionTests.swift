import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("The model of the comparison", .timeLimit(.minutes(5)))
struct ComparisonSessionTests {
  /// A server with three setups, the last made by the name that sorts first. Each has a completed
  /// round of 3 arrows: each setup's further to the right, from the centre, than the one before.
  private struct Scene {
    let server: SessionServer
    let token: String
    let transport: FaultyTransport
    let session: OfflineSession
    let client: RPCClient

    init(_ server: SessionServer) async throws {
      self.server = server
      token = try server.token()
      transport = FaultyTransport(try server.client(token))
      session = try await server.session(token, transport: transport)
      client = try server.client(token)
      for (place, name) in ["outdoor", "", "Barebow"].enumerated() {
        try await shoot(with: make(name), x: Double(place) / 4)
      }
    }

    /// Completes a round of 3 arrows, entered by their positions: x, and 0, 0.1 and 0.2 for y.
    private func shoot(with setup: BowSetup, x: Double) async throws {
      var request = CreateSessionRequest()
      request.format = .with { ($0.codename, $0.arrowLimit) = ("wa18", 3) }
      request.setupID = setup.id
      let round = try #require(try await client.call(Rounds.createSession, request).rounds.first)
      // A range ends before the instant of the request.
      let scoredAt = WallClock.nowMilliseconds() - 60_000
      var end = RecordEndRequest()
      end.operations = (0..<UInt32(3)).map { arrow in
        ScoringOperation.with { operation in
          (operation.kind, operation.participantID) = (.record, round.participantID)
          (operation.arrowIndex, operation.scoredAtMilliseconds) = (arrow, scoredAt)
          (operation.x, operation.y) = (x, Double(arrow) / 10)
        }
      }
      _ = try await client.call(Rounds.recordEnd, end)
    }

    private func make(_ name: String) async throws -> BowSetup {
      var request = CreateBowSetupRequest()
      request.bowSetup = BowSetup()
      request.bowSetup?.name = name
      return try await client.call(Equipment.createBowSetup, request)
    }

    func archive(_ id: Int64) async throws {
      var request = DeactivateBowSetupRequest()
      request.id = id
      _ = try await client.call(Equipment.deactivateBowSetup, request)
    }

    /// The range that the server keeps.
    func keptRange() async throws -> QuiverAPI.ComparisonRange {
      try await client.call(Comparison.getRange, GetRangeRequest()).range
    }
  }

  private static func range(_ range: QuiverAPI.ComparisonRange) -> RangeChoice {
    var choice = RangeChoice()
    choice.range = range
    return choice
  }

  @Test("The model lists setups by name, and excludes A from the choices for B")
  func lists() async throws {
    try await SessionServer.run { server in
      let scene = try await Scene(server)
      let model = ComparisonModel(scene.session)
      #expect(model.setups.isEmpty && !model.state.isLoading && model.state.errorText == nil)
      try await model.load()
      #expect(model.setups.map(\.displayName) == ["Barebow", "outdoor", "Unnamed setup"])
      #expect(model.choicesForB == model.setups && model.state.staleSince == nil)
      model.chooseA(model.setups[1])
      #expect(model.choicesForB.map(\.displayName) == ["Barebow", "Unnamed setup"])
      model.chooseB(model.setups[1])
      #expect(model.setupB == nil)
      model.chooseB(model.setups[0])
      #expect(model.setupB?.displayName == "Barebow")
      model.chooseA(model.setups[0])
      #expect(model.setupA?.displayName == "Barebow" && model.setupB == nil)
      try await scene.archive(model.setups[0].id)
      try await model.load()
      #expect(model.setups.count == 2 && model.setupA == nil)
      await scene.session.close()
    }
  }

  @Test("The model compares only with both setups, and a change clears the result")
  func compares() async throws {
    try await SessionServer.run { server in
      let scene = try await Scene(server)
      let model = ComparisonModel(scene.session)
      try await model.load()
      try await model.compare()
      #expect(model.result == nil && model.state.errorText == nil)
      model.chooseA(model.setups[0])
      try await model.compare()
      #expect(model.result == nil && model.state.errorText == nil)
      model.chooseB(model.setups[1])
      try await model.compare()
      let result = try #require(model.result)
      #expect(result.setups.map { $0.setup?.displayName } == ["Barebow", "outdoor"])
      #expect(result.setups.map { $0.performance?.totalArrows } == [3, 3])
      #expect(result.pairs.count == 1 && result.pairs[0].deltas?.arrowCount == 0)
      let better = result.pairs.first?.deltas?.averageScore
      #expect(better?.direction == .bBetter && better.map { $0.value > 0 } == true)
      #expect(
        !model.resultState.isLoading && model.state.errorText == nil
          && model.state.staleSince == nil)
      model.chooseB(model.setups[1])
      #expect(model.result != nil)
      model.chooseB(model.setups[2])
      #expect(model.result == nil)
      try await model.compare()
      #expect(model.result != nil)
      model.chooseA(nil)
      #expect(model.result == nil && model.setupB != nil)
      model.chooseA(model.setups[0])
      try await model.compare()
      model.reset()
      #expect(model.setupA == nil && model.setupB == nil && model.result == nil)
      #expect(model.setups.count == 3 && model.range.range == .thirtyDays)
      await scene.session.close()
    }
  }

  @Test("The chart has the positions of both setups, also without a connection")
  func positions() async throws {
    try await SessionServer.run { server in
      let scene = try await Scene(server)
      let model = ComparisonModel(scene.session)
      try await model.load()
      #expect(model.positionChart == nil)
      model.chooseA(model.setups[0])
      model.chooseB(model.setups[1])
      for isConnected in [true, false] {
        scene.transport.setConnected(isConnected)
        try await model.compare()
        let chart = try #require(model.positionChart)
        #expect(!chart.isEmpty && chart.series.map(\.label) == ["A: Barebow", "B: outdoor"])
        #expect(chart.series.map { $0.points.map(\.x) } == [[0.5, 0.5, 0.5], [0, 0, 0]])
        #expect(
          chart.series.map { $0.points.map(\.y).sorted() } == [[0, 0.1, 0.2], [0, 0.1, 0.2]])
        let labels = chart.series.map { $0.points.compactMap { Int($0.label) }.max() ?? 0 }
        #expect(labels[1] == 10 && (1..<10).contains(labels[0]))
      }
      await scene.session.close()
    }
  }

  @Test(
    "The model stores the range, restores it before the first load, and compares with a new one"
  )
  func ranges() async throws {
    try await SessionServer.run { server in
      let scene = try await Scene(server)
      let model = ComparisonModel(scene.session)
      #expect(model.range.range == .thirtyDays)
      try await model.load()
      try await model.choose(range: Self.range(.allTime))
      #expect(model.range.range == .allTime && model.result == nil)
      #expect(try await scene.keptRange() == .allTime)
      model.chooseA(model.setups[0])
      model.chooseB(model.setups[1])
      try await model.choose(range: Self.range(.ninetyDays))
      #expect(model.result?.range?.range == .ninetyDays)
      // Another model of the session, and another device after its load, have it too.
      let second = ComparisonModel(scene.session)
      await second.refresh()
      #expect(second.range.range == .ninetyDays)
      let tablet = try await server.session(scene.token, on: "tablet")
      let other = ComparisonModel(tablet)
      await other.refresh()
      #expect(other.range.range == .thirtyDays)
      try await other.load()
      #expect(other.range.range == .ninetyDays)
      await tablet.close()
      await scene.session.close()
    }
  }

  @Test("A range that is chosen offline is stored and sent to the server later")
  func offlineRange() async throws {
    try await SessionServer.run { server in
      let scene = try await Scene(server)
      let model = ComparisonModel(scene.session)
      try await model.load()
      scene.transport.disconnect()
      try await model.choose(range: Self.range(.sevenDays))
      #expect(model.range.range == .sevenDays && model.state.errorText == nil)
      let second = ComparisonModel(scene.session)
      await second.refresh()
      #expect(second.range.range == .sevenDays)
      #expect(try await scene.keptRange() == .thirtyDays)
      scene.transport.reconnect()
      try await model.load()
      #expect(model.range.range == .sevenDays)
      #expect(try await scene.keptRange() == .sevenDays)
      await scene.session.close()
    }
  }

  @Test("Offline the model shows the last state with its date")
  func offline() async throws {
    try await SessionServer.run { server in
      let scene = try await Scene(server)
      let model = ComparisonModel(scene.session)
      try await model.load()
      model.chooseA(model.setups[0])
      model.chooseB(model.setups[1])
      try await model.compare()
      scene.transport.disconnect()
      try await model.load()
      #expect(
        model.setups.count == 3 && model.state.staleSince != nil && model.state.errorText == nil)
      let shown = model.result
      try await model.compare()
      #expect(model.result == shown && shown != nil && model.resultState.staleSince != nil)
      #expect(model.resultState.errorText == nil && !model.resultState.isLoading)
      // Another pair has never been compared: nothing to show.
      model.chooseB(model.setups[2])
      #expect(await failure { try await model.compare() } != nil)
      #expect(model.result == nil)
      #expect(model.resultState.errorText?.hasPrefix("Failed to compare setups: ") == true)
      model.clearError()
      #expect(model.resultState.errorText == nil)
      await scene.session.close()
    }
  }

  @Test("After a failure the model has the error and empty lists")
  func errors() async throws {
    try await SessionServer.run { server in
      let scene = try await Scene(server)
      let model = ComparisonModel(scene.session)
      scene.transport.disconnect()
      #expect(await failure { try await model.load() } != nil)
      #expect(model.setups.isEmpty && !model.state.isLoading)
      #expect(model.state.errorText?.hasPrefix("Failed to load setups: ") == true)
      scene.transport.reconnect()
      try await model.load()
      #expect(model.state.errorText == nil && model.setups.count == 3)
      model.chooseA(model.setups[0])
      model.chooseB(model.setups[1])
      scene.transport.fail(with: RPCError(.permissionDenied, "not yours"))
      #expect(await failure { try await model.compare() } != nil)
      #expect(model.resultState.errorText == "Failed to compare setups: not yours")
      #expect(model.result == nil && !model.resultState.isLoading)
      #expect(await failure { try await model.load() } != nil)
      #expect(model.state.errorText == "Failed to load setups: not yours")
      #expect(model.setups.isEmpty && !model.state.isLoading)
      model.clearError()
      #expect(model.state.errorText == nil)
      await scene.session.close()
    }
  }

  @Test("If the server refuses a range, the model returns to the last valid one")
  func refusedRange() async throws {
    try await SessionServer.run { server in
      let scene = try await Scene(server)
      let model = ComparisonModel(scene.session)
      try await model.load()
      var inverted = Self.range(.custom)
      inverted.startMilliseconds = 900
      inverted.endMilliseconds = 5
      #expect(await failure { try await model.choose(range: inverted) } != nil)
      #expect(model.state.errorText?.hasPrefix("Failed to store the range: range.end_ms") == true)
      #expect(model.range.range == .thirtyDays)
      try await model.load()
      #expect(model.state.errorText == nil && model.range.range == .thirtyDays)
      await scene.session.close()
    }
  }

  @Test("The reply to an earlier choice is not shown")
  func overtaken() async throws {
    try await SessionServer.run { server in
      let scene = try await Scene(server)
      let model = ComparisonModel(scene.session)
      try await model.load()
      model.chooseA(model.setups[0])
      model.chooseB(model.setups[1])
      let asked = Task { try? await model.compare() }
      while !model.resultState.isLoading { await Task.yield() }
      model.chooseB(model.setups[2])
      await asked.value
      #expect(model.result == nil && !model.resultState.isLoading)
      try await model.compare()
      #expect(model.result?.setups.last?.setup?.displayName == "Unnamed setup")
      await scene.session.close()
    }
  }
}
