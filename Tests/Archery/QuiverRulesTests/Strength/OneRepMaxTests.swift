import Testing

@testable import QuiverRules

@Suite("One-rep maxima", .timeLimit(.minutes(5)))
struct OneRepMaxTests {
  @Test("Brzycki's values agree with the published ones to 1e-9")
  func published() throws {
    let table = try LogbookFixtures.table("onerepmax_vectors.csv")
    #expect(table.count == 7)
    for line in table {
      let weight = try #require(Double(line[0]))
      let repetitions = try #require(Int32(line[1]))
      let expected = try #require(Double(line[2]))
      // They were computed as w * (36 / (37 - r)), which rounds otherwise in the last digit.
      let value = try #require(
        OneRepMaxFormula.brzycki.value(weight: weight, repetitions: repetitions))
      #expect(abs(value - expected) < 1e-9)
      #expect(value == weight * 36 / Double(37 - repetitions))
    }
  }

  @Test("Epley's and Lombardi's stand beside it")
  func others() throws {
    #expect(OneRepMaxFormula.epley.value(weight: 150, repetitions: 6) == 180)
    let lombardi = try #require(OneRepMaxFormula.lombardi.value(weight: 100, repetitions: 10))
    #expect(abs(lombardi - 125.89254117941673) < 1e-9)
  }

  @Test("36 repetitions have one, 37 none; above 12 it is of low confidence")
  func bounds() throws {
    for formula in OneRepMaxFormula.allCases {
      #expect(formula.value(weight: 100, repetitions: 36) != nil)
      for repetitions in [Int32.min, -1, 0, 37, 1_000, .max] {
        #expect(formula.value(weight: 100, repetitions: repetitions) == nil)
      }
    }
    let sets = try [12, 13].map {
      try LiftLineReaderTests.set(0, "x", reps: $0, weight: 100)
    }
    #expect(sets.map(\.isLowConfidence) == [false, true])
  }
}

@Suite("Daily maxima of an exercise", .timeLimit(.minutes(5)))
struct LiftSeriesTests {
  static func series(_ sets: [(day: Int32, reps: Int32, weight: Double)]) throws -> LiftSeries {
    LiftSeries(
      try sets.map { try LiftLineReaderTests.set($0.day, "x", reps: $0.reps, weight: $0.weight) },
      in: .pound)
  }

  @Test("The largest of a day counts, the first of them where they tie")
  func dailyMaximum() throws {
    let series = try Self.series([
      (5, 1, 100), (5, 1, 120), (5, 10, 90), (5, 1, 120), (4, 37, 500), (3, 19, 60),
    ])
    #expect(series.days.map(\.day) == [3, 5])
    // 90 * 36 / 27 is 120 too, and came before the second 120 but after the first.
    #expect(series.days[1].oneRepMax == 120 && series.days[1].set.repetitions == 1)
    #expect(series.days[0].oneRepMax == 120)
    #expect(series.record?.day == 3 && series.latest?.day == 5)
  }

  @Test("Low confidence is left out only where that is asked for")
  func lowConfidence() throws {
    let sets = try [(Int32(13), 90.0), (Int32(1), 100.0)].map {
      try LiftLineReaderTests.set(0, "x", reps: $0, weight: $1)
    }
    #expect(LiftSeries(sets, in: .pound).latest?.set.repetitions == 13)
    let confident = LiftSeries(sets, in: .pound, leavesOutLowConfidence: true)
    #expect(confident.latest?.set.repetitions == 1)
  }

  @Test("31 and 93 count daily maxima, not days of the calendar")
  func windows() throws {
    let series = try Self.series((0..<100).map { (Int32($0 * 10), 1, 100) })
    #expect(series.last(31).count == 31 && series.last(31).first?.day == 690)
    #expect(series.last(93).count == 93 && series.last(500).count == 100)
    #expect(series.last(0).isEmpty && series.last(-1).isEmpty)
    // Days back count the latest as the first of them.
    #expect(series.last(days: 31).map(\.day) == [960, 970, 980, 990])
    #expect(series.last(days: 30).map(\.day) == [970, 980, 990])
    #expect(series.last(days: .max).count == 100)
  }

  @Test("The nearest day is the earlier one at the midpoint")
  func nearest() throws {
    let series = try Self.series([(0, 1, 1), (10, 1, 1), (20, 1, 1)])
    for (day, expected) in [
      (-100, 0), (4, 0), (5, 0), (6, 10), (15, 10), (16, 20), (.max, 20), (.min, 0),
    ] as [(Int32, Int32)] {
      #expect(series.nearest(to: day)?.day == expected)
    }
    #expect(LiftSeries(days: []).nearest(to: 0) == nil)
  }

  @Test("Pounds and kilograms are compared in the shown unit")
  func units() throws {
    let sets = try [
      LiftLineReaderTests.set(0, "x", reps: 1, weight: 100, unit: .kilogram),
      LiftLineReaderTests.set(0, "x", reps: 1, weight: 220, unit: .pound),
    ]
    let series = LiftSeries(sets, in: .kilogram)
    #expect(series.latest?.oneRepMax == 100)
    let pounds = try #require(LiftSeries(sets, in: .pound).latest?.oneRepMax)
    #expect(abs(pounds - 220.46226218487757) < 1e-9)
  }
}
