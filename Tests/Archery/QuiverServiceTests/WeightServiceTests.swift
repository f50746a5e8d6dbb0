import QuiverAPI
import QuiverClient
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

import struct QuiverRules.CivilDate
import enum QuiverRules.TextLimits

@Suite("Body weight", .timeLimit(.minutes(5)))
struct WeightServiceTests {
  static func entry(
    _ day: Int32?, _ thousandths: Int64, _ unit: WeightUnit = .pound, note: String = "",
    at instant: Int64 = 1_000
  ) -> CreateWeightEntryRequest {
    var entry = WeightEntry()
    entry.day = day
    entry.thousandths = thousandths
    entry.unit = unit
    entry.note = note
    entry.measuredAtMilliseconds = instant
    return .with { $0.weightEntry = entry }
  }

  @Test("Creating, updating, deleting and restoring an entry add 1 to its revision each")
  func life() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let made = try await client.call(
        Logbook.createWeightEntry, Self.entry(19_800, 170_000, note: " heavy "))
      #expect(made.revision == 1 && made.note == "heavy" && made.day == 19_800)
      var update = UpdateWeightEntryRequest()
      update.weightEntry = made
      update.weightEntry?.thousandths = 171_000
      update.weightEntry?.note = "not named"
      update.weightEntry?.bodyFatPercent = 17.5
      update.updateMask = ["thousandths", "body_fat_percent"]
      let changed = try await client.call(Logbook.updateWeightEntry, update)
      #expect(changed.thousandths == 171_000 && changed.note == "heavy" && changed.revision == 2)
      #expect(changed.bodyFatPercent == 17.5)
      let stale = try #require(await client.refusal(Logbook.updateWeightEntry, update))
      #expect(stale.code == .aborted)
      #expect(try WeightEntry(serializedBytes: stale.details.first?.value ?? []) == changed)

