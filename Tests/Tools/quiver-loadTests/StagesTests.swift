import QuiverRules
import Testing

@testable import quiver_load

@Suite("Stages", .timeLimit(.minutes(5)))
struct StagesTests {
  private let stages = [
    Stage(name: "", shape: .ramp, seconds: 10, level: 1, steps: 4),
    Stage(name: "", shape: .hold, seconds: 10, level: 0.5, steps: 4),
    Stage(name: "", shape: .spike, seconds: 2, level: 3, steps: 4),
    Stage(name: "", shape: .step, seconds: 8, level: 1, steps: 2),
    Stage(name: "", shape: .soak, seconds: 5, level: 0.2, steps: 4),
  ]

  @Test(
    "The level goes as they say, and is 0 behind them",
    arguments: [
      (0.0, 0.0), (5, 0.5), (9.99, 0.999), (10, 0.5), (19.9, 0.5), (20, 3), (21.9, 3), (22, 0.75),
      (25.9, 0.75), (26, 1), (29.9, 1), (30, 0.2), (34.9, 0.2), (35, 0),
    ])
  func level(time: Double, level: Double) {
    #expect(abs(LevelCurve(stages).level(at: time) - level) < 1e-9)
  }

  @Test("The highest level and the length are known beforehand")
  func bounds() {
    let curve = LevelCurve(stages)
    #expect(curve.highest == 3 && curve.seconds == 35)
  }

  @Test("Calls come as often as the level wants", arguments: Arrivals.Shape.allCases)
  func arrivals(shape: Arrivals.Shape) {
    var arrivals = CurvedArrivals(LevelCurve(stages), rate: 1_000, shape, seed: 3)
    var counts = [0, 0, 0, 0, 0]
    var before = 0.0
    while arrivals.next.isFinite {
      let time = arrivals.next
      #expect(time >= before)
      before = time
      counts[[10, 20, 22, 30, 35].firstIndex { time < $0 } ?? 4] += 1
      arrivals.advance()
    }
    for (count, wanted) in zip(counts, [5_000, 5_000, 6_000, 7_000, 1_000]) {
      // Four standard errors of a Poisson count.
      #expect(
        abs(Double(count - wanted)) <= (shape == .constant ? 12 : 4 * Double(wanted).squareRoot()))
    }
  }

  @Test("A role at rest for the whole run sends nothing")
  func nothing() {
    let curve = LevelCurve([Stage(name: "", shape: .hold, seconds: 1, level: 0, steps: 1)])
    #expect(CurvedArrivals(curve, rate: 1_000, .constant, seed: 1).next == .infinity)
  }

  @Test("A pause keeps to its bounds", arguments: 1...5 as ClosedRange<UInt64>)
  func thinkTime(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var sum = 0.0
    for _ in 0..<2_000 {
      #expect((1.0...2.0).contains(ThinkTime.uniform(1, 2).seconds(&random)), "seed \(seed)")
      let seconds = ThinkTime.exponential(0.5).seconds(&random)
      #expect((0.0...5.0).contains(seconds), "seed \(seed)")
      sum += seconds
    }
    #expect(abs(sum / 2_000 - 0.5) < 0.05, "seed \(seed)")
    #expect(ThinkTime.constant(3).seconds(&random) == 3)
  }
}
