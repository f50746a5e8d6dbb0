import Testing

@testable import QuiverRules

@Suite("When a goal will be reached", .timeLimit(.minutes(5)))
struct GoalPredictionTests {
  static func means(_ thousandths: [Double]) -> [DailyMean] {
    thousandths.enumerated().map { DailyMean(day: Int32($0), thousandths: $1) }
  }

  static func prediction(
    _ thousandths: [Double], start: Int64 = 200_000, goal: Int64 = 160_000
  ) -> GoalPrediction {
    GoalPrediction(
      means(thousandths),
      plan: MilestonePlan(
        unit: .pound, startThousandths: start, goalThousandths: goal, stepThousandths: 5_000,
        startDay: 0))
  }

  static func line(from first: Double, by step: Double, count: Int = 7) -> [Double] {
    (0..<count).map { first + step * Double($0) }
  }

  @Test("A straight line is followed to the day, rounded up")
  func straight() {
    // 170 lb on day 6, half a pound a day.
    #expect(Self.prediction(Self.line(from: 173_000, by: -500)) == .reached(onDay: 26))
    #expect(
      Self.prediction(Self.line(from: 173_000, by: -500), goal: 160_100) == .reached(onDay: 26))
    #expect(
      Self.prediction(Self.line(from: 173_000, by: -500), goal: 159_999) == .reached(onDay: 27))
    #expect(
      Self.prediction(Self.line(from: 140_000, by: 100), start: 130_000, goal: 141_000)
        == .reached(onDay: 10))
  }

  @Test("Where no day can be told, the reason is")
  func reasons() {
    let line = Self.line(from: 173_000, by: -500)
    #expect(Self.prediction(Array(line.prefix(6))) == .none(.tooFewDays))
    #expect(Self.prediction([]) == .none(.tooFewDays))
    #expect(Self.prediction(Self.line(from: 173_000, by: 0)) == .none(.flat))
    #expect(Self.prediction(Self.line(from: 173_000, by: 10)) == .none(.pointsAway))
    #expect(Self.prediction(line, goal: 171_000) == .none(.goalPassed))
    #expect(Self.prediction(line, goal: 170_000) == .none(.goalPassed))
    #expect(Self.prediction(line, start: 160_000, goal: 165_000) == .none(.goalPassed))
  }

  @Test("730 days off is told, 731 is not")
  func horizon() {
    let line = Self.line(from: 500_600, by: -100)
    #expect(
      Self.prediction(line, start: 600_000, goal: 500_000 - 73_000) == .reached(onDay: 736))
    #expect(
      Self.prediction(line, start: 600_000, goal: 500_000 - 73_001) == .none(.tooFarOff))
  }

  @Test("A last weighing at the goal has passed it, though the level has not")
  func lastMean() {
    let means = Self.line(from: 173_000, by: -500, count: 7) + [160_000]
    #expect(Self.prediction(means) == .none(.goalPassed))
  }
}
