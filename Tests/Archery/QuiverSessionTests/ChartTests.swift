import ProtobufFixtures
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import TestSupport
import Testing

@testable import QuiverSession

@MainActor
@Suite("Charts as data, and the training log", .timeLimit(.minutes(5)))
struct ChartTests {
  @Test(
    "An axis of numbers has two to eight ticks in order, and contains all values",
    arguments: TestSeed.seeds(20))
  func numbers(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let scales: [Double] = [0.001, 0.1, 1, 30, 1_000, 100_000]
      let scale = scales.randomElement(using: &generator) ?? 1
      let count = Int.random(in: 0...5, using: &generator)
      let values = (0..<count).map { _ in Double.random(in: -scale...scale, using: &generator) }
      let axis = Chart.Axis("Values", .kilogram, values: values)
      #expect((2...8).contains(axis.ticks.count), "seed \(seed): \(values)")
      #expect(zip(axis.ticks, axis.ticks.dropFirst()).allSatisfy { $0.value < $1.value })
      #expect(Set(axis.ticks.map(\.label)).count == axis.ticks.count, "seed \(seed): \(values)")
      #expect((values + axis.ticks.map(\.value)).allSatisfy { axis.domain.contains($0) })
    }
  }

  @Test("Labels of an axis are multiples of 1, 2 or 5 without rounding errors")
  func labels() {
    #expect(
      Chart.Axis("", .kilogram, values: [0.1, 0.35]).ticks.map(\.label)
        == ["0.1", "0.15", "0.2", "0.25", "0.3", "0.35"])
    #expect(Chart.Axis("", .kilogram, values: [72]).ticks.map(\.label) == ["72", "74"])
    #expect(
      Chart.Axis("", .handicap, values: [-12, 63]).ticks.map(\.label)
        == ["-20", "0", "20", "40", "60", "80"])
  }

  @Test(
    "An axis of days has one to eight ticks, at days, months or years",
    arguments: [
      (0, 0, "1970-01-01"), (19_782, 19_788, "2024-02-29"), (19_782, 19_872, "2024-02-29"),
      (19_782, 20_100, "2024-03-01"), (0, 20_000, "1970-01-01"),
      (-719_162, 2_932_896, "2000-01-01"),
    ])
  func days(_ first: Int32, _ last: Int32, _ label: String) {
    let axis = Chart.Axis(days: first...last)
    #expect((1...8).contains(axis.ticks.count) && axis.ticks.first?.label == label)
    #expect(axis.ticks.allSatisfy { axis.domain.contains($0.value) })
    #expect(axis.domain == Double(first)...Double(last) && axis.unit == .day)
  }

  @Test("The weight chart has the server's points, the goal and the forecast, also offline")
  func weights() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let model = WeightChartModel(session)
      try await model.load()
      #expect(model.chart.isEmpty)
      transport.disconnect()
      for index in 0..<30 {
        try await session.create(
          LogbookModelTests.entry(19_782 + Int32(index), 180_000 - Int64(index) * 300))
      }
      try await session.setWeightPlan(WeightPlanModelTests.plan())
      await model.refresh()
      let chart = model.chart
      #expect(chart.series.map(\.label) == ["Weight", "Trend", "Forecast", "Goal"])
      #expect(chart.series.map(\.style) == [.scatter, .line, .forecast, .threshold])
      #expect(chart.x.unit == .day && chart.y.unit == .pound && chart.y.label == "Body weight")
      #expect(chart.series[0].points.first?.label == "2024-02-29: 180 lb")
      for point in chart.series.flatMap(\.points) {
        #expect(chart.x.domain.contains(point.x) && chart.y.domain.contains(point.y))
      }
      transport.reconnect()
      try await model.load()
      var request = GetWeightChartRequest()
      request.pageSize = 500
      let stored = try await server.client(token).call(Logbook.getWeightChart, request)
      #expect(stored.points.map { Double($0.day) } == chart.series[0].points.map(\.x))
      #expect(stored.points.map { $0.meanThousandths / 1_000 } == chart.series[0].points.map(\.y))
      #expect(
        stored.points.map { $0.averageThousandths / 1_000 } == chart.series[1].points.map(\.y))
      let goal = try await server.client(token).call(Logbook.getMilestones, GetMilestonesRequest())
      #expect(chart.series[2].points.last?.x == goal.predictedDay.map { Double($0) })
      model.unit = .kilogram
      model.days = 19_800...19_805
      #expect(model.chart.series[0].points.count == 6 && model.chart.y.unit == .kilogram)
      #expect(model.chart.series.map(\.label) == ["Weight", "Trend", "Goal"])
      await session.close()
    }
  }

  @Test("The strength chart has the points of the window, and the record as a line")
  func strength() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let client = try server.client(token)
      for day in 0..<40 {
        var request = CreateSetRequest()
        request.set = LiftSetListModelTests.set(
          Int32(day), day == 3 ? 200 : Double(100 + day), repetitions: 1)
        _ = try await client.call(Logbook.createSet, request)
      }
      let session = try await server.session(token)
      let log = StrengthLogModel(session, unit: .kilogram)
      #expect(log.chart.isEmpty)
      try await log.load()
      let chart = log.chart
      #expect(chart.series.map(\.label) == ["One-rep max", "Record"])
      #expect(chart.series[0].points.map(\.x) == (9..<40).map { Double($0) })
      #expect(chart.series[1].points.map(\.y) == [200, 200] && chart.y.domain.contains(200))
      #expect(chart.series[0].points.last?.label == "1970-02-09: 139 kg")
      await session.close()
    }
  }

  @Test("The training log shows days with entries, sets and rounds; offline the last reply stays")
  func trainingLog() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let model = TrainingLogModel(session, span: 19_780...19_790, unit: .kilogram)
      transport.disconnect()
      #expect(await fails(saying: "Failed to load training log: ") { try await model.load() })
      model.clearError()
      transport.reconnect()
      _ = await session.syncNow()
      try await session.create(LogbookModelTests.entry(19_782, 200_000))
      try await session.create(LiftSetListModelTests.set(19_783, 100))
      // Loading sends what waits first.
      try await model.load()
      #expect(model.days.map(\.day) == [19_783, 19_782] && model.state == .loaded(staleSince: nil))
      #expect(model.days.last?.meanWeightThousandths == 90_718)
      #expect(model.days.first?.exercises.map(\.name) == ["Squat"])
      transport.disconnect()
      try await model.load()
      #expect(model.days.count == 2 && model.state.staleSince != nil)
      #expect(await fails(saying: "Failed to load") { try await model.choose(19_000...19_010) })
      #expect(model.days.isEmpty)
      transport.reconnect()
      #expect(
        await fails(saying: "Failed to load training log: to_day") {
          try await model.choose(19_000...19_400)
        })
      try await model.choose(19_782...19_782)
      #expect(model.days.map(\.day) == [19_782])
      await session.close()
    }
  }
}