      let gone = try await client.call(Logbook.deleteWeightEntry, .with { $0.id = made.id })
      #expect(gone.deletedAtMilliseconds > 0 && gone.revision == 3)
      #expect(
        try await client.call(Logbook.deleteWeightEntry, .with { $0.id = made.id }) == gone)
      let list = try await client.call(Logbook.listWeightEntries, ListWeightEntriesRequest())
      #expect(list.entries.isEmpty)
      let deleted = try await client.call(
        Logbook.listWeightEntries, .with { $0.deleted = true })
      #expect(deleted.entries == [gone])
      let back = try await client.call(Logbook.restoreWeightEntry, .with { $0.id = made.id })
      #expect(back.deletedAtMilliseconds == 0 && back.revision == 4)
      let otherUser = try server.client(named: "John")
      #expect(
        await otherUser.refusal(Logbook.getWeightEntry, .with { $0.id = made.id })?.code
          == .notFound)
    }
  }

  @Test("Creating with a used client_id and the same content returns the existing entry")
  func clientID() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let id = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
      var request = Self.entry(19_800, 170_000)
      request.weightEntry?.clientID = id
      let first = try await client.call(Logbook.createWeightEntry, request)
      #expect(try await client.call(Logbook.createWeightEntry, request) == first)
      let found = try await client.call(Logbook.getWeightEntry, .with { $0.clientID = id })
      #expect(found == first)
      request.weightEntry?.thousandths = 171_000
      let other = await client.refusal(Logbook.createWeightEntry, request)
      #expect(other?.code == .alreadyExists)
    }
  }

  @Test(
    "The default day of an entry is the day of its instant in the time zone",
    arguments: [
      // 2024-03-30 22:00 UTC is midnight in Tallinn, before the clocks change.
      ("Europe/Tallinn", 1_711_836_000, 19_813), ("Europe/Tallinn", 1_711_835_999, 19_812),
      ("America/New_York", 1_711_836_000, 19_812), ("Asia/Kolkata", 1_711_823_400, 19_813),
      ("Asia/Kolkata", 1_711_823_399, 19_812),
    ] as [(String, Int64, Int32)])
  func zones(_ zone: String, _ seconds: Int64, _ day: Int32) async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var request = Self.entry(nil, 170_000, at: seconds * 1_000)
      let missing = try #require(await client.refusal(Logbook.createWeightEntry, request))
      #expect(missing.code == .invalidArgument && missing.message.hasPrefix("weight_entry.day:"))
      request.timeZone = zone
      #expect(try await client.call(Logbook.createWeightEntry, request).day == day)
      var profile = UpdateProfileRequest()
      profile.profile = try await client.call(Account.getProfile, GetProfileRequest())
      profile.profile?.timeZone = zone
      profile.updateMask = ["time_zone"]
      _ = try await client.call(Account.updateProfile, profile)
      request.timeZone = ""
      #expect(try await client.call(Logbook.createWeightEntry, request).day == day)
    }
  }

  /// A request that cannot be, and how its refusal begins.
  struct BadEntry: Sendable, CustomTestStringConvertible {
    var prefix: String
    var request: CreateWeightEntryRequest

    init(_ prefix: String, _ spoil: (inout CreateWeightEntryRequest) -> Void) {
      self.prefix = prefix
      request = WeightServiceTests.entry(19_800, 170_000)
      spoil(&request)
    }

    var testDescription: String { prefix }

    static let all = [
      BadEntry("weight_entry: ") { $0.weightEntry = nil },
      BadEntry("weight_entry.unit: ") { $0.weightEntry?.unit = .unspecified },
      BadEntry("weight_entry.unit: ") { $0.weightEntry?.unit = WeightUnit(rawValue: 3) },
      BadEntry("weight_entry.thousandths: ") { $0.weightEntry?.thousandths = 999 },
      BadEntry("weight_entry.thousandths: ") { $0.weightEntry?.thousandths = 1_500_001 },
      BadEntry("weight_entry.thousandths: ") { $0.weightEntry?.thousandths = .min },
      BadEntry("weight_entry.thousandths: ") {
        $0.weightEntry?.unit = .kilogram
        $0.weightEntry?.thousandths = 680_001
      },
      BadEntry("weight_entry.day: ") { $0.weightEntry?.day = .max },
      BadEntry("weight_entry.measured_at_ms: ") { $0.weightEntry?.measuredAtMilliseconds = .max },
      BadEntry("weight_entry.measured_at_ms: ") {
        $0.weightEntry?.day = nil
        $0.weightEntry?.measuredAtMilliseconds = -62_135_596_800_000
        $0.timeZone = "America/New_York"
      },
      BadEntry("weight_entry.body_fat_percent: ") { $0.weightEntry?.bodyFatPercent = 0.99 },
      BadEntry("weight_entry.body_fat_percent: ") { $0.weightEntry?.bodyFatPercent = .nan },
      BadEntry("weight_entry.note: ") {
        $0.weightEntry?.note = String(repeating: "x", count: 4_001)
      },
      BadEntry("weight_entry.client_id: ") { $0.weightEntry?.clientID = [1, 2, 3] },
      BadEntry("time_zone: ") { $0.timeZone = "Mars/Phobos" },
    ]
  }

  @Test(
    "A value that is not valid fails with the name of its field and stores nothing",
    arguments: BadEntry.all)
  func badEntries(_ bad: BadEntry) async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let before = try server.lastSequence()
      let refusal = await client.refusal(Logbook.createWeightEntry, bad.request)
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix(bad.prefix) == true, "\(refusal?.message ?? "none")")
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("An instant in the future is replaced by the server's time, and the entry is flagged")
  func clockAhead() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let request = Self.entry(19_800, 170_000, at: 4_000_000_000_000)
      let made = try await client.call(Logbook.createWeightEntry, request)
      #expect(made.clockAhead && made.measuredAtMilliseconds < 4_000_000_000_000)
    }
  }

  @Test("An imported file is exported unchanged; importing it again adds nothing")
  func files() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let csv = #"""
        date,weight,unit,note,body_fat
        2024-02-29,80.5,kg,"a, ""b""",17.5
        2024-02-29,80.5,kg,,
        2024-02-29,80.5,kg,,
        2024-03-01,176.1,lb,,

        """#
      let request = ImportWeightsRequest.with { $0.csv = Array(csv.utf8) }
      let first = try await client.call(Logbook.importWeights, request)
      #expect(first.added == 4 && first.unchanged == 0)
      let second = try await client.call(Logbook.importWeights, request)
      #expect(second.added == 0 && second.unchanged == 4)
      let longer = ImportWeightsRequest.with {
        $0.csv = Array((csv + "2024-02-29,80.5,kg,,\n").utf8)
      }
      #expect(try await client.call(Logbook.importWeights, longer).added == 1)
      var text: [UInt8] = []
      var page = ExportWeightsRequest.with { $0.pageSize = 2 }
      repeat {
        let part = try await client.call(Logbook.exportWeights, page)
        text += part.csv
        page.pageToken = part.nextPageToken
      } while !page.pageToken.isEmpty
      let lines = csv.split(separator: "\n").map(String.init)
      #expect(
        String(decoding: text, as: UTF8.self)
          == (lines[0...3] + [lines[3], lines[4]]).joined(separator: "\n") + "\n")

      let bad = ImportWeightsRequest.with { $0.csv = Array("2024-02-30,80,kg\n\nx".utf8) }
      let sequence = try server.lastSequence()
      let refused = try await client.call(Logbook.importWeights, bad)
      #expect(refused.badLineCount == 2 && refused.badLines.map(\.number) == [1, 3])
      #expect(try refused.added == 0 && server.lastSequence() == sequence)
    }
  }

  @Test("A file without new entries is accepted when the bytes of a minute are used up")
  func nothingNewAtTheRate() async throws {
    var quotas = StoreQuotas.none
    quotas.storedBytesPerMinute = 100
    try await TestServer.run(opening: .init(quotas: quotas)) { server in
      let client = try server.client()
      let csv = "date,weight,unit,note,body_fat\n2024-02-29,80.5,kg,,\n2024-03-01,81,kg,,\n"
      let request = ImportWeightsRequest.with { $0.csv = Array(csv.utf8) }
      #expect(try await client.call(Logbook.importWeights, request).added == 2)
      let again = try await client.call(Logbook.importWeights, request)
      #expect(again.added == 0 && again.unchanged == 2)
      let longer = ImportWeightsRequest.with { $0.csv = Array((csv + "2024-03-02,81,kg,,\n").utf8) }
      let refusal = await #expect(throws: RPCError.self) {
        try await client.call(Logbook.importWeights, longer)
      }
      #expect(refusal?.message.hasPrefix("stored-bytes-per-minute") == true)
    }
  }

  @Test("A file of many entries is written by many short commands, and none of its entries twice")
  func slices() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let lines = (0..<2_000).map { index in
        "\(CivilDate(dayNumber: Int32(19_000 + index / 3)).text),\(60 + index % 3),kg,note,\n"
      }
      let request = ImportWeightsRequest.with { $0.csv = Array(lines.joined().utf8) }
      let before = server.store.statistics.committedCommands
      let first = try await client.call(Logbook.importWeights, request)
      #expect(first.added == 2_000 && first.unchanged == 0)
      let commands = server.store.statistics.committedCommands - before
      #expect(commands >= 16, "the import was \(commands) commands")
      let second = try await client.call(Logbook.importWeights, request)
      #expect(second.added == 0 && second.unchanged == 2_000)
      #expect(try server.store.verify() == [])
    }
  }

  @Test("A watch of a log with the longest notes sends all entries and all changes")
  func longNotes() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var empty = try client.client.stream(Logbook.watchWeights, WatchWeightsRequest())
        .makeAsyncIterator()
      let span = try #require(try await empty.next()?.span)
      let note = String(repeating: "\u{1F3F9}", count: TextLimits.notesLength)
      for file in 0..<2 {
        let lines = (0..<200).map { index in
          "\(CivilDate(dayNumber: Int32(19_000 + file * 200 + index)).text),80,kg,\(note)\n"
        }
        let answer = try await client.call(
          Logbook.importWeights, .with { $0.csv = Array(lines.joined().utf8) })
        #expect(answer.added == 200)
      }
      let start = WatchPosition(sequence: span.upto, storeEpoch: span.storeEpoch)
      for position in [nil, start] {
        let options = CallOptions(after: position)
        var replies = try client.client.stream(
          Logbook.watchWeights, WatchWeightsRequest(), options: options
        ).makeAsyncIterator()
        var seen: [Int64] = []
        while seen.count < 400 {
          seen += try #require(try await replies.next()).changed.map(\.id)
        }
        #expect(Set(seen).count == 400)
      }
    }
  }
}
