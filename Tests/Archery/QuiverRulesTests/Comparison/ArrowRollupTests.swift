import Testing

@testable import QuiverRules

@Suite(.timeLimit(.minutes(5))) struct ArrowRollupTests {
  private static func shot(_ generator: inout SplitMix64) -> ShotRecord {
    let value = generator.index(below: 12)
    let hasPosition = generator.index(below: 4) > 0
    func coordinate() -> Double { Double(generator.index(below: 2_001) - 1_000) / 997 }
    return ShotRecord(
      value: value, isX: value == 10 && generator.index(below: 2) == 0,
      position: hasPosition ? ShotPoint(x: coordinate(), y: coordinate()) : nil,
      scoredAt: Int64(generator.index(below: 50)))
  }

  @Test("a rollup of a few arrows counts and sums them")
  func counts() {
    let rollup = ArrowRollup([
      ShotRecord(value: 10, isX: true, position: ShotPoint(x: 0.5, y: -0.25), scoredAt: 7),
      ShotRecord(value: 11, scoredAt: 5), ShotRecord(value: 0, scoredAt: 9),
      ShotRecord(value: 9, position: ShotPoint(x: 0.5, y: 0.75), scoredAt: 6),
    ])
    #expect(rollup.arrowCount == 4 && rollup.score == 30)
    #expect(rollup.tenCount == 1 && rollup.xCount == 1 && rollup.missCount == 1)
    #expect(rollup.count(from: 9) == 3 && rollup.count(from: 11) == 1)
    #expect(rollup.firstShotAt == 5 && rollup.lastShotAt == 9)
    #expect(rollup.positions.centroid == ShotPoint(x: 0.5, y: 0.25))
    #expect(rollup.positions.xy == 0.25)
  }

  @Test("adding, correcting, taking back and merging in any order agree with a full fold")
  func agrees() {
    let seed: UInt64 = 7_001
    var generator = SplitMix64(seed: seed)
    for round in 0..<200 {
      var shots: [ShotRecord] = []
      var halves = [ArrowRollup(), ArrowRollup()]
      var parts: [[ShotRecord]] = [[], []]
      for _ in 0..<40 {
        let side = generator.index(below: 2)
        let index = parts[side].isEmpty ? 0 : generator.index(below: parts[side].count)
        var isKnown = true
        switch generator.index(below: 5) {
        case 0 where !parts[side].isEmpty:
          isKnown = halves[side].remove(parts[side].remove(at: index))
        case 1 where !parts[side].isEmpty:
          let shot = Self.shot(&generator)
          isKnown = halves[side].correct(parts[side][index], to: shot)
          parts[side][index] = shot
        default:
          let shot = Self.shot(&generator)
          halves[side].add(shot)
          parts[side].append(shot)
        }
        if !isKnown { halves[side] = ArrowRollup(parts[side]) }
        #expect(
          halves[side].agrees(with: ArrowRollup(parts[side])), "seed \(seed), round \(round)")
      }
      shots = parts[0] + parts[1]
      var merged = halves[0]
      merged.merge(halves[1])
      #expect(merged.agrees(with: ArrowRollup(shots)), "seed \(seed), round \(round)")
    }
  }

  @Test("a rollup that differs in anything does not agree")
  func disagrees() {
    let shot = ShotRecord(value: 9, position: ShotPoint(x: 0.1, y: 0.2), scoredAt: 4)
    let rollup = ArrowRollup([shot])
    let others = [
      ArrowRollup(), ArrowRollup([ShotRecord(value: 8, position: shot.position, scoredAt: 4)]),
      ArrowRollup([ShotRecord(value: 9, scoredAt: 4)]),
      ArrowRollup([ShotRecord(value: 9, position: shot.position, scoredAt: 5)]),
      ArrowRollup([ShotRecord(value: 9, position: ShotPoint(x: 0.1, y: 0.21), scoredAt: 4)]),
      ArrowRollup([ShotRecord(value: 9, isX: true, position: shot.position, scoredAt: 4)]),
    ]
    for other in others { #expect(!rollup.agrees(with: other)) }
    #expect(rollup.agrees(with: rollup))
  }

  @Test("a kept histogram of another length is filled up or cut")
  func kept() {
    let kept = ArrowRollup(
      histogram: [1, 2], xCount: 0, positions: PositionSums(), firstShotAt: 1, lastShotAt: 2)
    #expect(kept.histogram.count == 12 && kept.arrowCount == 3)
    let long = ArrowRollup(
      histogram: Array(repeating: 1, count: 20), xCount: 0, positions: PositionSums(),
      firstShotAt: 1, lastShotAt: 2)
    #expect(long.arrowCount == 12)
  }
}
