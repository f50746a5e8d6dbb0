import QuiverAPI
import QuiverCrypto
import QuiverRPC
import QuiverWire
import Testing

@Suite("Strength", .timeLimit(.minutes(5)))
struct StrengthServiceTests {
  static func set(
    _ day: Int32, _ exercise: String, _ repetitions: UInt32, _ weight: Double,
    unit: WeightUnit = .pound
  ) -> CreateSetRequest {
    var set = LiftSet()
    set.day = day
    set.exercise = exercise
    set.repetitions = repetitions
    set.weight = weight
    set.unit = unit
    return .with { $0.set = set }
  }

  @Test("Creating, updating and deleting a set updates the record and the latest value")
  func life() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let first = try await client.call(Logbook.createSet, Self.set(100, " Squat ", 6, 245))
      #expect(first.exercise == "Squat" && first.revision == 1 && first.sets == nil)
      #expect(abs((first.oneRepMax ?? 0) - 284.5161290322581) < 1e-9)
      let second = try await client.call(Logbook.createSet, Self.set(101, "Squat", 4, 260))
      let third = try await client.call(Logbook.createSet, Self.set(102, "Squat", 37, 100))
      #expect(third.oneRepMax == nil && third.lowConfidence)
      var exercises = try await Self.exercises(client)
      #expect(exercises.map(\.setCount) == [3])
      #expect(exercises[0].record?.set == first && exercises[0].latest?.set == second)

      var update = UpdateSetRequest()
      update.set = second
      update.set?.weight = 265
      update.set?.exercise = "not named"
      update.updateMask = ["weight"]
      let changed = try await client.call(Logbook.updateSet, update)
      #expect(changed.weight == 265 && changed.exercise == "Squat" && changed.revision == 2)
      exercises = try await Self.exercises(client)
      #expect(exercises[0].record?.set == changed)
      #expect(await client.refusal(Logbook.updateSet, update)?.code == .aborted)

