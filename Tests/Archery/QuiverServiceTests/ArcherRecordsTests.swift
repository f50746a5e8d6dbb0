import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@Suite("Personal bests and running handicaps", .timeLimit(.minutes(5)))
struct ArcherRecordsTests {
  private static let day: Int64 = 86_400_000
  /// 2023-11-14, within the indoor season of 2023.
  private static let start = ComparisonArcher.asOf

  /// Shoots a whole Bray I, 30 arrows of which `nines` are nines and the others tens.
  private static func shoot(
    _ archer: ComparisonArcher, nines: Int, at day: Int64, bowstyle: Bowstyle = .unspecified,
    arrows: Int = 30
  ) async throws -> Round {
    var request = CreateSessionRequest()
    request.format = .with { $0.codename = "bray_i" }
    request.bowstyle = bowstyle
    let round = try #require(
      try await archer.client.call(Rounds.createSession, request).rounds.first)
    let values = (0..<arrows).map { UInt32($0 < nines ? 9 : 10) }
    try await archer.shoot(round, values, at: start + day * Self.day)
    return round
  }

  private static func bests(
    _ archer: ComparisonArcher, _ bowstyle: Bowstyle = .unspecified
  ) async throws -> [PersonalBest] {
    try await archer.client.call(
      Rounds.getPersonalBests, .with { $0.bowstyle = bowstyle }
    ).bests
  }

  @Test(
    "The best completed round of each format and bowstyle is listed with its handicap and class")
  func bests() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      #expect(try await Self.bests(archer).isEmpty)
      _ = try await Self.shoot(archer, nines: 20, at: 0)
      let best = try await Self.shoot(archer, nines: 10, at: 1)
      _ = try await Self.shoot(archer, nines: 15, at: 2)
      _ = try await Self.shoot(archer, nines: 30, at: 3, bowstyle: .barebow)
      // Neither a round without its last arrow nor a cancelled one counts.
      let open = try await Self.shoot(archer, nines: 0, at: 4, arrows: 29)
      try await archer.set(.completed, open)
      try await archer.set(.cancelled, try await Self.shoot(archer, nines: 0, at: 5))

      let found = try await Self.bests(archer)
      #expect(found.map(\.score) == [290, 270] && found.map(\.roundCount) == [3, 1])
      #expect(found[0].participantID == best.participantID && found[0].maximumScore == 300)
      #expect(found[0].shotAtMilliseconds == Self.start + Self.day)
      #expect(found[0].bowstyle == .unspecified && found[1].bowstyle == .barebow)
      #expect(found[0].classCode.isEmpty)
      let tables = try await archer.client.call(
        Comparison.getScoreHandicap,
        .with { request in
          request.format = .with { $0.codename = "bray_i" }
          request.score = 290
        })
      #expect(found[0].handicap == tables.handicap)
      #expect(try await Self.bests(archer, .barebow).map(\.score) == [270])
      #expect(try await Self.bests(archer, .longbow).isEmpty)

      // With a category the rounds without a bowstyle are the profile's, and have classes.
      var wish = UpdateProfileRequest()
      wish.profile = try await archer.client.call(Account.getProfile, .init())
      wish.profile?.bowstyle = .recurve
      wish.profile?.gender = .open
      wish.profile?.ageGroup = .adult
      wish.updateMask = ["bowstyle", "gender", "age_group"]
      _ = try await archer.client.call(Account.updateProfile, wish)
      #expect(try await Self.bests(archer, .recurve).map(\.classCode) == ["I-GMB"])
      let later = try await Self.shoot(archer, nines: 1, at: 6)
      #expect(later.bowstyle == .recurve)
      #expect(try await Self.bests(archer, .recurve).map(\.score) == [299])
      let other = try ComparisonArcher(server)
      #expect(try await Self.bests(other).isEmpty)
    }
  }

  @Test("The running handicap follows the rounds of its bowstyle and place")
  func handicap() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      var request = GetRunningHandicapRequest()
      request.location = .indoor
      request.asOfMilliseconds = Self.start + 30 * Self.day
      func running() async throws -> GetRunningHandicapResponse {
        try await archer.client.call(Rounds.getRunningHandicap, request)
      }
      let none = try await running()
      #expect(none.handicap == nil && none.missingRounds == 3 && none.steps.isEmpty)
      for (index, nines) in [20, 24, 22].enumerated() {
        _ = try await Self.shoot(archer, nines: nines, at: Int64(index))
      }
      _ = try await Self.shoot(archer, nines: 0, at: 3, bowstyle: .compound)
      let first = try await running()
      let handicaps = first.steps.map(\.roundHandicap)
      #expect(handicaps.count == 3 && first.roundCount == 3 && first.missingRounds == 0)
      let mean = (Double(handicaps.reduce(0, +)) / 3).rounded(.up)
      #expect(first.handicap == Int32(mean))
      #expect(first.steps.map(\.after) == [first.handicap, nil, nil])

      _ = try await Self.shoot(archer, nines: 5, at: 4)
      let better = try await running()
      let step = try #require(better.steps.first)
      #expect(step.before == first.handicap && step.after == better.handicap)
      #expect(try #require(better.handicap) < Int32(mean))
      #expect(step.score == 295 && step.formatName == "Bray I")
      // Before that round, and after the end of the season, when the best three count.
      request.asOfMilliseconds = Self.start + 4 * Self.day
      #expect(try await running().handicap == first.handicap)
      request.asOfMilliseconds = Self.start + 300 * Self.day
      let bestThree = better.steps.map(\.roundHandicap).sorted().prefix(3).reduce(0, +)
      #expect(try await running().handicap == Int32((Double(bestThree) / 3).rounded(.up)))
      request.location = .outdoor
      #expect(try await running().handicap == nil)
      request.location = .indoor
      request.bowstyle = .compound
      #expect(try await running().roundCount == 1)
    }
  }

  @Test("Requests with values that are not valid, and callers without a token, are refused")
  func refused() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      for location in [RoundLocation.unspecified, RoundLocation(rawValue: 9)] {
        let refusal = await archer.client.refusal(
          Rounds.getRunningHandicap, .with { $0.location = location })
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.message.hasPrefix("location: ") == true)
      }
      let bow = Bowstyle(rawValue: 99)
      #expect(
        await archer.client.refusal(Rounds.getPersonalBests, .with { $0.bowstyle = bow })?.message
          .hasPrefix("bowstyle: ") == true)
      var session = CreateSessionRequest()
      session.format = .with { $0.codename = "bray_i" }
      session.bowstyle = bow
      #expect(
        await archer.client.refusal(Rounds.createSession, session)?.code == .invalidArgument)
      let nobody = try server.nobody()
      #expect(
        await nobody.refusal(Rounds.getPersonalBests, .init())?.code == .unauthenticated)
    }
  }

  @Test("A round's bowstyle can be set, and stays where the request names none")
  func bowstyle() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let round = try await Self.shoot(archer, nines: 3, at: 0)
      var wish = SetRoundSetupRequest()
      wish.participantID = round.participantID
      wish.bowstyle = .longbow
      #expect(try await archer.client.call(Rounds.setRoundSetup, wish).bowstyle == .longbow)
      wish.bowstyle = .unspecified
      wish.setupID = try await archer.setup("Longbow").id
      let changed = try await archer.client.call(Rounds.setRoundSetup, wish)
      #expect(changed.bowstyle == .longbow && changed.setupID == wish.setupID)
      #expect(try await Self.bests(archer, .longbow).map(\.score) == [297])
    }
  }
}
