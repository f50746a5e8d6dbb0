import QuiverRules
import QuiverSQLite
import QuiverStore
import Testing

@Suite struct WeightEntryTests {
  @Test("a deleted entry is restored for 30 days and then swept; the count lets it go")
  func thirtyDays() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(clock: clock)
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    var draft = WeightEntryDraft()
    (draft.day, draft.thousandths, draft.unit) = (100, 80_000, .kilogram)
    let entry = try store.perform(CreateWeightEntry(draft), .of(robin))
    let thirtyDays: Int64 = 30 * 86_400_000
    _ = try store.perform(DeleteWeightEntry(.id(entry.id)), .of(robin))
    clock.set(wallMilliseconds: 1_700_000_000_000 + thirtyDays)
    let back = try store.perform(RestoreWeightEntry(.id(entry.id)), .of(robin))
    #expect(back.deletedAtMilliseconds == 0 && back.revision == 3)
    _ = try store.perform(DeleteWeightEntry(.id(entry.id)), .of(robin))
    clock.set(wallMilliseconds: 1_700_000_000_000 + 2 * thirtyDays + 1)
    let late = #expect(throws: StoreError.self) {
      _ = try store.perform(RestoreWeightEntry(.id(entry.id)), .of(robin))
    }
    #expect(late?.code == .notFound)
    // Ages are told by the clock that is not set. Many commands let the sweep come round.
    clock.set(monotonicNanoseconds: UInt64(2 * thirtyDays + 2) * 1_000_000)
    for number in 0..<(2 * StoreLimits.commandsPerSweep) {
      _ = try store.perform(SetPreference(key: "k", value: "\(number)"), .of(robin))
    }
    let found = try store.read { (snapshot) throws(StoreError) in
      try snapshot.weightEntry(id: entry.id, principal: robin)
    }
    #expect(found == nil)
    #expect(try store.verify().isEmpty)
  }

  @Test("an instant of no day of the calendar is refused; where one is stored, the months end")
  func noDay() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    var draft = WeightEntryDraft()
    (draft.timeZone, draft.thousandths, draft.unit) = ("America/New_York", 80_000, .kilogram)
    draft.measuredAtMilliseconds = -62_135_596_800_000
    let first = CivilDate.dayRange.lowerBound
    let early = try CreateWeightEntry(draft, dayOfInstant: { _, _ in first - 1 })
    let refusal = #expect(throws: StoreError.self) { _ = try store.perform(early, .of(robin)) }
    #expect(refusal?.code == .invalidArgument)
    #expect(refusal?.field == "weight_entry.measured_at_ms")
    for day in [first, first, -40_000, 19_800] {
      draft.day = day
      _ = try store.perform(CreateWeightEntry(draft), .of(robin))
    }
    store.close()
    try Connection(path: directory.databasePath, mode: .readWrite)
      .execute("UPDATE weight_entry SET day = day - 1 WHERE id = 1")
    let query = WeightSectionQuery(
      unit: .kilogram, average: .exponential(span: 7), filter: WeightFilter())
    let found = try directory.open().read { (snapshot) throws(StoreError) in
      try snapshot.weightSections(query, principal: robin, pageSize: 0, pageToken: "")
    }
    #expect(found.page.map(\.month.year) == [2024, 1860, 1] && found.nextPageToken.isEmpty)
    #expect(found.page.map(\.rows.count) == [1, 1, 1])
  }
}
