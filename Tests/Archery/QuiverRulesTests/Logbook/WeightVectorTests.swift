import Testing

@testable import QuiverRules

@Suite("Weights as others have worked them out", .timeLimit(.minutes(5)))
struct WeightVectorTests {
  @Test("Exponential averages agree with W8Trackr's to 1e-9 of the unit")
  func averages() throws {
    let vectors = try LogbookFixtures.json("w8trackr_vectors.json")
    let cases = try #require(vectors["ewma"] as? [[String: Any]])
    #expect(cases.count == 6)
    for vector in cases {
      let alpha = try #require(vector["lam"] as? Double)
      let weights = try #require(vector["w"] as? [Double])
      let expected = try #require(vector["t"] as? [Double])
      let days = vector["days"] as? [Int] ?? Array(weights.indices)
      let means = zip(days, weights).map {
        DailyMean(day: Int32($0), thousandths: $1 * 1_000)
      }
      let averages = MovingAverage.fold(means) { _ in alpha }
      for (average, expected) in zip(averages, expected) {
        #expect(abs(average / 1_000 - expected) < 1e-9)
      }
      #expect(averages.count == expected.count)
    }
  }

  @Test("Entries of one day are averaged before the trend goes on")
  func sameDay() throws {
    let vectors = try LogbookFixtures.json("w8trackr_vectors.json")
    let vector = try #require(vectors["ema_same_day"] as? [String: Any])
    let expected = try #require(vector["daily_raw"] as? [Double])
    let entries = [
      weighIn(day: 0, 175_000), weighIn(day: 1, 180_000, instant: 1),
      weighIn(day: 1, 182_000, instant: 2),
    ]
    let means = DailyMean.all(of: entries, in: .pound)
    #expect(means.map { $0.thousandths / 1_000 } == expected)
    let rows = WeightRow.all(of: entries, in: .pound, average: .exponential(span: 7))
    #expect(rows.map(\.movingAverage) == [175_000, 176_500, 176_500])
  }

  @Test("Holt's level and trend agree with W8Trackr's")
  func holt() throws {
    let vectors = try LogbookFixtures.json("w8trackr_vectors.json")
    let vector = try #require(vectors["holt"] as? [String: Any])
    let weights = try #require(vector["w"] as? [Double])
    #expect(vector["alpha"] as? Double == HoltForecast.levelWeight)
    #expect(vector["beta"] as? Double == HoltForecast.trendWeight)
    let means = weights.enumerated().map {
      DailyMean(day: Int32($0), thousandths: $1 * 1_000)
    }
    let forecast = try #require(HoltForecast(means))
    for (value, name) in [
      (forecast.level, "level"), (forecast.trend, "trend"),
      (forecast.value(afterDays: 1), "forecast1"),
    ] {
      let expected = try #require(vector[name] as? Double)
      #expect(abs(value / 1_000 - expected) < 1e-9)
    }
  }

  @Test("Directions agree with W8Trackr's")
  func directions() throws {
    let vectors = try LogbookFixtures.json("w8trackr_vectors.json")
    let cases = try #require(vectors["direction"] as? [[Any]])
    #expect(cases.count == 7)
    for vector in cases {
      let difference = vector[0] as? Double ?? 0
      let expected: TrendDirection =
        switch vector[1] as? String {
        case "up": .up
        case "down": .down
        default: .stable
        }
      #expect(
        TrendDirection(thousandths: Int64((difference * 1_000).rounded())) == expected)
    }
  }

  @Test("Milestones agree with W8Trackr's")
  func milestones() throws {
    let vectors = try LogbookFixtures.json("w8trackr_vectors.json")
    let cases = try #require(vectors["milestones"] as? [[String: Any]])
    #expect(cases.count == 5)
    for vector in cases {
      let numbers = try ["start", "goal", "step"].map {
        Int64(try #require(vector[$0] as? Double) * 1_000)
      }
      let unit = try #require(WeightUnit(symbol: vector["unit"] as? String ?? ""))
      let plan = try MilestonePlan(
        unit: unit, startThousandths: numbers[0], goalThousandths: numbers[1],
        stepThousandths: numbers[2], startDay: 0
      ).validated(prefix: "plan")
      let milestones = plan.milestones.map { Double($0) / 1_000 }
      if let expected = vector["out"] as? [Double] { #expect(milestones == expected) }
      if let last = vector["last"] as? Double { #expect(milestones.last == last) }
    }
  }

  @Test("The trend of The Hacker's Diet comes out as printed, to the tenth that it rounds to")
  func hackersDiet() throws {
    let table = try LogbookFixtures.table("hackers_diet_trend.csv")
    var trend = try #require(Double(table[0][2]))
    for line in table.dropFirst() {
      let date = try #require(CivilDate(text: line[0]))
      let weight = try #require(Double(line[1]))
      let published = try #require(Double(line[2]))
      let means = [
        DailyMean(day: date.dayNumber - 1, thousandths: trend * 1_000),
        DailyMean(day: date.dayNumber, thousandths: weight * 1_000),
      ]
      let value = try #require(MovingAverage.hackersDiet.values(of: means).last)
      // The book rounds at each step, so that each step begins at its printed number.
      #expect(abs(value / 1_000 - published) <= 0.05 + 1e-9)
      trend = published
    }
    #expect(table.count == 5)
  }
}
