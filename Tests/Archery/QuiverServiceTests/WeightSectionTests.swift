import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverWire
import TestSupport
import Testing

@Suite("The weight log's months, chart and plan", .timeLimit(.minutes(5)))
struct WeightSectionTests {
  /// Weighs every second day for three years back from 2024-03-31, some days twice.
  static func fill(_ client: Client) async throws -> [WeighIn] {
    var csv = "date,weight,unit,note,body_fat\n"
    var entries: [WeighIn] = []
    var generator = SeededGenerator(seed: 3)
    for index in 0..<550 {
      let day = Int32(19_813 - (549 - index) * 2)
      let count = index % 9 == 0 ? 2 : 1
      for ordinal in 0..<count {
        let thousandths = Int64(79_000 + generator.next() % 4_000)
        let note = index % 5 == 0 && ordinal == 0 ? "n" : ""
        let text = BodyWeight.text(thousandths: thousandths)
        csv += "\(CivilDate(dayNumber: day).text),\(text),kg,\(note),\n"
        entries.append(
          WeighIn(
            id: Int64(entries.count + 1), day: day, instantMilliseconds: Int64(ordinal),
            weight: BodyWeight(thousandths: thousandths, unit: .kilogram), hasNote: !note.isEmpty))
      }
    }
    _ = try await client.call(Logbook.importWeights, .with { $0.csv = Array(csv.utf8) })
    return entries
  }

