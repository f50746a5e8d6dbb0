import Foundation
import QuiverAPI
import QuiverRPC
import QuiverRules
import Testing

/// Numbers that others have worked out, asked of a running server; each case has an archer of its
/// own. What no request can ask, as alphas that belong to no span, the rules' own tests hold.
@Suite("The server's logbook compared with published results", .timeLimit(.minutes(5)))
struct LogbookVectorTests {
  @Test("Exponential averages and daily means agree with W8Trackr's to 1e-9 of the unit")
  func averages() async throws {
    let vectors = try Self.vectors()
    try await TestServer.run { server in
      var count = 0
      for vector in try #require(vectors["ewma"] as? [[String: Any]]) {
        let alpha = try #require(vector["lam"] as? Double)
        // alpha is 2/(span+1); the Hacker's Diet's is a tenth.
        let span = 2 / alpha - 1
        guard let span = UInt32(exactly: span), (2...90).contains(span) else { continue }
        let weights = try #require(vector["w"] as? [Double])
        let expected = try #require(vector["t"] as? [Double])
        let days = vector["days"] as? [Int] ?? Array(weights.indices)
        let client = try server.client(named: "Case \(count)")
        try await Self.weigh(zip(days, weights).map { (Int32($0), $1) }, client)
        for method in alpha == 0.1 ? [.exponential, .hackersDiet] : [TrendMethod.exponential] {
          let points = try await Self.chart(client, method, method == .exponential ? span : 0)
          #expect(points.count == expected.count)
          for (point, expected) in zip(points, expected) {
            #expect(abs(point.averageThousandths / 1_000 - expected) < 1e-9)
          }
          count += 1
        }
      }
      #expect(count == 7)
      let sameDay = try #require(vectors["ema_same_day"] as? [String: Any])
      let client = try server.client()
      try await Self.weigh([(0, 175), (1, 180), (1, 182)], client)
      let points = try await Self.chart(client, .exponential, 7)
      #expect(points.map { $0.meanThousandths / 1_000 } == sameDay["daily_raw"] as? [Double])
    }
  }

  @Test("Weekly trend directions agree with W8Trackr's")
  func directions() async throws {
    let cases = try #require(try Self.vectors()["direction"] as? [[Any]])
    #expect(cases.count == 7)
    try await TestServer.run { server in
      for (number, vector) in cases.enumerated() {
        let client = try server.client(named: "Case \(number)")
        let difference = vector[0] as? Double
        var weights: [(Int32, Double)] = [(0, 170)]
        if let difference { weights.append((7, 170 + difference)) }
        try await Self.weigh(weights, client)
        let row = try #require(
          try await WeightSectionTests.sections(client) { $0.unit = .pound }.first?.rows.first)
        #expect((row.weeklyRate == nil) == (difference == nil))
        let word =
          switch row.direction {
          case .up: "up"
          case .down: "down"
          default: "stable"
          }
        #expect(word == vector[1] as? String)
      }
    }
  }

  @Test("Milestones agree with W8Trackr's")
  func milestones() async throws {
    let cases = try #require(try Self.vectors()["milestones"] as? [[String: Any]])
    #expect(cases.count == 5)
    try await TestServer.run { server in
      let client = try server.client()
      for vector in cases {
        let numbers = try ["start", "goal", "step"].map {
          Int64(try #require(vector[$0] as? Double) * 1_000)
        }
        _ = try await client.call(Logbook.deleteWeightPlan, DeleteWeightPlanRequest())
        var plan = WeightPlan()
        plan.unit = vector["unit"] as? String == "kg" ? .kilogram : .pound
        plan.startThousandths = numbers[0]
        plan.goalThousandths = numbers[1]
        plan.stepThousandths = numbers[2]
        _ = try await client.call(Logbook.setWeightPlan, .with { [plan] in $0.plan = plan })
        let found = try await client.call(Logbook.getMilestones, GetMilestonesRequest())
        let milestones = found.milestones.map { Double($0.thousandths) / 1_000 }
        if let expected = vector["out"] as? [Double] { #expect(milestones == expected) }
        if let last = vector["last"] as? Double { #expect(milestones.last == last) }
      }
    }
  }

  @Test("The trend of The Hacker's Diet agrees with the printed one to a tenth")
  func hackersDiet() async throws {
    let table = try Self.table("hackers_diet_trend.csv")
    try await TestServer.run { server in
      let client = try server.client()
      // The first line has the trend so far alone, which is what a first weighing begins it with.
      let weighings = try table.map { line in
        let date = try #require(CivilDate(text: line[0]))
        return (date.dayNumber, try #require(Double(line[1].isEmpty ? line[2] : line[1])))
      }
      try await Self.weigh(weighings, client)
      let points = try await Self.chart(client, .hackersDiet, 0)
      let trend = points.map { ($0.averageThousandths / 100).rounded() / 10 }
      #expect(trend == table.compactMap { Double($0[2]) } && trend.count == 5)
    }
  }

  @Test("One-rep maxima agree with published values")
  func oneRepMaxima() async throws {
    let table = try Self.table("onerepmax_vectors.csv")
    try await TestServer.run { server in
      let client = try server.client()
      for line in table {
        let published = try #require(Double(line[2]))
        let made = try await client.call(
          Logbook.createSet,
          StrengthServiceTests.set(
            7, line[0] + line[1], try #require(UInt32(line[1])), try #require(Double(line[0]))))
        #expect(abs((made.oneRepMax ?? 0) - published) < 1e-9)
        let shown = try await client.call(
          Logbook.getLiftSeries, .with { ($0.exercise, $0.unit) = (line[0] + line[1], .pound) })
        #expect(abs((shown.record?.oneRepMax ?? 0) - published) < 1e-9)
      }
      #expect(table.count == 7)
    }
  }

  /// Adds entries in pounds, those of one day in order.
  private static func weigh(_ weights: [(Int32, Double)], _ client: Client) async throws {
    for (index, (day, weight)) in weights.enumerated() {
      _ = try await client.call(
        Logbook.createWeightEntry,
        WeightServiceTests.entry(
          day, Int64((weight * 1_000).rounded()), .pound, at: Int64(index) + 1))
    }
  }

  private static func chart(
    _ client: Client, _ method: TrendMethod, _ span: UInt32
  ) async throws -> [WeightPoint] {
    try await client.call(
      Logbook.getWeightChart, .with { ($0.unit, $0.method, $0.span) = (.pound, method, span) }
    ).points
  }

  private static func vectors() throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appending(path: "w8trackr_vectors.json"))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  private static func table(_ name: String) throws -> [[String]] {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
      .dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
  }

  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/Logbook")
}
