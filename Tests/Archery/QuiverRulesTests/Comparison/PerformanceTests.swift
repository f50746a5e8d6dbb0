import Testing

@testable import QuiverRules

@Suite(.timeLimit(.minutes(5))) struct PerformanceTests {
  static let indoor = Stratum(distance: 18, unit: .metre, face: 2, diameterCM: 40)
  static let outdoor = Stratum(distance: 70, unit: .metre, face: 2, diameterCM: 122)
  static let tens = ValueFloors(top: 10, second: 9)

  static func part(
    _ values: [Int], _ stratum: Stratum = indoor, floors: ValueFloors = tens, at start: Int64 = 0,
    x: Int = 0, position: ShotPoint? = nil
  ) -> RoundPart {
    let shots = values.enumerated().map { index, value in
      ShotRecord(
        value: value, isX: index < x, position: position, scoredAt: start + Int64(index))
    }
    return RoundPart(stratum: stratum, floors: floors, rollup: ArrowRollup(shots))
  }

  @Test("the statistics of a setup over its arrows")
  func statistics() {
    let performance = Performance([
      ComparedRound(parts: [
        Self.part([10, 10, 9, 0], at: 100, x: 1), Self.part([8, 7], Self.outdoor, at: 200),
      ]),
      ComparedRound(parts: [Self.part([10, 9], at: 50)]),
      ComparedRound(parts: [Self.part([])]),
    ])
    #expect(performance.counts.arrows == 8 && performance.counts.score == 63)
    #expect(performance.counts.averageScore == 63.0 / 8)
    #expect(performance.counts.accuracy == 37.5 && performance.counts.consistency == 62.5)
    #expect(performance.counts.x == 1 && performance.counts.tens == 3)
    #expect(performance.counts.misses == 1)
    #expect(performance.roundCount == 2 && performance.averageRoundScore == 31.5)
    #expect(performance.firstShotAt == 50 && performance.lastShotAt == 201)
    #expect(performance.strata == [Self.indoor, Self.outdoor])
    #expect(performance.positions.isEmpty)
  }

  @Test("nothing shot gives zeros and no data")
  func nothing() {
    let performance = Performance([])
    #expect(!performance.hasData && performance.counts.averageScore == 0)
    #expect(performance.counts.accuracy == 0 && performance.averageRoundScore == 0)
    #expect(performance.firstShotAt == nil && performance.strata.isEmpty)
    #expect(PairDeltas(performance, performance) == nil)
  }

  @Test(
    "what counts as accurate and as consistent follows the face",
    arguments: [
      (ValueFloors(top: 10, second: 9), 10, 9), (ValueFloors(top: 11, second: 10), 10, 9),
      (ValueFloors(top: 9, second: 7), 9, 7), (ValueFloors(top: 6, second: 5), 6, 5),
      (ValueFloors(top: 1, second: 1), 1, 1),
    ])
  func floors(floors: ValueFloors, accurate: Int, consistent: Int) {
    #expect(floors.accurate == accurate && floors.consistent == consistent)
    let counts = ShotCounts([Self.part([accurate, consistent, 0], floors: floors)])
    #expect(counts.accurate == (accurate == consistent ? 2 : 1) && counts.consistent == 2)
  }

  @Test("an 11 is accurate but no ten")
  func eleven() {
    let counts = ShotCounts([Self.part([11, 10], floors: ValueFloors(top: 11, second: 10))])
    #expect(counts.accurate == 2 && counts.tens == 1 && counts.score == 21)
  }

  @Test("drift and groups keep faces of different diameters apart")
  func faces() throws {
    let performance = Performance([
      ComparedRound(parts: [
        Self.part([9, 9], position: ShotPoint(x: 0.1, y: 0)),
        Self.part([9], Self.outdoor, position: ShotPoint(x: -0.3, y: 0.2)), Self.part([9]),
      ])
    ])
    #expect(performance.positions.map(\.diameterCM) == [40, 122])
    #expect(performance.positions[0].drift == ShotPoint(x: 0.1, y: 0))
    #expect(performance.positions[0].sums.count == 2 && performance.positions[0].group != nil)
    #expect(performance.positions[1].drift == ShotPoint(x: -0.3, y: 0.2))
    #expect(performance.positions[1].group == nil)
  }

  @Test("strata are sorted by metres, then by diameter and face")
  func strata() {
    let yards = Stratum(distance: 20, unit: .yard, face: 2, diameterCM: 40)
    let larger = Stratum(distance: 18, unit: .metre, face: 2, diameterCM: 60)
    #expect(
      [Self.outdoor, yards, larger, Self.indoor].sorted() == [
        Self.indoor, larger, yards, Self.outdoor,
      ])
  }
}
