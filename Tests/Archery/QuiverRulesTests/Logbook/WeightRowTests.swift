import Testing

@testable import QuiverRules

@Suite("Rows of the weight log", .timeLimit(.minutes(5)))
struct WeightRowTests {
  static func rows(_ entries: [WeighIn], unit: WeightUnit = .pound) -> [WeightRow] {
    WeightRow.all(of: entries, in: unit, average: .exponential(span: 7))
  }

  @Test(
    "A tenth is up or down, less is stable",
    arguments: [
      (170_000, 170_100, TrendDirection.up), (170_000, 170_099, .stable), (170_000, 169_900, .down),
      (170_000, 169_901, .stable), (170_000, 170_000, .stable),
    ] as [(Int64, Int64, TrendDirection)])
  func directions(_ before: Int64, _ after: Int64, _ direction: TrendDirection) {
    let rows = Self.rows([weighIn(day: 0, before), weighIn(day: 7, after)])
    #expect(rows[0].weeklyRate == nil && rows[0].direction == .stable)
    #expect(rows[1].weeklyRate?.thousandths == after - before)
    #expect(rows[1].direction == direction)
  }

  @Test(
    "The rate counts from the latest entry that is seven civil days older, of the latest instant")
  func weeklyRate() throws {
    let rows = Self.rows([
      weighIn(day: 0, 180_000), weighIn(day: 2, 181_000, instant: 1),
      weighIn(day: 2, 182_000, instant: 2), weighIn(day: 3, 183_000), weighIn(day: 9, 190_000),
      weighIn(day: 30, 193_000),
    ])
    let rate = try #require(rows[4].weeklyRate)
    #expect(rate.thousandths == 8_000 && rate.daysBetween == 7)
    #expect(rate.thousandthsPerSevenDays == 8_000)
    let late = try #require(rows[5].weeklyRate)
    #expect(late.thousandths == 3_000 && late.daysBetween == 21)
    #expect(late.thousandthsPerSevenDays == 1_000)
    #expect(rows[3].weeklyRate == nil)
  }

  @Test("Entries are converted first, and the arithmetic is done in the shown unit")
  func convertedFirst() {
    let entries = [weighIn(day: 0, 80_000, unit: .kilogram), weighIn(day: 7, 176_500)]
    let pounds = Self.rows(entries)
    #expect(pounds.map(\.thousandths) == [176_370, 176_500])
    #expect(pounds[1].direction == .up)
    // In kilograms the same two are 80.059 and 80.000, which is stable.
    let kilograms = Self.rows(entries, unit: .kilogram)
    #expect(kilograms.map(\.thousandths) == [80_000, 80_059])
    #expect(kilograms[1].direction == .stable)
  }

  @Test("Conversion is half to even, and a thousandth apart at most on the way back")
  func conversion() {
    // 1 lb is 0.45359237 kg; 500,000 thousandths are 226,796.185.
    #expect(BodyWeight(thousandths: 500_000, unit: .pound).thousandths(in: .kilogram) == 226_796)
    #expect(BodyWeight(thousandths: 1_000, unit: .pound).thousandths(in: .kilogram) == 454)
    #expect(BodyWeight(thousandths: 454, unit: .kilogram).thousandths(in: .pound) == 1_001)
    // 50,000,000 thousandths of a pound are 22,679,618.5 thousandths of a kilogram: a tie.
    let tie = BodyWeight(thousandths: 50_000_000, unit: .pound)
    #expect(tie.thousandths(in: .kilogram) == 22_679_618)
    let odd = BodyWeight(thousandths: 150_000_000, unit: .pound)
    #expect(odd.thousandths(in: .kilogram) == 68_038_856)
    #expect(
      BodyWeight(thousandths: -150_000_000, unit: .pound).thousandths(in: .kilogram) == -68_038_856)
    for kilograms in stride(from: Int64(500), through: 680_000, by: 7) {
      let pounds = BodyWeight(thousandths: kilograms, unit: .kilogram).thousandths(in: .pound)
      #expect(BodyWeight(thousandths: pounds, unit: .pound).thousandths(in: .kilogram) == kilograms)
    }
    #expect(BodyWeight(thousandths: .max, unit: .kilogram).thousandths(in: .pound) > 0)
  }

  @Test("Numbers are written with the digits they need, and read back")
  func numbers() {
    for (number, text) in [
      (170_000, "170"), (170_100, "170.1"), (170_010, "170.01"), (5, "0.005"), (0, "0"),
      (-1_500, "-1.5"),
    ] as [(Int64, String)] {
      #expect(BodyWeight.text(thousandths: number) == text)
      if number >= 0 { #expect(BodyWeight.thousandths(of: text) == number) }
    }
    for text in ["", ".", "1.", ".5", "1.2345", "1e3", "+1", "-1", "1 ", "1,5", "1234567890", "１"] {
      #expect(BodyWeight.thousandths(of: text) == nil, "\(text)")
    }
  }

  @Test("A start 16 spans back gives the average of the full fold to 1e-9 of the unit")
  func runIn() {
    var generator = SplitMix64(seed: 11)
    let entries = (0..<3_000).map { (index: Int) -> WeighIn in
      // Gaps of one to three days, and every possible weight: the worst start there is.
      let day = Int32(index * 2 + generator.index(below: 2))
      return weighIn(day: day, Int64(1_000 + generator.index(below: 1_499_001)))
    }
    let means = DailyMean.all(of: entries, in: .pound)
    let averages: [MovingAverage] = [
      .exponential(span: 2), .exponential(span: 7), .exponential(span: 90), .timeAware(span: 10),
      .timeAware(span: 90), .hackersDiet,
    ]
    for average in averages {
      let full = average.values(of: means)
      let shownCount = 20
      let tail = means.suffix(Int(average.runInCount) + shownCount)
      let values = average.values(of: Array(tail)).suffix(shownCount)
      for (left, right) in zip(values, full.suffix(shownCount)) {
        #expect(abs(left - right) < 1e-6, "\(average)")  // Thousandths: 1e-9 of the unit.
      }
    }
  }

  @Test("The time-aware average counts a gap as so many steps")
  func timeAware() {
    let near = MovingAverage.timeAware(span: 9).values(of: [
      DailyMean(day: 0, thousandths: 100), DailyMean(day: 1, thousandths: 200),
    ])
    #expect(abs(near[1] - 120) < 1e-9)
    let far = MovingAverage.timeAware(span: 9).values(of: [
      DailyMean(day: 0, thousandths: 100), DailyMean(day: 3, thousandths: 200),
    ])
    #expect(abs(far[1] - (100 + 100 * (1 - 0.8 * 0.8 * 0.8))) < 1e-9)
    #expect(MovingAverage.chartSpan == 10 && MovingAverage.exponential(span: 7).alpha == 0.25)
  }
}