  static func sections(
    _ client: Client, _ change: (inout GetWeightSectionsRequest) -> Void
  ) async throws -> [QuiverAPI.WeightSection] {
    var request = GetWeightSectionsRequest()
    change(&request)
    var found: [QuiverAPI.WeightSection] = []
    repeat {
      let page = try await client.call(Logbook.getWeightSections, request)
      found += page.sections
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  @Test(
    "Pages of months have the values that the rules compute over all entries, to 1e-9 of the unit"
  )
  func asTheRules() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let entries = try await Self.fill(client)
      let rows = WeightRow.all(of: entries, in: .pound, average: .exponential(span: 7))
      let filters: [(WeightFilter, (inout WeightLogFilter) -> Void)] = [
        (WeightFilter(), { _ in }),
        (WeightFilter(withNotes: true), { $0.withNotes = true }),
        (
          WeightFilter(withNotes: true, weekdays: [1, 7]),
          { ($0.withNotes, $0.weekdays) = (true, [7, 1]) }
        ),
      ]
      for (filter, change) in filters {
        let expected = QuiverRules.WeightSection.all(of: rows, filter)
        let found = try await Self.sections(client) {
          $0.unit = .pound
          $0.pageSize = 5
          var filter = WeightLogFilter()
          change(&filter)
          $0.filter = filter
        }
        #expect(
          found.map { [$0.year, $0.month] } == expected.map { [$0.month.year, $0.month.month] })
        let shown = found.flatMap(\.rows)
        let wanted = expected.flatMap(\.rows)
        #expect(shown.map { $0.entry?.id } == wanted.map(\.entry.id))
        for (row, wanted) in zip(shown, wanted) {
          #expect(abs(row.movingAverageThousandths - wanted.movingAverage) < 1e-6)
          #expect(row.thousandths == wanted.thousandths && row.weekday == wanted.weekday)
          #expect(row.weeklyRate?.thousandths == wanted.weeklyRate?.thousandths)
          #expect(row.weeklyRate?.daysBetween == wanted.weeklyRate?.daysBetween)
          #expect(row.direction.rawValue == wanted.direction.rawValue)
          #expect(row.hasNote == wanted.entry.hasNote)
        }
      }
    }
  }

  @Test("One month has the same values as in the whole log; an empty reply states the reason")
  func oneMonth() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let nothing = try await client.call(
        Logbook.getWeightSections, GetWeightSectionsRequest())
      #expect(nothing.sections.isEmpty && nothing.empty == .noEntries)
      _ = try await Self.fill(client)
      let all = try await Self.sections(client) { $0.span = 90 }
      for index in [0, 7, all.count - 1] {
        let one = try await client.call(
          Logbook.getWeightSections,
          .with {
            $0.span = 90
            $0.year = all[index].year
            $0.month = all[index].month
          })
        #expect(one.sections == [all[index]] && one.empty == .unspecified)
      }
      let none = try await client.call(
        Logbook.getWeightSections,
        .with {
          $0.year = 1999
          $0.month = 12
        })
      #expect(none.sections.isEmpty && none.empty == .nothingMatches)
      #expect(none.unit == .pound)
    }
  }

  @Test("Pages of chart points join to one fold, for each method")
  func chart() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let entries = try await Self.fill(client)
      for (method, average) in [
        (TrendMethod.unspecified, MovingAverage.exponential(span: 10)),
        (.timeAware, .timeAware(span: 10)), (.hackersDiet, .hackersDiet),
      ] {
        let expected = WeightChartPoint.all(of: entries, in: .kilogram, average)
          .filter { (19_000...19_800).contains($0.day) }
        var request = GetWeightChartRequest()
        request.unit = .kilogram
        request.method = method
        request.fromDay = 19_000
        request.toDay = 19_800
        request.pageSize = 100
        var points: [WeightPoint] = []
        repeat {
          let page = try await client.call(Logbook.getWeightChart, request)
          points += page.points
          request.pageToken = page.nextPageToken
        } while !request.pageToken.isEmpty
        #expect(points.map(\.day) == expected.map(\.day))
        for (point, expected) in zip(points, expected) {
          #expect(abs(point.meanThousandths - expected.mean) < 1e-9)
          #expect(abs(point.averageThousandths - expected.average) < 1e-6)
        }
      }
    }
  }

  @Test("The plan has its milestones, their entries, the next one and the goal's expected date")
  func plan() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let missing = await client.refusal(Logbook.getMilestones, GetMilestonesRequest())
      #expect(missing?.code == .notFound)
      let unplanned = await client.refusal(
        Logbook.getWeightSections, .with { $0.filter = .with { $0.milestones = true } })
      #expect(unplanned?.code == .failedPrecondition)
      var plan = WeightPlan()
      plan.unit = .pound
      plan.startThousandths = 175_000
      plan.goalThousandths = 160_000
      plan.stepThousandths = 5_000
      plan.startDay = 19_801
      let set = try await client.call(Logbook.setWeightPlan, .with { $0.plan = plan })
      #expect(set.revision == 1)
      for (index, weight) in [
        170_000, 173_000, 172_500, 172_000, 171_500, 171_000, 170_500, 170_000,
      ]
      .enumerated() {
        _ = try await client.call(
          Logbook.createWeightEntry,
          WeightServiceTests.entry(Int32(19_800 + index), Int64(weight)))
      }
      let found = try await client.call(Logbook.getMilestones, GetMilestonesRequest())
      #expect(found.milestones.map(\.thousandths) == [170_000, 165_000, 160_000])
      #expect(found.milestones.map { $0.entry?.day } == [19_807, nil, nil])
      #expect(found.nextThousandths == 165_000)
      let means = [170_000, 173_000, 172_500, 172_000, 171_500, 171_000, 170_500, 170_000]
        .enumerated().map { DailyMean(day: Int32(19_800 + $0), thousandths: Double($1)) }
      let expected = GoalPrediction(
        means,
        plan: MilestonePlan(
          unit: .pound, startThousandths: 175_000, goalThousandths: 160_000,
          stepThousandths: 5_000, startDay: 19_801))
      switch expected {
      case .reached(let day): #expect(found.predictedDay == day)
      case .none(let reason):
        #expect(found.predictedDay == nil && found.noPrediction.rawValue == reason.rawValue)
      }
      let rows = try await Self.sections(client) { $0.filter = .with { $0.milestones = true } }
      #expect(rows.flatMap(\.rows).map { $0.entry?.day } == [19_807])

      plan.goalThousandths = 150_000
      let stale = await client.refusal(Logbook.setWeightPlan, .with { $0.plan = plan })
      #expect(stale?.code == .aborted)
      plan.revision = 1
      plan.stepThousandths = 1
      let bad = try #require(await client.refusal(Logbook.setWeightPlan, .with { $0.plan = plan }))
      #expect(bad.code == .invalidArgument && bad.message.hasPrefix("plan.step_thousandths:"))
      _ = try await client.call(Logbook.deleteWeightPlan, DeleteWeightPlanRequest())
      _ = try await client.call(Logbook.deleteWeightPlan, DeleteWeightPlanRequest())
      #expect(
        await client.refusal(Logbook.getWeightPlan, GetWeightPlanRequest())?.code == .notFound)
    }
  }

  @Test("A request that is not valid fails with the name of its field")
  func badRequests() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let cases: [(String, (inout GetWeightSectionsRequest) -> Void)] = [
        ("span: ", { $0.span = 1 }), ("span: ", { $0.span = 91 }),
        ("unit: ", { $0.unit = WeightUnit(rawValue: 9) }), ("month: ", { $0.year = 2024 }),
        ("year: ", { $0.month = 2 }), ("month: ", { ($0.year, $0.month) = (2024, 13) }),
        ("year: ", { ($0.year, $0.month) = (-1, 1) }),
        ("filter.weekdays[1]: ", { $0.filter = .with { $0.weekdays = [1, 8] } }),
        ("page_token: ", { $0.pageToken = "AAAA" }),
      ]
      for (prefix, change) in cases {
        let refusal = await client.refusal(Logbook.getWeightSections, .with(change))
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.message.hasPrefix(prefix) == true, "\(refusal?.message ?? "none")")
      }
      let chart = await client.refusal(
        Logbook.getWeightChart,
        .with {
          $0.fromDay = 2
          $0.toDay = 1
        })
      #expect(chart?.message.hasPrefix("to_day: ") == true)
      let diet = await client.refusal(
        Logbook.getWeightChart,
        .with {
          $0.method = .hackersDiet
          $0.span = 7
        })
      #expect(diet?.message.hasPrefix("span: ") == true)
    }
  }
}
