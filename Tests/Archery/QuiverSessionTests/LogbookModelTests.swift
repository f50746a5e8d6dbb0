import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("The models of the logbook", .timeLimit(.minutes(5)))
struct LogbookModelTests {
  static func entry(_ day: Int32, _ thousandths: Int64, note: String = "") -> WeightEntry {
    var entry = WeightEntry()
    entry.day = day
    entry.thousandths = thousandths
    entry.unit = .pound
    entry.note = note
    entry.measuredAtMilliseconds = 1_000
    return entry
  }

  @Test(
    "Entries made offline appear in their months at once, and on the server after the next load"
  )
  func offline() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let logbook = LogbookModel(session)
      try await logbook.load()
      #expect(logbook.sections.isEmpty && logbook.emptiness == .noEntries)
      #expect(
        logbook.state.errorText == nil && logbook.state.staleSince == nil
          && !logbook.state.isLoading)
      transport.disconnect()
      #expect(
        await failure { try await logbook.add(Self.entry(19_782, 170_000, note: "n")) } == nil)
      #expect(await failure { try await logbook.add(Self.entry(19_790, 170_100)) } == nil)
      #expect(logbook.sections.map(\.month.month) == [3, 2] && logbook.emptiness == nil)
      let rows = logbook.sections.flatMap(\.rows)
      #expect(rows.map(\.mark) == [.waiting, .waiting])
      #expect(rows[0].row.direction == .up && rows[1].row.weeklyRate == nil)
      try await logbook.load()
      #expect(logbook.state.errorText == nil && logbook.state.staleSince != nil)
      #expect(logbook.sections.flatMap(\.rows).count == 2)
      transport.reconnect()
      try await logbook.load()
      #expect(logbook.sections.flatMap(\.rows).map(\.mark) == [.synced, .synced])
      #expect(logbook.state.staleSince == nil)
      let client = try server.client(token)
      let list = try await client.call(
        QuiverAPI.Logbook.listWeightEntries, ListWeightEntriesRequest())
      #expect(list.entries.map(\.thousandths) == [170_100, 170_000])

      var changed = try #require(logbook.sections.first?.rows.first)
      var wanted = changed.entry
      wanted.thousandths = 169_000
      #expect(await failure { try await logbook.update(changed.id, to: wanted) } == nil)
      changed = try #require(logbook.sections.first?.rows.first)
      #expect(changed.entry.thousandths == 169_000 && changed.row.direction == .down)
      #expect(await failure { try await logbook.delete(changed.id) } == nil)
      #expect(logbook.sections.map(\.month.month) == [2])
      try await logbook.load()
      let after = try await client.call(
        QuiverAPI.Logbook.listWeightEntries, ListWeightEntriesRequest())
      #expect(after.entries.map(\.thousandths) == [170_000])
      await session.close()
    }
  }

  @Test("Filters hide rows without changing them, and report if nothing matches")
  func filters() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let logbook = LogbookModel(session)
      try await logbook.load()
      for index in 0..<30 {
        let note = index % 10 == 0 ? "n" : ""
        try await logbook.add(
          Self.entry(19_782 + Int32(index), 170_000 - Int64(index) * 200, note: note))
      }
      try await logbook.load()
      let all = logbook.sections.flatMap(\.rows)
      #expect(all.count == 30 && !logbook.hasPlan)
      logbook.filter = WeightFilter(withNotes: true)
      let noted = logbook.sections.flatMap(\.rows)
      #expect(noted.count == 3)
      for row in noted { #expect(all.contains(row)) }
      logbook.filter = WeightFilter(withNotes: true, weekdays: [1, 2, 3, 4, 6, 7])
      #expect(logbook.sections.flatMap(\.rows).allSatisfy { $0.row.weekday != 5 })
      logbook.filter = WeightFilter(milestones: true)
      #expect(logbook.sections.isEmpty && logbook.emptiness == .nothingMatches)
      var plan = WeightPlan()
      plan.unit = .pound
      plan.startThousandths = 171_000
      plan.goalThousandths = 160_000
      plan.stepThousandths = 5_000
      plan.startDay = 19_782
      var request = SetWeightPlanRequest()
      request.plan = plan
      _ = try await server.client(token).call(QuiverAPI.Logbook.setWeightPlan, request)
      try await logbook.load()
      #expect(logbook.hasPlan)
      #expect(logbook.sections.flatMap(\.rows).map(\.row.thousandths) == [165_000, 170_000])
      logbook.filter = WeightFilter()
      logbook.unit = .kilogram
      #expect(logbook.sections.flatMap(\.rows).first?.row.thousandths == 74_480)
      await session.close()
    }
  }

  @Test("An empty log that was read before is no error offline")
  func offlineWithoutRows() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let logbook = LogbookModel(session)
      transport.disconnect()
      #expect(await failure { try await logbook.load() } != nil)
      #expect(logbook.state.errorText?.hasPrefix("Failed to load weight entries: ") == true)
      transport.reconnect()
      try await logbook.load()
      transport.disconnect()
      try await logbook.load()
      #expect(logbook.state.errorText == nil && logbook.emptiness == .noEntries)
      #expect(logbook.state.staleSince != nil)
      #expect(await failure { try await logbook.add(Self.entry(19_782, 170_000)) } == nil)
      logbook.filter = WeightFilter(withNotes: true)
      try await logbook.load()
      #expect(logbook.state.errorText == nil && logbook.emptiness == .nothingMatches)
      logbook.filter = WeightFilter()
      #expect(logbook.sections.flatMap(\.rows).count == 1)
      await session.close()
    }
  }

  @Test(
    "A value that is not valid is refused and not stored, and the error stays until it is cleared"
  )
  func badEntries() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      let logbook = LogbookModel(session)
      try await logbook.load()
      #expect(
        await fails(saying: "Failed to add weight entry: weight_entry.") {
          try await logbook.add(Self.entry(19_782, 5))
        })
      await logbook.clearError()
      #expect(logbook.state.errorText == nil && logbook.sections.isEmpty)
      var dayless = Self.entry(0, 170_000)
      dayless.day = nil
      #expect(await failure { try await logbook.add(dayless) } != nil)
      #expect(await failure { try await logbook.add(dayless, timeZone: "Asia/Kolkata") } == nil)
      #expect(logbook.sections.flatMap(\.rows).map { $0.entry.day } == [0])
      #expect(await failure { try await logbook.add(dayless, timeZone: "Mars/Phobos") } != nil)
      await session.close()
    }
  }

  @Test("Strength sets come from the server or from a file, in windows for two screens")
  func strength() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let client = try server.client(token)
      for index in 0..<100 {
        var set = QuiverAPI.LiftSet()
        set.day = Int32(index * 2)
        set.exercise = "Squat"
        set.repetitions = 1
        set.weight = 100 + Double(index % 40)
        set.unit = .pound
        var request = CreateSetRequest()
        request.set = set
        _ = try await client.call(QuiverAPI.Logbook.createSet, request)
      }
      let log = StrengthLogModel(session)
      try await log.load()
      #expect(log.exercises.map(\.name) == ["Squat"] && log.exercise == "Squat")
      #expect(log.points.count == 31 && log.shown?.day == 198 && log.record?.day == 78)
      log.isWide = true
      #expect(log.points.count == 93 && log.points.first?.day == 14)
      log.select(nearestTo: 101)
      #expect(log.shown?.day == 100 && log.selected?.day == 100)
      log.deselect()
      #expect(log.shown?.day == 198 && log.selected == nil)

      transport.disconnect()
      try await log.load()
      #expect(log.state.errorText == nil && log.state.staleSince != nil && log.points.count == 93)
      let path = server.directory + "/log.txt"
      try "Jan 1 2020,Press,3,5,50\nx\nJan 2 2020,Press,5,60".write(
        toFile: path, atomically: true, encoding: .utf8)
      try await log.use(.file(path: path, unit: .pound))
      #expect(log.exercises.map(\.name) == ["Press"] && log.exercises[0].setCount == 2)
      #expect(log.badLines.count == 1 && log.points.count == 2 && log.state.staleSince == nil)
      #expect(log.shown?.oneRepMax == 60 * 36 / 32.0)
      #expect(await failure { try await log.use(.file(path: path + "x", unit: .pound)) } != nil)
      #expect(log.exercises.isEmpty && log.points.isEmpty && !log.state.isLoading)
      #expect(log.state.errorText?.hasPrefix("Failed to load strength log: ") == true)
      log.clearError()
      #expect(log.state.errorText == nil)
      try await log.use(.server)
      #expect(log.exercises.map(\.name) == ["Squat"] && log.state.staleSince != nil)
      await session.close()
    }
  }

  /// Makes a set at the server.
  private func lift(_ exercise: String, _ weight: Double, _ client: RPCClient) async throws {
    var request = CreateSetRequest()
    var set = QuiverAPI.LiftSet()
    set.day = 18_000
    set.exercise = exercise
    set.repetitions = 1
    set.weight = weight
    set.unit = .pound
    request.set = set
    _ = try await client.call(QuiverAPI.Logbook.createSet, request)
  }

  @Test("An exercise that was deleted is not shown any more")
  func lostExercise() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let client = try server.client(token)
      try await lift("Press", 50, client)
      try await lift("Squat", 100, client)
      let log = StrengthLogModel(session)
      try await log.load()
      try await log.open("Squat")
      try await log.load()
      #expect(log.exercise == "Squat" && log.shown?.oneRepMax == 100)
      for (text, next) in [("Jan 1 2020,Press,1,60", "Press"), ("", "")] {
        let call = try client.open(QuiverAPI.Logbook.importSets)
        var request = ImportSetsRequest()
        request.options = ImportOptions()
        request.options?.mode = .replace
        request.chunk = Array(text.utf8)
        try await call.send(request)
        call.finish()
        for try await _ in call.replies {}
        try await log.load()
        #expect(log.state.errorText == nil && log.exercise == next)
        #expect(log.shown?.oneRepMax == (next.isEmpty ? nil : 60))
      }
      await session.close()
    }
  }

  @Test("A late reply of the server does not replace a file", arguments: [false, true])
  func formerSource(_ fails: Bool) async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      try await lift("Press", 50, try server.client(token))
      let path = server.directory + "/log.txt"
      try "Jan 1 2020,Press,1,5,60\nx".write(toFile: path, atomically: true, encoding: .utf8)
      let log = StrengthLogModel(session)
      try await log.load()
      let gate = transport.hold("GetLiftSeries")
      let opening = Task { try? await log.open("Press") }
      await gate.arrival()
      try await log.use(.file(path: path, unit: .pound))
      let shown = log.shown
      #expect(shown != nil && log.badLines.count == 1)
      if fails { transport.fail(with: RPCError(.permissionDenied, "not yours")) }
      gate.open()
      await opening.value
      #expect(log.shown == shown && log.state.errorText == nil && log.exercises.count == 1)
      let failure = await failure { try await log.use(.server) }
      #expect((failure != nil) == fails && log.badLines.count == 0)
      await session.close()
    }
  }
}
