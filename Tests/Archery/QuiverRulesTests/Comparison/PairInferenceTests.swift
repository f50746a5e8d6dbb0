import Testing

@testable import QuiverRules

@Suite(.timeLimit(.minutes(5))) struct PairInferenceTests {
  /// Rounds of three arrows whose values differ from round to round.
  static func side(
    _ name: String, rounds: Int, from value: Int, handicap: Int? = nil,
    position: Double? = nil
  ) -> ComparedSide {
    let compared = (0..<rounds).map { index in
      let point = position.map {
        ShotPoint(x: $0 + Double(index % 3) * 0.01, y: Double(index % 2) * 0.02)
      }
      return ComparedRound(
        parts: [
          PerformanceTests.part(
            [value, value + index % 2, value - index % 3], at: Int64(index), position: point)
        ],
        handicap: handicap.map { $0 + index % 2 })
    }
    return ComparedSide(name: name, rounds: compared)
  }

  @Test("fewer than five rounds on a side are too little data, in words too, and numbers stay")
  func tooLittle() {
    let inference = PairInference(
      Self.side("Old", rounds: 4, from: 7), Self.side("New", rounds: 9, from: 9))
    let score = inference[.averageScore]
    #expect(score.verdict == .tooLittleData)
    #expect(score.words.hasPrefix("Too little data: each side needs 5 rounds"))
    #expect(score.words.contains("\"Old\" has 4") && score.words.contains("\"New\" has 9"))
    #expect(score.difference?.interval != nil && score.hedgesG != nil)
    #expect(score.detectableDifference != nil && inference.tenRateA?.interval != nil)
    let none = PairInference(Self.side("A", rounds: 0, from: 7), Self.side("B", rounds: 1, from: 9))
    #expect(none[.accuracy].verdict == .tooLittleData && none[.accuracy].difference == nil)
    #expect(none.tenRateA == nil && none.handicap == nil)
  }

  @Test("Five rounds on each side are enough for a verdict, of metrics and of places")
  func justEnough() throws {
    let inference = PairInference(
      Self.side("Old", rounds: 5, from: 6, handicap: 60, position: 0.2),
      Self.side("New", rounds: 5, from: 9, handicap: 40, position: -0.2))
    #expect(inference[.averageScore].verdict == .bBetter)
    #expect(try #require(inference.handicap).verdict == .bBetter)
    #expect(inference.places.map(\.verdict) == [.apart])
    // All of them are among the tests of the overall statement.
    #expect(
      Set(inference.overall.tests.map(\.name))
        .isSuperset(of: ["average score", "tens", "place at 40 cm", "handicap"]))
  }

  @Test("a clear difference is claimed for the better side")
  func better() throws {
    let (old, new) = (
      Self.side("Old", rounds: 8, from: 6, handicap: 60),
      Self.side("New", rounds: 9, from: 9, handicap: 40)
    )
    let inference = PairInference(old, new)
    let score = inference[.averageScore]
    #expect(score.verdict == .bBetter && score.words.hasPrefix("\"New\" is better by 2."))
    #expect(score.meanB > score.meanA && score.roundsA == 8 && score.roundsB == 9)
    #expect(PairInference(new, old)[.averageScore].verdict == .aBetter)
    let handicap = try #require(inference.handicap)
    #expect(handicap.verdict == .bBetter && handicap.words.contains(" points of handicap"))
    #expect(PairInference(new, old).handicap?.verdict == .aBetter)
  }

  @Test("the same rounds show no difference, and say what would have shown")
  func none() {
    let inference = PairInference(
      Self.side("Old", rounds: 6, from: 8), Self.side("New", rounds: 6, from: 8))
    let score = inference[.averageScore]
    #expect(score.verdict == .noDifference && score.difference?.p == 1)
    #expect(score.words.contains("would show in 8 of 10"))
    #expect(inference[.accuracy].verdict == .noVariation)
  }

  @Test("rounds that are all alike give no measure of chance")
  func noVariation() {
    let alike = { (name: String, value: Int) in
      ComparedSide(
        name: name,
        rounds: Array(
          repeating: ComparedRound(parts: [PerformanceTests.part([value, value])]), count: 6))
    }
    let inference = PairInference(alike("Old", 8), alike("New", 9))
    #expect(inference[.averageScore].verdict == .noVariation)
    #expect(inference[.averageScore].words.hasPrefix("Cannot be decided"))
    // Accuracy is 0 % in every round of both: equal means tell nothing of chance either.
    #expect(inference[.accuracy].verdict == .noVariation)
    #expect(inference[.accuracy].difference?.p == nil)
  }

  @Test("rounds weigh alike in mean round means, whatever their length")
  func roundMeans() {
    let long = ComparedRound(parts: [PerformanceTests.part(Array(repeating: 9, count: 30))])
    let short = ComparedRound(parts: [PerformanceTests.part([6, 6, 6])])
    let side = ComparedSide(name: "A", rounds: [long, short])
    #expect(PairInference(side, side)[.averageScore].meanA == 7.5)
    #expect(side.performance.counts.averageScore == 288.0 / 33)
  }

  @Test("Holm corrects over all pairs, by metric, and a verdict may fall")
  func holm() {
    let sides = [
      Self.side("A", rounds: 6, from: 8), Self.side("B", rounds: 6, from: 9),
      Self.side("C", rounds: 6, from: 8),
    ]
    let pairs = [(0, 1), (0, 2), (1, 2)].map { PairInference(sides[$0.0], sides[$0.1]) }
    let adjusted = PairInference.adjusted(pairs)
    for metric in ComparisonMetric.allCases {
      let expected = HolmCorrection.adjusted(pairs.map { $0[metric].difference?.p })
      #expect(adjusted.map { $0[metric].adjustedP } == expected)
    }
    #expect(adjusted[0][.averageScore].words.contains("Holm"))
    #expect(PairInference.adjusted([pairs[0]]) == [pairs[0]])
    let plain = pairs[0][.averageScore].difference?.p ?? 0
    #expect((adjusted[0][.averageScore].adjustedP ?? 0) > plain)
  }

  @Test("places are compared by face diameter, rounds without positions left out")
  func places() throws {
    let inference = PairInference(
      Self.side("A", rounds: 6, from: 8, position: 0.2),
      Self.side("B", rounds: 7, from: 8, position: -0.2))
    let place = try #require(inference.places.first)
    #expect(inference.places.count == 1 && place.diameterCM == 40)
    #expect(place.verdict == .apart && place.roundsA == 6 && place.roundsB == 7)
    let few = PairInference(
      Self.side("A", rounds: 6, from: 8, position: 0.2),
      Self.side("B", rounds: 4, from: 8, position: 0.2))
    #expect(few.places.first?.verdict == .tooLittleData)
    let without = PairInference(
      Self.side("A", rounds: 6, from: 8, position: 0.2), Self.side("B", rounds: 6, from: 8))
    #expect(without.places.isEmpty)
  }

  @Test("a stratum holds what was shot at it, without handicaps")
  func stratum() {
    let both = ComparedRound(
      parts: [
        PerformanceTests.part([9, 9]), PerformanceTests.part([5, 6, 7], PerformanceTests.outdoor),
      ], handicap: 50)
    let side = ComparedSide(name: "A", rounds: [both])
    let part = side.part(in: PerformanceTests.outdoor)
    #expect(part.performance.counts.arrows == 3 && part.performance.roundCount == 1)
    #expect(part.handicaps.isEmpty && side.handicaps == [50])
    let other = Stratum(distance: 30, unit: .metre, face: 2, diameterCM: 80)
    #expect(side.part(in: other).rounds.isEmpty)
  }

  @Test("A p of exactly 0.05 and a difference of exactly 0 decide nothing")
  func verdictBorders() {
    func verdict(_ difference: Double, p: Double) -> SetupVerdict {
      let found = MeanDifference(
        difference: difference, standardError: 1, degreesOfFreedom: 8, interval: nil, p: p)
      return SetupVerdict(roundsA: 5, roundsB: 5, difference: found, adjustedP: p)
    }
    #expect(verdict(1, p: 0.05) == .noDifference)
    #expect(verdict(1, p: 0.05.nextDown) == .bBetter)
    #expect(verdict(0, p: 0.01) == .noDifference)
  }

  @Test("Means over strata are weighted by precision, however small the precision is")
  func impreciseStrata() {
    let pooled = MetricComparison(
      pooling: [(a: [0, 100], b: [60, 260])], rounds: (2, 2), names: (a: "A", b: "B"),
      unit: "points")
    #expect(pooled.meanA == 50 && pooled.meanB == 160)
  }

  @Test("A round of four distances is one round of the pooled comparison")
  func distinctRounds() {
    let strata = [30, 50, 70, 90].map {
      Stratum(distance: $0, unit: .metre, face: 2, diameterCM: 122)
    }
    func round(_ value: Int) -> ComparedRound {
      ComparedRound(
        parts: strata.enumerated().map { index, stratum in
          PerformanceTests.part([value, value - index % 2, value - 1], stratum)
        })
    }
    let indoor = ComparedRound(parts: [PerformanceTests.part([9, 9, 8])])
    let inference = PairInference(
      ComparedSide(name: "A", rounds: [round(7), round(8)]),
      ComparedSide(name: "B", rounds: [round(9), round(10), indoor]))
    #expect(inference.conditionsDiffer && inference.pooledStrata.count == 4)
    #expect(inference.pooled.map(\.roundsA) == [2, 2, 2])
    #expect(inference.pooled.map(\.roundsB) == [2, 2, 2])
    #expect(inference.pooled.allSatisfy { $0.verdict == .tooLittleData })
  }

  @Test("the bootstrap is seeded and is said by the method")
  func bootstrap() {
    let (a, b) = (Self.side("A", rounds: 6, from: 8), Self.side("B", rounds: 6, from: 9))
    let first = PairInference(a, b, method: .bootstrapT(seed: 3))
    #expect(first == PairInference(a, b, method: .bootstrapT(seed: 3)))
    #expect(first != PairInference(a, b, method: .welch))
  }
}
