import Dispatch
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire
import Testing

@Suite("The import of sets", .timeLimit(.minutes(5)))
struct ImportSetsTests {
  /// Sends a log in chunks; answers the messages that came back.
  static func send(
    _ log: [UInt8], _ client: Client, chunks: Int = 10_000,
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) async throws -> [ImportSetsResponse] {
    let call = try client.client.open(Logbook.importSets)
    var options = ImportOptions()
    options.byteCount = Int64(log.count)
    change(&options)
    let first = options
    let sending = Task {
      var request = ImportSetsRequest()
      request.options = first
      var start = 0
      repeat {
        let end = min(log.count, start + chunks)
        request.chunk = Array(log[start..<end])
        start = end
        try await call.send(request)
        request.options = nil
      } while start < log.count
      call.finish()
    }
    var found: [ImportSetsResponse] = []
    for try await response in call.replies { found.append(response) }
    try await sending.value
    return found
  }

  static func log(_ count: Int) -> String {
    (0..<count).map { index in
      let day = CivilDate(dayNumber: Int32(15_000 + index / 20))
      let month = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
      ]
      return "\(month[Int(day.month) - 1]) \(day.day) \(day.year),\(["Squat", "Press"][index % 2]),"
        + "\(index % 12 + 1),\(100 + index % 90)"
    }.joined(separator: "\n")
  }

  @Test(
    "An imported log reports progress and is readable at the end; importing it again adds nothing"
  )
  func whole() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let text = Self.log(9_000)
      let log = Array(text.utf8)
      let messages = try await Self.send(log, client)
      #expect(messages.count >= 4 && messages.dropLast().allSatisfy { $0.result == nil })
      let counts = messages.map(\.lineCount)
      #expect(counts == counts.sorted() && messages.allSatisfy { $0.byteCount == log.count })
      let result = try #require(messages.last?.result)
      #expect(result.kept && result.added == 9_000 && result.unchanged == 0)
      #expect(result.lineCount == 9_000 && messages.last?.readByteCount == Int64(log.count))
      var reader = LiftLineReader(unit: .pound)
      var sets: [QuiverRules.LiftSet] = []
      reader.read(log, into: &sets)
      reader.finish(into: &sets)
      for exercise in try await StrengthServiceTests.exercises(client) {
        let own = sets.filter { $0.exercise.text == exercise.name }
        let expected = LiftSeries(own, in: .pound)
        #expect(exercise.record?.oneRepMax == expected.record?.oneRepMax)
        #expect(exercise.record?.day == expected.record?.day)
        #expect(exercise.latest?.day == expected.latest?.day && exercise.setCount == own.count)
      }
      let again = try #require(try await Self.send(log, client).last?.result)
      #expect(again.kept && again.added == 0 && again.unchanged == 9_000)
      let longer = Array((text + "\nJan 1 2020,Squat,3,5,100").utf8)
      let more = try #require(try await Self.send(longer, client).last?.result)
      #expect(more.added == 1 && more.unchanged == 9_000)
      let replaced = try await Self.send(Array(Self.log(10).utf8), client) { $0.mode = .replace }
      let last = try #require(replaced.last?.result)
      #expect(last.added == 10 && last.removed == 9_001)
    }
  }

  @Test("A strict import with bad lines stores nothing and names each; a lenient one skips them")
  func badLines() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let before = try await StrengthServiceTests.exercises(client)
      var lines = Self.log(5_000).split(separator: "\n").map(String.init)
      lines[7] = "x"
      lines[4_000] = "Feb 30 2020,Squat,5,100"
      let log = Array(lines.joined(separator: "\n").utf8)
      let strict = try #require(try await Self.send(log, client).last?.result)
      #expect(!strict.kept && strict.added == 0 && strict.badLineCount == 2)
      #expect(strict.badLines.map(\.number) == [8, 4_001])
      #expect(strict.badLines[1].reason.contains("date"))
      #expect(try await StrengthServiceTests.exercises(client) == before)
      let lenient = try await Self.send(log, client) { $0.lenient = true }
      let result = try #require(lenient.last?.result)
      #expect(result.kept && result.added == 4_998 && result.badLineCount == 2)
    }
  }

  @Test("An import with 100,000 bad lines names a thousand of them and stores nothing")
  func manyBadLines() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let log = [UInt8](String(repeating: "no line of ours\n", count: 100_000).utf8)
      let result = try #require(try await Self.send(log, client, chunks: 500_000).last?.result)
      #expect(!result.kept && result.badLineCount == 100_000 && result.badLines.count == 1_000)
      let noise = try #require(
        try await Self.send([UInt8](repeating: 0xFE, count: 1 << 20), client).last?.result)
      #expect(!noise.kept && noise.badLineCount == 1)
      #expect(try await StrengthServiceTests.exercises(client).isEmpty)
    }
  }

  @Test("An interrupted import stores nothing and can be sent again")
  func brokenOff() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let log = Array(Self.log(6_000).utf8)
      let call = try client.client.open(Logbook.importSets)
      var request = ImportSetsRequest()
      request.options = ImportOptions()
      request.chunk = log
      try await call.send(request)
      var replies = call.replies.makeAsyncIterator()
      let progress = try await replies.next()
      #expect(progress?.result == nil && progress?.lineCount ?? 0 > 0)
      let other = await Self.refusal(try client.client.open(Logbook.importSets))
      #expect(other?.code == .failedPrecondition)
      call.cancel()
      _ = try? await replies.next()
      #expect(try await StrengthServiceTests.exercises(client).isEmpty)
      // The next import waits while the server abandons this one.
      let result = try #require(try await Self.send(log, client).last?.result)
      #expect(result.added == 6_000)
    }
  }

  @Test("An import succeeds right after the connection of another import was lost")
  func killed() async throws {
    try await TestServer.run { server in
      let archer = try server.principal().id
      let client = try server.client(of: archer, [.read, .write])
      let log = Array(Self.log(6_000).utf8)
      for _ in 0..<3 {
        let lost = try server.client(of: archer, [.read, .write])
        let call = try lost.client.open(Logbook.importSets)
        var request = ImportSetsRequest()
        request.options = ImportOptions()
        request.chunk = log
        try await call.send(request)
        var replies = call.replies.makeAsyncIterator()
        _ = try await replies.next()
        await lost.client.close()
        let result = try #require(try await Self.send(log, client).last?.result)
        #expect(result.kept && result.setCount == 6_000)
      }
    }
  }

  @Test("Importing a log with identical sets of one day again does not read the day for each")
  func identicalSets() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let line = "Jan 5 2020,Squat,5,100\n"
      let log = Array(String(repeating: line, count: 20_000).utf8)
      let first = try #require(try await Self.send(log, client).last?.result)
      #expect(first.kept && first.added == 20_000)
      let again = try #require(try await Self.send(log, client).last?.result)
      #expect(again.kept && again.added == 0 && again.unchanged == 20_000)
      let longer = Array(String(repeating: line, count: 20_003).utf8)
      let more = try #require(try await Self.send(longer, client).last?.result)
      #expect(more.added == 3 && more.unchanged == 20_000)
    }
  }

  @Test("Importing a log again writes nothing, and of identical lines only those that are new")
  func writesNothingAgain() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let log = Self.log(9_000) + "\n" + String(repeating: "Jan 1 2020,Squat,5,100\n", count: 3)
      _ = try await Self.send(Array(log.utf8), client)
      let again = try await Self.send(Array(log.utf8), client)
      #expect(again.last?.result?.added == 0 && again.last?.result?.unchanged == 9_003)
      #expect(again.allSatisfy { $0.storedSetCount == 0 })
      let more = try await Self.send(
        Array((log + "Jan 1 2020,Squat,5,100\nJan 1 2020,Squat,1,5,100\n").utf8), client)
      #expect(more.last?.result?.added == 2 && more.last?.storedSetCount == 2)
      #expect(more.last?.result?.unchanged == 9_003)
    }
  }

  @Test("An import without new lines is accepted at once when the bytes of a minute are used up")
  func nothingNewAtTheRate() async throws {
    var quotas = StoreQuotas.none
    // The first import counts 64 bytes for each line, which are more.
    quotas.storedBytesPerMinute = 100_000
    let clock = HeldClock()
    try await TestServer.run(opening: .init(clock: clock.clock, quotas: quotas)) { server in
      let client = try server.client()
      let text = Self.log(2_000)
      #expect(try await Self.send(Array(text.utf8), client).last?.result?.added == 2_000)
      let refusal = await #expect(throws: RPCError.self) {
        try await client.call(Equipment.risers.create, .of(.hoyt))
      }
      #expect(refusal != nil && server.store.statistics.refusedCommands > 0)
      let again = try await Self.send(Array(text.utf8), client).last?.result
      #expect(again?.kept == true && again?.added == 0 && again?.unchanged == 2_000)
    }
  }

  @Test("An import that cannot be discarded while the queue is full is discarded later")
  func fullQueue() async throws {
    try await TestServer.run(opening: .init(queuedCommands: 4)) { server in
      let client = try server.client()
      let log = Array(Self.log(6_000).utf8)
      let call = try client.client.open(Logbook.importSets)
      var request = ImportSetsRequest()
      request.options = ImportOptions()
      request.chunk = log
      try await call.send(request)
      var replies = call.replies.makeAsyncIterator()
      _ = try await replies.next()
      let gate = server.store.closeGate()
      let waiting = (0..<4).map { _ in
        Task { try await client.call(Equipment.risers.create, .of(.hoyt)) }
      }
      while server.store.queuedCommandCount < 4 { await Task.yield() }
      call.cancel()
      _ = try? await replies.next()
      // Meanwhile the server receives the reset, and its queue is full.
      for _ in 0..<200 { _ = try await client.call(Diagnostics.echo, EchoMessage()) }
      gate.opened.signal()
      for task in waiting { _ = try await task.value }
      var result: ImportResult?
      for _ in 0..<20_000 where result == nil {
        result = try? await Self.send(log, client).last?.result
      }
      #expect(result?.added == 6_000)
    }
  }

  @Test("An import without valid settings fails with the name of the field")
  func badOptions() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let cases: [(String, (inout ImportOptions) -> Void)] = [
        ("options.unit: ", { $0.unit = WeightUnit(rawValue: 3) }),
        ("options.mode: ", { $0.mode = ImportMode(rawValue: 3) }),
        ("options.byte_count: ", { $0.byteCount = -1 }),
      ]
      for (prefix, change) in cases {
        var options = ImportOptions()
        change(&options)
        let refusal = await Self.refusal(
          try client.client.open(Logbook.importSets), options: options)
        #expect(refusal?.message.hasPrefix(prefix) == true, "\(refusal?.message ?? "none")")
      }
      let none = await Self.refusal(try client.client.open(Logbook.importSets), options: nil)
      #expect(none?.code == .invalidArgument)
    }
  }

  private static func refusal(
    _ call: StreamingCall<ImportSetsRequest, ImportSetsResponse>,
    options: ImportOptions? = ImportOptions()
  ) async -> RPCError? {
    do throws(RPCError) {
      var request = ImportSetsRequest()
      request.options = options
      request.chunk = Array("Jan 1 2020,x,1,1".utf8)
      try await call.send(request)
      call.finish()
      for try await _ in call.replies {}
      return nil
    } catch {
      return error
    }
  }

  @Test("A watch of weights sends all entries and then each change; a watch of days sends the days")
  func watches() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let first = try await client.call(
        Logbook.createWeightEntry, WeightServiceTests.entry(100, 170_000))
      var weights = try client.client.stream(Logbook.watchWeights, WatchWeightsRequest())
        .makeAsyncIterator()
      let snapshot = try #require(try await weights.next())
      #expect(snapshot.span?.isSnapshot == true && snapshot.changed == [first])
      var days = try client.client.stream(
        Logbook.watchTrainingLog, .with { ($0.fromDay, $0.toDay) = (95, 105) }
      ).makeAsyncIterator()
      #expect(try await days.next()?.days.map(\.day) == [100])
      let second = try await client.call(
        Logbook.createWeightEntry, WeightServiceTests.entry(101, 171_000))
      #expect(try await weights.next()?.changed == [second])
      #expect(try await days.next()?.days.map(\.day) == [101, 100])
      _ = try await client.call(Logbook.deleteWeightEntry, .with { $0.id = first.id })
      #expect(try await weights.next()?.removedIDs == [first.id])
      #expect(try await days.next()?.days.map(\.day) == [101])
      _ = try await Self.send(Array("Apr 13 1970,Squat,5,100".utf8), client)
      #expect(try await days.next()?.days.map(\.day) == [102, 101])
      let long = await Self.watchRefusal(client)
      #expect(long?.message.hasPrefix("to_day: ") == true)
    }
  }

  private static func watchRefusal(_ client: Client) async -> RPCError? {
    do throws(RPCError) {
      let replies = try client.client.stream(
        Logbook.watchTrainingLog, .with { ($0.fromDay, $0.toDay) = (0, 93) })
      for try await _ in replies {}
      return nil
    } catch {
      return error
    }
  }
}
