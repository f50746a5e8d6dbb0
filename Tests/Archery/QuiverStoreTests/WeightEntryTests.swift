import QuiverCrypto
import QuiverRules
import QuiverSQLite
import QuiverStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct WeightEntryTests {
  @Test("A deleted entry can be restored for 30 days, is then removed, and does not count")
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
    // Rows age by the time that passes on both clocks. Many commands let the sweep come round.
    clock.pass(milliseconds: thirtyDays + 1)
    for number in 0..<(2 * StoreLimits.commandsPerExpiry) {
      _ = try store.perform(SetPreference(key: "k", value: "\(number)"), .of(robin))
    }
    let found = try store.read { (snapshot) throws(StoreError) in
      try snapshot.weightEntry(id: entry.id, principal: robin)
    }
    #expect(found == nil)
    #expect(try store.verify().isEmpty)
  }

  @Test("Deleted content leaves no hash, and its client_id stays in use")
  func forgotten() throws {
    let clock = TestClock()
    let directory = try TemporaryDirectory()
    let store = try directory.open(clock: clock)
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    let ids = try (0..<3).map { _ in try UUIDv7.make(unixMilliseconds: 1_700_000_000_000) }
    var draft = WeightEntryDraft()
    (draft.day, draft.thousandths, draft.unit) = (100, 80_000, .kilogram)
    let entry = try store.perform(CreateWeightEntry(draft, clientID: ids[0]), .of(robin))
    let sets = try [7, 8].map { (day: Int32) in
      LiftSet(
        day: day, exercise: try #require(ExerciseName("Squat")), repetitions: 5, weight: 45,
        unit: .pound)
    }
    let set = try store.perform(CreateLiftSet(sets[0], clientID: ids[1]), .of(robin))
    _ = try store.perform(CreateLiftSet(sets[1], clientID: ids[2]), .of(robin))
    #expect(try Self.hashes(directory) == 3)
    try store.perform(DeleteLiftSet(.id(set.id)), .of(robin))
    #expect(try Self.hashes(directory) == 2)
    _ = try store.perform(DeleteWeightEntry(.id(entry.id)), .of(robin))
    // An import that replaces all sets leaves the other to be swept.
    let id = try store.perform(BeginLiftImport(replaces: true), .of(robin))
    try store.perform(BeginImportEnd(id), .of(robin))
    _ = try store.perform(
      FinishLiftImport(id, try store.contents(ofImport: id)), .of(robin))
    #expect(try Self.hashes(directory) == 2)
    let days: Int64 = 31 * 86_400_000
    clock.set(wallMilliseconds: 1_700_000_000_000 + days)
    clock.set(monotonicNanoseconds: UInt64(days) * 1_000_000)
    for number in 0..<(2 * StoreLimits.commandsPerExpiry) {
      _ = try store.perform(SetPreference(key: "k", value: "\(number)"), .of(robin))
    }
    #expect(try Self.hashes(directory) == 0)
    draft.thousandths = 81_000
    for refused in [
      #expect(throws: StoreError.self) {
        _ = try store.perform(CreateWeightEntry(draft, clientID: ids[0]), .of(robin))
      },
      #expect(throws: StoreError.self) {
        _ = try store.perform(CreateLiftSet(sets[0], clientID: ids[1]), .of(robin))
      },
      #expect(throws: StoreError.self) {
        _ = try store.perform(CreateLiftSet(sets[0], clientID: ids[2]), .of(robin))
      },
    ] { #expect(refused?.code == .failedPrecondition) }
    let other = #expect(throws: StoreError.self) {
      try store.perform(CreateEquipment(.riser(), clientID: ids[0]), .of(robin))
    }
    #expect(other?.code == .alreadyExists)
  }

  /// How many client_ids stand with a hash of what they made.
  private static func hashes(_ directory: TemporaryDirectory) throws -> Int? {
    try Connection(path: directory.databasePath, mode: .readOnly)
      .value("SELECT count(*) FROM client_object WHERE length(content_hash) > 0")
      .flatMap { Int($0) }
  }

  @Test("An instant outside the calendar is refused; a stored one ends the list of months")
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

  @Test("A change for a deleted plan does not affect a later plan")
  func deletedPlan() throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    func set(_ goal: Int64, revision: UInt64) throws -> UInt64 {
      let plan = MilestonePlan(
        unit: .kilogram, startThousandths: 80_000, goalThousandths: goal, stepThousandths: 2_000,
        startDay: 100)
      return try store.perform(SetWeightPlan(plan, revision: revision), .of(robin)).revision
    }
    func plan() throws -> WeightPlanRecord? {
      try store.read { (snapshot) throws(StoreError) in
        try snapshot.weightPlan(principal: robin)
      }
    }
    #expect(try set(70_000, revision: 0) == 1)
    try store.perform(DeleteWeightPlan(), .of(robin))
    try store.perform(DeleteWeightPlan(), .of(robin))
    #expect(try plan() == nil)
    let none = #expect(throws: StoreError.self) { try set(60_000, revision: 1) }
    #expect(none?.code == .invalidArgument)
    let next = try set(71_000, revision: 0)
    #expect(next > 1)
    let stale = #expect(throws: StoreError.self) { try set(60_000, revision: 1) }
    #expect(stale?.code == .aborted)
    #expect(try plan()?.plan.goalThousandths == 71_000)
    #expect(try set(72_000, revision: next) == next + 1)
  }
}
