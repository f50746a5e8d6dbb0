import Testing

@testable import QuiverRules

/// What a comparison says where the sides were shot at different distances or faces.
@Suite(.timeLimit(.minutes(5))) struct ConditionsTests {
  /// Rounds at each stratum whose means vary about the value.
  private static func side(
    _ name: String, _ rounds: [(Stratum, count: Int, value: Int)]
  ) -> ComparedSide {
    let compared = rounds.flatMap { stratum, count, value in
      (0..<count).map { index in
        ComparedRound(parts: [
          PerformanceTests.part(
            [value, value + index % 2, value - index % 3], stratum, at: Int64(index))
        ])
      }
    }
    return ComparedSide(name: name, rounds: compared)
  }

  private static let (far, near) = (PerformanceTests.outdoor, PerformanceTests.indoor)

  @Test("A setup shot only at 70 m and one shot only at 18 m get no winner and no pooled estimate")
  func disjoint() {
    let inference = PairInference(
      Self.side("A", [(Self.far, 12, 6)]), Self.side("B", [(Self.near, 12, 9)]))
    #expect(inference.conditionsDiffer && inference.pooled.isEmpty)
    for metric in ComparisonMetric.allCases {
      #expect(inference[metric].verdict == .differentConditions)
    }
    let words = inference[.averageScore].words
    #expect(words.contains("\"A\" was shot at 70 m (122 cm, 10 zone)"), "\(words)")
    #expect(words.contains("\"B\" at 18 m (40 cm, 10 zone)"), "\(words)")
    #expect(words.hasSuffix("They have no distance and face in common."), "\(words)")
    #expect(inference.overall.tests.isEmpty && inference.overall.words.isEmpty)
  }

  private static func far(_ conditions: ShootingConditions) -> Stratum {
    Stratum(distance: 70, unit: .metre, face: 2, diameterCM: 122, conditions: conditions)
  }

  @Test("Setups shot in different weather get no winner, and the words name the weather")
  func weather() {
    let sun = Self.far(ShootingConditions(place: "Lilleshall", weather: .clear, wind: .light))
    let rain = Self.far(ShootingConditions(place: "Lilleshall", weather: .rain, wind: .light))
    let inference = PairInference(
      Self.side("A", [(sun, 12, 9)]), Self.side("B", [(rain, 12, 6)]))
    #expect(inference.conditionsDiffer && inference.pooled.isEmpty)
    #expect(inference.differingAspects == [.weather])
    #expect(inference[.averageScore].verdict == .differentConditions)
    let words = inference[.averageScore].words
    #expect(words.contains("70 m (122 cm, 10 zone; clear, light wind, at Lilleshall)"), "\(words)")
    #expect(words.contains("because the weather differs."), "\(words)")
    #expect(words.hasSuffix("no distance, face and conditions in common."), "\(words)")
  }

  @Test("Several aspects that differ are all named, and what both had is pooled")
  func severalAspects() throws {
    let storm = Self.far(ShootingConditions(weather: .rain, wind: .strong))
    let calm = Self.far(ShootingConditions(weather: .clear, wind: .calm))
    let inference = PairInference(
      Self.side("A", [(storm, 20, 6), (calm, 6, 9)]),
      Self.side("B", [(storm, 6, 5), (calm, 20, 8)]))
    #expect(inference.differingAspects == [.weather, .wind])
    let words = inference[.averageScore].words
    #expect(words.contains("because the weather and the wind differ."), "\(words)")
    #expect(inference.pooled.first?.verdict == .aBetter)
    #expect(inference.pooledStrata == [calm, storm])
  }

  @Test("The handicap names a winner across distances, and none across weather")
  func handicaps() {
    func rounds(_ stratum: Stratum, _ level: Int) -> ComparedSide {
      ComparedSide(
        name: "S",
        rounds: (0..<12).map { index in
          ComparedRound(
            parts: [PerformanceTests.part([8, 9, 8 + index % 2], stratum, at: Int64(index))],
            handicap: level + index % 3)
        })
    }
    let rain = Self.far(ShootingConditions(weather: .rain))
    let sun = Self.far(ShootingConditions(weather: .clear))
    let across = PairInference(rounds(Self.far, 40), rounds(Self.near, 30))
    #expect(across.handicap?.verdict == .bBetter)
    let weather = PairInference(rounds(rain, 40), rounds(sun, 30))
    #expect(weather.handicap?.verdict == .differentConditions)
    #expect(weather.overall.tests.isEmpty)
  }

  @Test("Only conditions that every round states make strata")
  func stated() {
    let full = ShootingConditions(place: "Club", weather: .rain, wind: .calm, light: .dull)
    let part = ShootingConditions(weather: .clear, light: .dim)
    func round(_ conditions: ShootingConditions) -> ComparedRound {
      ComparedRound(parts: [PerformanceTests.part([9], Self.far(conditions), at: 0)])
    }
    #expect(ComparedRound.statedAspects([round(full)]) == StratumFeature.conditions)
    #expect(ComparedRound.statedAspects([round(full), round(part)]) == [.weather, .light])
    #expect(ComparedRound.statedAspects([round(full), round(.unknown)]).isEmpty)
    #expect(ComparedRound.statedAspects([]).isEmpty)
    let kept = round(full).keeping([.weather]).parts[0].stratum.conditions
    #expect(kept == ShootingConditions(weather: .rain))
  }

  @Test("Unlike shares of the same distances are pooled within each distance")
  func pooled() throws {
    // B is worse at both distances, and its plain mean is higher, for it shot more at 18 m.
    let a = Self.side("A", [(Self.far, 20, 6), (Self.near, 6, 9)])
    let b = Self.side("B", [(Self.far, 6, 5), (Self.near, 20, 8)])
    let inference = PairInference(a, b)
    #expect(inference[.averageScore].verdict == .differentConditions)
    #expect((inference[.averageScore].difference?.difference ?? 0) > 0)
    #expect(inference.pooledStrata == [Self.near, Self.far])
    let pooled = try #require(inference.pooled.first)
    #expect(pooled.verdict == .aBetter && pooled.roundsA == 26 && pooled.roundsB == 26)
    #expect(abs((pooled.difference?.difference ?? 0) + 1) < 0.2)
    #expect(inference.overall.significant.contains("average score"))
  }

  @Test(
    "Shares that differ by at most 5 % of the shooting count as alike",
    arguments: [(19, 1, false), (18, 2, true), (20, 0, false)])
  func tolerance(far: Int, near: Int, differs: Bool) {
    let inference = PairInference(
      Self.side("A", [(Self.far, 20, 6)]),
      Self.side("B", [(Self.far, far, 8), (Self.near, near, 8)]))
    #expect(inference.conditionsDiffer == differs)
    #expect((inference[.averageScore].verdict == .differentConditions) == differs)
  }

  @Test("Fewer than five rounds are too little data, whatever the conditions")
  func tooLittle() {
    let inference = PairInference(
      Self.side("A", [(Self.far, 4, 6)]), Self.side("B", [(Self.near, 12, 9)]))
    #expect(inference[.averageScore].verdict == .tooLittleData)
  }

  @Test("A side without arrows has no conditions that could differ")
  func empty() {
    let inference = PairInference(
      Self.side("A", []), Self.side("B", [(Self.near, 12, 9)]))
    #expect(!inference.conditionsDiffer)
  }

  @Test("A round of one arrow counts in the mix of strata")
  func oneArrow() {
    let mix = StratumMix([ComparedRound(parts: [PerformanceTests.part([9], Self.near)])])
    #expect(mix.shares == [Self.near: 1])
    #expect(
      StratumMix([ComparedRound(parts: [PerformanceTests.part([], Self.near)])]).shares == [:])
  }

  @Test("Three strata of a side are named, and more are counted", arguments: [3, 4])
  func manyStrata(count: Int) {
    let strata = (0..<count).map { index in
      (Stratum(distance: Double(20 + index), unit: .metre, face: 2, diameterCM: 60), 6, 8)
    }
    let inference = PairInference(
      Self.side("A", strata), Self.side("B", [(Self.near, 12, 9)]))
    let words = inference[.averageScore].words
    #expect(words.contains(" more") == (count > 3), "\(words)")
    #expect(words.contains("22 m"), "\(words)")
  }

  @Test("The pooled difference weighs strata by precision and lies between them")
  func weights() throws {
    let precise = MeanDifference(
      difference: 1, standardError: 0.1, degreesOfFreedom: 20, interval: nil, p: nil)
    let vague = MeanDifference(
      difference: 3, standardError: 1, degreesOfFreedom: 20, interval: nil, p: nil)
    let pooled = try #require(PooledDifference.value([precise, vague]))
    // (1·100 + 3·1)/101.
    #expect(abs(pooled.difference - 103.0 / 101) < 1e-12)
    #expect(pooled.standardError > 0.0995 && pooled.standardError < 0.1005)
    let alone = try #require(PooledDifference.value([precise]))
    #expect(alone.difference == 1 && abs(alone.standardError - 0.1) < 1e-15)
    #expect(abs((alone.degreesOfFreedom ?? 0) - 20) < 1e-9)
    #expect(PooledDifference.value([]) == nil)
    #expect(PooledDifference.value([WelchTest.unvarying(1)]) == nil)
  }

  @Test("Of several pairs the interval in the words is named as that of the pair alone")
  func intervalOfPair() {
    let sides = [6, 8, 9].map { Self.side("S\($0)", [(Self.near, 8, $0)]) }
    let pairs = [(0, 1), (0, 2), (1, 2)].map { PairInference(sides[$0.0], sides[$0.1]) }
    #expect(pairs[0][.averageScore].words.contains("95 % interval +"))
    for pair in PairInference.adjusted(pairs) {
      #expect(pair[.averageScore].words.contains("95 % interval of this pair alone"))
    }
  }
}
