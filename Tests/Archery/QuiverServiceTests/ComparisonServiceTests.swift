import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire
import Testing

@Suite("Comparisons", .timeLimit(.minutes(5)))
struct ComparisonServiceTests {
  @Test("Two setups are compared over all arrows and by stratum, with a verdict")
  func compare() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let old = try await archer.setup("Old")
      let new = try await archer.setup("")
      try await archer.shootRounds(old, 6, level: 7, drift: -0.2)
      try await archer.shootRounds(new, 5, level: 9, drift: 0.2)
      let response = try await archer.compare([old, new])
      #expect(response.range?.endMilliseconds == ComparisonArcher.asOf)
      #expect(response.range?.startMilliseconds == ComparisonArcher.asOf - 2_592_000_000)
      #expect(response.setups.map { $0.setup?.displayName } == ["Old", "Unnamed setup"])
      let a = try #require(response.setups[0].performance)
      let b = try #require(response.setups[1].performance)
      #expect(a.hasData && a.totalArrows == 360 && a.roundCount == 6 && b.roundCount == 5)
      #expect(a.valueCounts.reduce(0, +) == 360 && a.handicapRoundCount == 6)
      #expect(b.averageScore > a.averageScore && b.meanHandicap < a.meanHandicap)
      #expect(a.faces == [.tenZone] && a.groups.map(\.diameterCentimetres) == [40])
      #expect(a.groups[0].meanX < 0 && b.groups[0].meanX > 0)
      #expect(a.groups[0].size?.meanRadius ?? 0 > 0 && a.tenRate?.lower != nil)
      let pair = try #require(response.pairs.first)
      #expect(response.pairs.count == 1 && pair.a == 0 && pair.b == 1)
      #expect(pair.deltas?.averageScore?.direction == .bBetter)
      #expect(pair.deltas?.averageScore?.text.hasPrefix("+") == true)
      #expect(pair.deltas?.arrowCount == -60 && pair.deltas?.arrowCountText == "-60")
      let score = try #require(pair.inference?.metrics.first)
      #expect(score.verdict == .bBetter && score.words.hasPrefix("\"Unnamed setup\" is better"))
      #expect((score.lower ?? 0) > 0 && (score.p ?? 1) < 0.001 && score.hedgesG != nil)
      #expect(pair.inference?.metrics.map(\.metric) == [.averageScore, .accuracy, .consistency])
      #expect(pair.inference?.handicap?.verdict == .bBetter)
      #expect(pair.inference?.places.first?.verdict == .apart)
      #expect(pair.inference?.tenRate != nil)
      #expect(response.strata.count == 1 && response.strata[0].stratum?.distance == 18)
      #expect(response.strata[0].performances.map(\.totalArrows) == [360, 300])
      #expect(response.setups.allSatisfy { $0.shots.isEmpty })
    }
  }

  @Test(
    "Setups shot only at different distances have no winner; common distances are pooled")
  func differentDistances() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let (far, near) = (try await archer.setup("Far"), try await archer.setup("Near"))
      try await archer.shootRounds(
        far, 6, level: 6, drift: 0, "wa720_70", arrows: 72, arrowsPerEnd: 6)
      try await archer.shootRounds(near, 6, level: 9, drift: 0)
      let disjoint = try #require(try await archer.compare([far, near]).pairs.first?.inference)
      #expect(disjoint.conditionsDiffer && disjoint.pooled.isEmpty)
      #expect(disjoint.metrics.map(\.verdict) == Array(repeating: .differentConditions, count: 3))
      #expect(disjoint.metrics[0].words.contains("\"Far\" was shot at 70 m"))
      try await archer.shootRounds(far, 5, level: 7, drift: 0, hours: 20)
      let pooled = try #require(try await archer.compare([far, near]).pairs.first?.inference)
      #expect(pooled.conditionsDiffer && pooled.pooled.map(\.roundCountA) == [5, 5, 5])
      #expect(pooled.pooledStrata.map(\.distance) == [18])
      #expect(pooled.pooled.first?.verdict == .bBetter && !pooled.overallWords.isEmpty)
    }
  }

  @Test("Each of several strata has handicaps, a mean radius and the pair's handicap")
  func strata() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let setups = [try await archer.setup("A"), try await archer.setup("B")]
      for (setup, level) in zip(setups, [7, 9]) {
        try await archer.shootRounds(
          setup, 5, level: level, drift: 0, "wa900", arrows: 90, arrowsPerEnd: 6)
      }
      let response = try await archer.compare(setups)
      #expect(response.strata.compactMap(\.stratum?.distance) == [40, 50, 60])
      for stratum in response.strata {
        for performance in stratum.performances {
          #expect(performance.handicapRoundCount == 5)
          #expect(performance.groups.first?.size?.meanRadius != nil)
        }
        let handicap = try #require(stratum.pairs.first?.inference?.handicap)
        #expect(handicap.roundCountA == 5 && handicap.roundCountB == 5)
        #expect(handicap.meanB < handicap.meanA && handicap.verdict == .bBetter)
        #expect(handicap.meanA == stratum.performances[0].meanHandicap)
      }
      // The first round of A: its arrows 0 to 29 at 60 m, by the table of that pass alone.
      let values = (0..<30).map { min(10, 7 + [0, 1, 0, -1, 1][$0 % 5] + $0 % 11 / 11) }
      var table = try #require(
        HandicapTable([
          HandicapPass(
            arrows: 30, distanceMetres: 60, faceDiameterMetres: 1.22,
            rings: TargetFace.tenZone.scoringRings, isIndoor: false)
        ]))
      let found = table.handicap(values.reduce(0, +))
      let expected = try #require(found)
      let alone = try await archer.setup("C")
      try await archer.shootRounds(
        alone, 1, level: 7, drift: 0, "wa900", arrows: 90, arrowsPerEnd: 6)
      let shown = try await archer.client.call(
        Comparison.getSetupPerformance,
        .with { request in
          request.setup = ComparedSetup.with { $0.id = alone.id }
          request.asOfMilliseconds = ComparisonArcher.asOf
        })
      let far = try #require(shown.strata.first { $0.stratum?.distance == 60 }?.performance)
      #expect(far.meanHandicap == Double(expected) && far.handicapRoundCount == 1)
      #expect(far.groups.first?.size?.meanRadius != nil)
    }
  }

  @Test("The same request gives the same answer, whatever the method")
  func deterministic() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let setups = [try await archer.setup("A"), try await archer.setup("B")]
      try await archer.shootRounds(setups[0], 5, level: 8, drift: 0)
      try await archer.shootRounds(setups[1], 6, level: 8, drift: 0.1)
      for method in [InferenceMethod.welch, .bootstrapT, .none] {
        let first = try await archer.compare(setups, method)
        #expect(try await archer.compare(setups, method) == first)
        #expect((first.pairs[0].inference == nil) == (method == .none))
      }
      var request = ComparisonArcher.request(setups, .bootstrapT)
      let seedless = try await archer.client.call(Comparison.compare, request)
      request.seed = 99
      let seeded = try await archer.client.call(Comparison.compare, request)
      #expect(seeded.pairs != seedless.pairs && seeded.setups == seedless.setups)
      request.includeShots = true
      let drawn = try await archer.client.call(Comparison.compare, request)
      #expect(drawn.setups.map(\.shots.count) == [300, 360])
      #expect(drawn.setups.allSatisfy { !$0.shotsCut })
    }
  }

  @Test("Corrections, retractions, statuses and setups of rounds change a comparison at once")
  func changes() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let setups = [try await archer.setup("A"), try await archer.setup("B")]
      func scores(unfinished: Bool = true) async throws -> [UInt64] {
        var request = ComparisonArcher.request(setups, .none)
        request.includeUnfinished = unfinished
        let response = try await archer.client.call(Comparison.compare, request)
        return response.setups.map { setup in
          UInt64(
            (Double(setup.performance?.totalArrows ?? 0)
              * (setup.performance?.averageScore ?? 0)).rounded())
        }
      }
      let round = try await archer.begin(setups[0])
      let verdicts = try await archer.shoot(
        round, [10, 9, 8], at: ComparisonArcher.asOf - 900_000, drift: 0.1)
      #expect(try await scores() == [27, 0])
      #expect(try await scores(unfinished: false) == [0, 0])
      var correction = CorrectArrowRequest()
      correction.operation = try ComparisonArcher.record(
        round.participantID, end: 0, arrow: 1, 7, at: ComparisonArcher.asOf - 500_000)
      correction.operation?.kind = .correct
      correction.operation?.replacesID = verdicts[1].operationID
      correction.operation?.reason = "misread"
      let corrected = try await archer.client.call(Rounds.correctArrow, correction)
      #expect(try await scores() == [25, 0])
      var retraction = RetractArrowRequest()
      retraction.operation = ScoringOperation()
      retraction.operation?.participantID = round.participantID
      retraction.operation?.endIndex = 0
      retraction.operation?.arrowIndex = 1
      retraction.operation?.replacesID = corrected.arrows.first?.operationID ?? 0
      retraction.operation?.reason = "not shot"
      _ = try await archer.client.call(Rounds.retractArrow, retraction)
      #expect(try await scores() == [18, 0])
      try await archer.set(.completed, round)
      #expect(try await scores(unfinished: false) == [18, 0])
      var moved = SetRoundSetupRequest()
      moved.participantID = round.participantID
      moved.setupID = setups[1].id
      _ = try await archer.client.call(Rounds.setRoundSetup, moved)
      #expect(try await scores(unfinished: false) == [0, 18])
      moved.setupID = 0
      _ = try await archer.client.call(Rounds.setRoundSetup, moved)
      #expect(try await scores() == [0, 0])
      moved.setupID = setups[0].id
      _ = try await archer.client.call(Rounds.setRoundSetup, moved)
      #expect(try await scores() == [18, 0])
      let findings = try server.store.verify()
      #expect(findings.isEmpty, "\(findings)")
      try await archer.set(.cancelled, round)
      #expect(try await scores() == [0, 0])
      var deletion = DeleteSessionRequest()
      deletion.id = round.sessionID
      _ = try await archer.client.call(Rounds.deleteSession, deletion)
      #expect(try server.store.verify().isEmpty)
    }
  }

  @Test("A side without arrows has zeros, no deltas and NO_DATA; ranges may cut rounds")
  func ranges() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let setups = [try await archer.setup("A"), try await archer.setup("B")]
      let round = try await archer.begin(setups[0])
      // One arrow a minute; the first three before the range.
      try await archer.shoot(
        round, Array(repeating: 9, count: 60),
        at: ComparisonArcher.asOf - 604_800_000 - 180_000)
      let week = try await archer.compare(setups, range: .sevenDays)
      let a = try #require(week.setups[0].performance)
      #expect(a.totalArrows == 57 && a.roundCount == 1 && a.averageRoundScore == 513)
      #expect(
        a.handicapRoundCount == 0
          && a.firstShotAtMilliseconds
            == ComparisonArcher.asOf - 604_800_000
      )
      let b = try #require(week.setups[1].performance)
      #expect(!b.hasData && b.averageScore == 0 && b.totalArrows == 0 && b.groups.isEmpty)
      #expect(week.pairs[0].deltas == nil)
      #expect(week.pairs[0].inference?.metrics[0].verdict == .tooLittleData)
      let month = try await archer.compare(setups, range: .thirtyDays)
      #expect(month.setups[0].performance?.totalArrows == 60)
      #expect(month.setups[0].performance?.handicapRoundCount == 1)
      var request = ComparisonArcher.request(setups)
      request.range?.range = .custom
      request.range?.startMilliseconds = ComparisonArcher.asOf - 604_800_000
      request.range?.endMilliseconds = ComparisonArcher.asOf - 604_800_000 + 60_001
      let custom = try await archer.client.call(Comparison.compare, request)
      #expect(custom.setups[0].performance?.totalArrows == 2)
    }
  }

  @Test("Four setups give six pairs, with p values corrected by Holm")
  func four() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      var setups: [BowSetup] = []
      for (index, name) in ["A", "B", "C", "D"].enumerated() {
        let setup = try await archer.setup(name)
        try await archer.shootRounds(setup, 5, level: 7 + index % 2, drift: 0)
        setups.append(setup)
      }
      let response = try await archer.compare(setups)
      #expect(
        response.pairs.map { [$0.a, $0.b] } == [
          [0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3],
        ])
      for pair in response.pairs {
        let score = try #require(pair.inference?.metrics.first)
        #expect((score.adjustedP ?? 0) >= (score.p ?? 1))
      }
      #expect(response.pairs[0].inference?.metrics[0].words.contains("Holm") == true)
      #expect(response.pairs[1].inference?.metrics[0].verdict == .noDifference)
    }
  }

  @Test("Guests' rounds do not count, and other principals' setups are not found")
  func others() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let otherUser = try ComparisonArcher(server)
      let mine = [try await archer.setup("A"), try await archer.setup("B")]
      let theirs = try await otherUser.setup("C")
      var request = CreateSessionRequest()
      request.format = FormatReference()
      request.format?.codename = "wa18"
      request.setupID = mine[0].id
      request.guests = [SessionGuest()]
      request.guests[0].name = "Will"
      let session = try await archer.client.call(Rounds.createSession, request)
      let guest = try #require(session.rounds.first { $0.guest })
      try await archer.shoot(
        guest, Array(repeating: 10, count: 60), at: ComparisonArcher.asOf - 9_000_000)
      let response = try await archer.compare(mine, range: .allTime)
      #expect(response.setups[0].performance?.hasData == false)
      let refusal = await archer.client.refusal(
        Comparison.compare, ComparisonArcher.request([mine[0], theirs]))
      #expect(refusal?.code == .notFound && refusal?.message.hasPrefix("setups[1]") == true)
    }
  }

  @Test("Performance is computed for a setup, an item and the arrows of an end")
  func performance() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let riser = try await archer.riser()
      let first = try await archer.setup("A", [riser.id])
      let second = try await archer.setup("B", [riser.id])
      for (setup, value) in [(first, UInt32(9)), (second, 7)] {
        let round = try await archer.begin(setup)
        try await archer.shoot(
          round, (0..<60).map { $0 % 3 == 2 ? value - 1 : value },
          at: ComparisonArcher.asOf - 86_400_000, drift: 0.1)
      }
      var request = GetSetupPerformanceRequest()
      request.setup = ComparedSetup()
      request.setup?.id = first.id
      request.asOfMilliseconds = ComparisonArcher.asOf
      let alone = try await archer.client.call(Comparison.getSetupPerformance, request)
      #expect(alone.displayName == "A" && alone.performance?.totalArrows == 60)
      #expect(alone.range?.range == .thirtyDays && alone.strata.count == 1)
      #expect(alone.performance?.groups.first?.positionCount == 60)
      var itemRequest = GetItemPerformanceRequest()
      itemRequest.equipmentID = riser.id
      itemRequest.asOfMilliseconds = ComparisonArcher.asOf
      let item = try await archer.client.call(Comparison.getItemPerformance, itemRequest)
      #expect(item.displayName == "Hoyt Formula" && item.performance?.totalArrows == 120)
      var numberRequest = GetArrowNumbersRequest()
      numberRequest.setup = request.setup
      numberRequest.asOfMilliseconds = ComparisonArcher.asOf
      let numbers = try await archer.client.call(Comparison.getArrowNumbers, numberRequest)
      #expect(numbers.numbers.map(\.number) == [1, 2, 3])
      #expect(numbers.numbers.map { $0.performance?.averageScore } == [9, 9, 8])
      #expect(numbers.numbers.allSatisfy { $0.performance?.totalArrows == 20 })
      #expect(numbers.numbers[0].performance?.groups[0].size?.meanRadius ?? 0 > 0)
    }
  }
}