      _ = try await client.call(Logbook.deleteSet, .with { $0.id = changed.id })
      exercises = try await Self.exercises(client)
      #expect(exercises[0].record?.set == first && exercises[0].latest?.set == first)
      update.set = first
      update.set?.exercise = "Press"
      update.updateMask = ["exercise"]
      let moved = try await client.call(Logbook.updateSet, update)
      exercises = try await Self.exercises(client)
      #expect(exercises.map(\.name) == ["Press", "Squat"])
      #expect(exercises[0].record?.set == moved && exercises[1].record == nil)
      _ = try await client.call(Logbook.deleteSet, .with { $0.id = third.id })
      #expect(try await Self.exercises(client).map(\.name) == ["Press"])
      let otherUser = try server.client(named: "John")
      #expect(
        await otherUser.refusal(Logbook.getSet, .with { $0.id = first.id })?.code == .notFound)
    }
  }

  static func exercises(_ client: Client) async throws -> [Exercise] {
    var request = ListExercisesRequest()
    request.pageSize = 2
    var found: [Exercise] = []
    repeat {
      let page = try await client.call(Logbook.listExercises, request)
      found += page.exercises
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  @Test("Windows count points or days; the nearest day is the earlier of two at the same distance")
  func windows() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      for index in 0..<40 {
        let day = Int32(index * 10)
        _ = try await client.call(Logbook.createSet, Self.set(day, "Squat", 1, 100))
        _ = try await client.call(
          Logbook.createSet, Self.set(day, "Squat", 13, 70 + Double(index)))
      }
      var request = GetLiftSeriesRequest.with { $0.exercise = "Squat" }
      var series = try await client.call(Logbook.getLiftSeries, request)
      #expect(series.points.count == 31 && series.points.first?.day == 90)
      #expect(series.latest == series.points.last && series.record == series.points.last)
      request.order = .newestFirst
      request.last = 93
      series = try await client.call(Logbook.getLiftSeries, request)
      #expect(series.points.count == 40 && series.points.first?.day == 390)
      request.last = 0
      request.daysBack = 31
      series = try await client.call(Logbook.getLiftSeries, request)
      #expect(series.points.map(\.day) == [390, 380, 370, 360])
      request.leaveOutLowConfidence = true
      series = try await client.call(Logbook.getLiftSeries, request)
      #expect(series.points.allSatisfy { $0.oneRepMax == 100 && !$0.lowConfidence })
      #expect(series.record?.day == 0)
      for (day, expected) in [(5, 0), (6, 10), (1_000, 390), (-3, 0)] as [(Int32, Int32)] {
        let nearest = try await client.call(
          Logbook.getNearestLift,
          .with {
            $0.exercise = "Squat"
            $0.day = day
          })
        #expect(nearest.day == expected)
      }
      request.last = 1
      #expect(await client.refusal(Logbook.getLiftSeries, request)?.code == .invalidArgument)
      #expect(
        await client.refusal(Logbook.getLiftSeries, .with { $0.exercise = "x" })?.code == .notFound)
    }
  }

  @Test("Sets are listed newest first and exported as a log, page by page")
  func lists() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      for index in 0..<7 {
        _ = try await client.call(
          Logbook.createSet, Self.set(Int32(19_782 + index / 2), "Squat", 5, Double(index)))
      }
      _ = try await client.call(
        Logbook.createSet, Self.set(19_782, "Press, strict", 5, 45.5, unit: .pound))
      var request = ListSetsRequest.with { ($0.exercise, $0.pageSize) = ("Squat", 3) }
      var weights: [Double] = []
      repeat {
        let page = try await client.call(Logbook.listSets, request)
        weights += page.sets.map(\.weight)
        request.pageToken = page.nextPageToken
      } while !request.pageToken.isEmpty
      #expect(weights == [6, 5, 4, 3, 2, 1, 0])
      var export = ExportSetsRequest.with { $0.pageSize = 3 }
      var log: [UInt8] = []
      repeat {
        let page = try await client.call(Logbook.exportSets, export)
        #expect(page.unit == .pound)
        log += page.log
        export.pageToken = page.nextPageToken
      } while !export.pageToken.isEmpty
      let lines = String(decoding: log, as: UTF8.self).split(separator: "\n")
      #expect(lines.count == 8 && lines[0] == "Feb 29 2024,Squat,5,0")
      #expect(lines[7] == "Feb 29 2024,\"Press, strict\",5,45.5")
      // In either unit the log is the same one; the reply has the unit to import it with.
      for unit in [QuiverAPI.WeightUnit.kilogram, .pound] {
        let page = try await client.call(Logbook.exportSets, .with { $0.unit = unit })
        let result = try await ImportSetsTests.send(page.log, client) { $0.unit = page.unit }
          .last?.result
        #expect(page.unit == unit && result?.added == 0 && result?.unchanged == 8)
      }
    }
  }

  @Test("The formulas are returned side by side, and the training log has the day's maximum")
  func formulasAndDays() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let answer = try await client.call(
        Logbook.compareFormulas,
        .with { ($0.weight, $0.repetitions, $0.unit) = (150, 6, .pound) })
      #expect(answer.estimates.map(\.formula) == [.brzycki, .epley, .lombardi])
      #expect(answer.estimates[1].oneRepMax == 180 && !answer.lowConfidence)
      for repetitions: UInt32 in [0, 37, .max] {
        let refusal = await client.refusal(
          Logbook.compareFormulas,
          .with { ($0.weight, $0.repetitions, $0.unit) = (150, repetitions, .pound) })
        #expect(refusal?.message.hasPrefix("repetitions: ") == true)
      }
      _ = try await client.call(Logbook.createSet, Self.set(100, "Squat", 1, 100, unit: .kilogram))
      _ = try await client.call(Logbook.createSet, Self.set(100, "Squat", 1, 220))
      _ = try await client.call(Logbook.createSet, Self.set(100, "Plank", 60, 0))
      _ = try await client.call(
        Logbook.createWeightEntry, WeightServiceTests.entry(100, 80_000, .kilogram))
      _ = try await client.call(
        Logbook.createWeightEntry, WeightServiceTests.entry(102, 81_000, .kilogram))
      let log = try await client.call(
        Logbook.getTrainingLog,
        .with { ($0.fromDay, $0.toDay, $0.unit) = (90, 110, .kilogram) })
      #expect(log.days.map(\.day) == [102, 100] && log.unit == .kilogram)
      #expect(log.days[1].meanWeightThousandths == 80_000)
      #expect(log.days[1].exercises.map(\.name) == ["Plank", "Squat"])
      #expect(log.days[1].exercises[0].best == nil)
      #expect(log.days[1].exercises[1].best?.oneRepMax == 100)
      #expect(log.days[1].exercises[1].setCount == 2)
      let long = await client.refusal(
        Logbook.getTrainingLog, .with { ($0.fromDay, $0.toDay) = (0, 366) })
      #expect(long?.message.hasPrefix("to_day: ") == true)
    }
  }

  @Test("A value that is not valid fails with the name of its field and stores nothing")
  func badSets() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let before = try server.lastSequence()
      let cases: [(String, (inout CreateSetRequest) -> Void)] = [
        ("set: ", { $0.set = nil }), ("set.exercise: ", { $0.set?.exercise = " " }),
        ("set.exercise: ", { $0.set?.exercise = String(repeating: "x", count: 201) }),
        ("set.exercise: ", { $0.set?.exercise = "a\nb" }),
        ("set.unit: ", { $0.set?.unit = .unspecified }), ("set.sets: ", { $0.set?.sets = 0 }),
        ("set.sets: ", { $0.set?.sets = 101 }), ("set.repetitions: ", { $0.set?.repetitions = 0 }),
        ("set.repetitions: ", { $0.set?.repetitions = .max }),
        ("set.weight: ", { $0.set?.weight = 2_000.1 }), ("set.weight: ", { $0.set?.weight = -1 }),
        ("set.weight: ", { $0.set?.weight = .nan }), ("set.day: ", { $0.set?.day = .min }),
        ("set.client_id: ", { $0.set?.clientID = [1] }),
      ]
      for (prefix, spoil) in cases {
        var request = Self.set(100, "Squat", 5, 100)
        spoil(&request)
        let refusal = await client.refusal(Logbook.createSet, request)
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.message.hasPrefix(prefix) == true, "\(refusal?.message ?? "none")")
      }
      #expect(try server.lastSequence() == before)
      let id = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
      var request = Self.set(100, "Squat", 5, 100)
      request.set?.clientID = id
      let made = try await client.call(Logbook.createSet, request)
      #expect(try await client.call(Logbook.createSet, request) == made)
      #expect(try await client.call(Logbook.getSet, .with { $0.clientID = id }) == made)
    }
  }
}
