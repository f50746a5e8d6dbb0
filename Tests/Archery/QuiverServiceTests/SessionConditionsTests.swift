import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@Suite("Conditions of sessions", .timeLimit(.minutes(5)))
struct SessionConditionsTests {
  /// Completed rounds of wa18 of one setup, each with its conditions.
  private static func shoot(
    _ archer: ComparisonArcher, _ setup: BowSetup, _ level: UInt32,
    _ conditions: SessionConditions?,
    count: Int = 5
  ) async throws {
    for index in 0..<count {
      var request = CreateSessionRequest()
      request.format = .with { $0.codename = "bray_i" }
      request.setupID = setup.id
      request.conditions = conditions
      let session = try await archer.client.call(Rounds.createSession, request)
      #expect(session.conditions == conditions)
      let values = (0..<30).map { level + UInt32(($0 + index) % 7 == 0 ? 1 : 0) }
      try await archer.shoot(
        try #require(session.rounds.first), values,
        at: ComparisonArcher.asOf - Int64(index + 1) * 7_200_000)
    }
  }

  @Test("A comparison says that the weather differs, unless it is ignored or not always stated")
  func weather() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let (dry, wet) = (try await archer.setup("Dry"), try await archer.setup("Wet"))
      let clear = SessionConditions.with { conditions in
        conditions.weather = .clear
        conditions.place = "Lilleshall"
      }
      let rain = SessionConditions.with { conditions in
        conditions.weather = .rain
        conditions.place = "Lilleshall"
      }
      try await Self.shoot(archer, dry, 9, clear)
      try await Self.shoot(archer, wet, 8, rain)
      let found = try await archer.compare([dry, wet])
      let inference = try #require(found.pairs.first?.inference)
      #expect(inference.conditionsDiffer && inference.differing == [.weather])
      #expect(inference.metrics.allSatisfy { $0.verdict == .differentConditions })
      #expect(inference.metrics[0].words.contains("because the weather differs"))
      #expect(inference.handicap?.verdict == .differentConditions)
      #expect(found.strata.compactMap(\.stratum).map(\.weather) == [.clear, .rain])
      #expect(found.strata.allSatisfy { $0.stratum?.place == "Lilleshall" })
      #expect(found.strata.map { $0.performances.map(\.roundCount) } == [[5, 0], [0, 5]])

      var across = ComparisonArcher.request([dry, wet])
      across.ignoreConditions = [.weather]
      let ignored = try await archer.client.call(Comparison.compare, across)
      #expect(ignored.pairs[0].inference?.metrics[0].verdict == .aBetter)
      #expect(ignored.pairs[0].inference?.handicap?.verdict == .aBetter)
      #expect(ignored.strata.count == 1)

      var performance = GetSetupPerformanceRequest()
      performance.setup = .with { $0.id = wet.id }
      performance.asOfMilliseconds = ComparisonArcher.asOf
      performance.range = .with { $0.range = .thirtyDays }
      let alone = try await archer.client.call(Comparison.getSetupPerformance, performance)
      #expect(alone.strata.compactMap(\.stratum).map(\.weather) == [.rain])
      #expect(alone.strata.first?.performance?.handicapRoundCount == 5)

      // A round of unknown weather could be of any.
      try await Self.shoot(archer, dry, 9, nil, count: 1)
      let unknown = try await archer.compare([dry, wet])
      #expect(unknown.pairs[0].inference?.conditionsDiffer == false)
      #expect(unknown.strata.count == 1 && unknown.strata[0].stratum?.weather == .unspecified)

      let wrong = ComparisonArcher.request([dry, wet])
      for aspect in [StratumAspect.distance, .unspecified, .init(rawValue: 99)] {
        var bad = wrong
        bad.ignoreConditions = [aspect]
        let refusal = await archer.client.refusal(Comparison.compare, bad)
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.message.hasPrefix("ignore_conditions[0]: ") == true)
      }
    }
  }

  @Test("Conditions can be replaced by the owner, and are refused where they are not valid")
  func replaced() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let session = try await archer.client.call(
        Rounds.createSession, .with { $0.format = .with { $0.codename = "wa18" } })
      #expect(session.conditions == nil)
      var wish = SetSessionConditionsRequest()
      wish.id = session.id
      wish.conditions = .with { conditions in
        conditions.place = "  Hall 2 "
        conditions.light = .artificial
        conditions.wind = .calm
      }
      let set = try await archer.client.call(Rounds.setSessionConditions, wish)
      #expect(set.conditions?.place == "Hall 2" && set.conditions?.light == .artificial)
      let before = try server.lastSequence()
      #expect(try await archer.client.call(Rounds.setSessionConditions, wish) == set)
      #expect(try server.lastSequence() == before)
      var read = GetSessionRequest()
      read.id = session.id
      #expect(try await archer.client.call(Rounds.getSession, read) == set)

      let table: [(String, (inout SetSessionConditionsRequest) -> Void)] = [
        ("conditions.place: ", { $0.conditions?.place = String(repeating: "x", count: 201) }),
        ("conditions.weather: ", { $0.conditions?.weather = .init(rawValue: 6) }),
        ("conditions.wind: ", { $0.conditions?.wind = .init(rawValue: -1) }),
        ("conditions.light: ", { $0.conditions?.light = .init(rawValue: 5) }),
      ]
      for (text, change) in table {
        var bad = wish
        change(&bad)
        let refusal = await archer.client.refusal(Rounds.setSessionConditions, bad)
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.message.hasPrefix(text) == true, "\(refusal?.message ?? "none")")
      }
      #expect(try server.lastSequence() == before)
      let other = try server.client(named: "John")
      #expect(await other.refusal(Rounds.setSessionConditions, wish)?.code == .notFound)
      wish.conditions = nil
      #expect(try await archer.client.call(Rounds.setSessionConditions, wish).conditions == nil)
    }
  }
}
