import Foundation
import QuiverRules
import QuiverSQLite
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct LiftImportTests {
  static func set(
    _ day: Int32, _ name: String, sets: Int32 = 0, reps: Int32 = 5, weight: Double = 100
  ) throws -> LiftSet {
    LiftSet(
      day: day, exercise: try #require(ExerciseName(name)), sets: sets, repetitions: reps,
      weight: weight, unit: .pound)
  }

  /// Runs an import from its beginning to its end.
  @discardableResult
  static func run(
    _ sets: [LiftSet], replaces: Bool = false, of principal: Int64, _ store: Store,
    after matches: LiftMatches = LiftMatches()
  ) async throws -> FinishLiftImport.Outcome {
    let options = CommandOptions.of(principal)
    let id = try store.perform(BeginLiftImport(replaces: replaces), options)
    try append(sets, to: id, of: principal, store)
    try store.perform(BeginImportEnd(id), options)
    if !replaces {
      var place: ImportedPlace? = .start
      while let from = place {
        let found = try store.doubleLifts(
          of: id, principal: principal, from: from, after: matches)
        if !found.ids.isEmpty { try store.perform(DropImportedLifts(found.ids, of: id), options) }
        place = found.next
      }
    }
    return try store.perform(
      FinishLiftImport(id, try store.contents(ofImport: id)), options)
  }

  @Test(
    "An import that matches its lines first stores what one that compares at its end stores",
    arguments: TestSeed.seeds(6))
  func matched(_ seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    func some(_ count: Int) throws -> [LiftSet] {
      try (0..<count).map { _ in
        try Self.set(
          Int32.random(in: 0..<20, using: &random),
          ["Squat", "Press"].randomElement(using: &random)!,
          sets: Int32.random(in: 0...1, using: &random),
          reps: Int32.random(in: 1...2, using: &random))
      }
    }
    let store = try TemporaryDirectory().open()
    let early = try store.perform(CreatePrincipal(kind: .user, displayName: "E"), .of(0)).id
    let late = try store.perform(CreatePrincipal(kind: .user, displayName: "L"), .of(0)).id
    for round in 0..<4 {
      let sets = try some(Int.random(in: 0...200, using: &random))
      try await Self.run(sets, of: late, store)
      // Limits below and above the number of days.
      var matches = LiftMatches(limit: [0, 3, 30, 100_000][round])
      var rest: [LiftSet] = []
      for set in sets {
        let first = rest.count
        rest.append(set)
        try matches.removeStored(from: &rest, after: first, principal: early, in: store)
      }
      #expect(round == 0 || matches.isComplete == (round > 2) || sets.isEmpty, "seed \(seed)")
      try await Self.run(rest, of: early, store, after: matches)
      #expect(
        try Self.sets(of: early, store).sorted(by: Self.isBefore)
          == Self.sets(of: late, store).sorted(by: Self.isBefore), "seed \(seed), round \(round)")
    }
  }

  private static func isBefore(_ left: LiftSet, _ right: LiftSet) -> Bool {
    (left.exercise, left.day, left.sets, left.repetitions)
      < (right.exercise, right.day, right.sets, right.repetitions)
  }

  static func append(
    _ sets: [LiftSet], to id: Int64, of principal: Int64, _ store: Store
  ) throws {
    var series: [ExerciseName: Int64] = [:]
    var count: Int64 = 0
    var rest = sets[...]
    while !rest.isEmpty {
      let group = Array(rest.prefix(StoreLimits.setsPerImportBatch))
      let outcome = try store.perform(
        AppendLifts(group, of: id, series: series, storedCount: count), .of(principal))
      series.merge(outcome.series) { $1 }
      count += Int64(outcome.storedCount)
      rest = rest.dropFirst(outcome.storedCount)
    }
  }

  /// All sets that can be read, in the order of an export.
  static func sets(of principal: Int64, _ store: Store) throws -> [LiftSet] {
    try store.read { (snapshot) throws(StoreError) in
      var found: [LiftSet] = []
      var token = ""
      repeat {
        let page = try snapshot.liftSetsForExport(
          principal: principal, pageSize: 500, pageToken: token)
        found += page.items.map(\.set)
        token = page.nextPageToken
      } while !token.isEmpty
      return found
    }
  }

  @Test(
    "Importing the same log again adds nothing, and a longer one adds the new sets",
    arguments: [10, 5_000])
  func twice(_ count: Int) async throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    var log: [LiftSet] = []
    for index in 0..<count {
      // Each line of it is there twice, some of them three times.
      let set = try Self.set(Int32(index / 7), index % 2 == 0 ? "Squat" : "Press")
      log += Array(repeating: set, count: index % 5 == 0 ? 3 : 2)
    }
    let first = try await Self.run(log, of: robin, store)
    #expect(first.added == Int64(log.count))
    let stored = try Self.sets(of: robin, store)
    #expect(stored.count == log.count)
    #expect(try await Self.run(log, of: robin, store).added == 0)
    #expect(try Self.sets(of: robin, store) == stored)
    let more = log + [try Self.set(3, "Squat"), try Self.set(3, "Squat", sets: 1)]
    #expect(try await Self.run(more, of: robin, store).added == 2)
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    let again = try await Self.run(more.shuffled(using: &random), of: robin, store)
    #expect(again.added == 0, "seed \(seed)")
    #expect(try Self.sets(of: robin, store).count == log.count + 2, "seed \(seed)")
  }

  @Test("Imported sets are not readable before the end of the import, nor after it is discarded")
  func hidden() async throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    _ = try store.perform(CreateLiftSet(try Self.set(1, "Squat")), .of(robin))
    let id = try store.perform(BeginLiftImport(replaces: true), .of(robin))
    let log = try (0..<3_000).map { try Self.set(Int32($0), "Press") }
    try Self.append(log, to: id, of: robin, store)
    #expect(try Self.sets(of: robin, store).count == 1)
    let names = try store.read { (snapshot) throws(StoreError) in
      try snapshot.exercises(principal: robin, scope: "", pageSize: 0, pageToken: "").items
    }
    #expect(names.map(\.name.text) == ["Squat"])
    let second = #expect(throws: StoreError.self) {
      try store.perform(BeginLiftImport(replaces: false), .of(robin))
    }
    #expect(second?.code == .failedPrecondition)
    try store.perform(AbandonLiftImport(id), .of(robin))
    let late = #expect(throws: StoreError.self) {
      try store.perform(BeginImportEnd(id), .of(robin))
    }
    #expect(late?.code == .aborted)
    #expect(try await Self.run(log, of: robin, store).added == 3_000)
    #expect(try Self.sets(of: robin, store).count == 3_001)
  }

  @Test("A batch ends early if other commands wait, and returns how many sets it stored")
  func early() throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    let id = try store.perform(BeginLiftImport(replaces: false), .of(robin))
    let log = try (0..<1_000).map { try Self.set(Int32($0), $0 % 2 == 0 ? "Press" : "Squat") }
    let outcome = Mutex<AppendLifts.Outcome?>(nil)
    func append(_ target: RecordingTarget) {
      store.submit(
        AppendLifts(log, of: id, series: [:], storedCount: 0), .of(robin), target: target,
        encode: { reply in
          outcome.withLock { $0 = reply }
          return []
        }, completion: { _ in })
    }
    for isLast in [false, true] {
      let target = RecordingTarget(expecting: isLast ? 1 : 2)
      let gate = store.closeGate()
      append(target)
      if !isLast {
        store.submit(
          try CreateEquipment(.riser()), .of(robin), target: target, encode: { _ in [] },
          completion: { _ in })
      }
      gate.opened.signal()
      target.wait()
      let found = try #require(outcome.withLock { $0 })
      #expect(found.storedCount == (isLast ? 1_000 : StoreLimits.setsPerImportStep))
      #expect(Set(found.series.keys.map(\.text)) == ["Press", "Squat"])
    }
  }

  @Test("The batches of an import do not make other bulk work wait as single commands do")
  func singleCommands() throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    let id = try store.perform(BeginLiftImport(replaces: false), .of(robin))
    #expect(store.singleCommandCount == 2)
    try Self.append(
      (0..<5_000).map { try Self.set($0, "Press") }, to: id, of: robin, store)
    #expect(store.singleCommandCount == 2)
    try store.perform(BeginImportEnd(id), .of(robin))
    #expect(store.singleCommandCount == 3)
  }

  @Test("The write-ahead log stays short during an import without idle time")
  func shortLog() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    let id = try store.perform(BeginLiftImport(replaces: false), .of(robin))
    // The file is as long as the log ever was; the schema made it as long as it is now.
    func byteCount() throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: directory.databasePath + "-wal")
      return try #require(attributes[.size] as? Int)
    }
    let opened = try byteCount()
    let log = try (0..<60_000).map { try Self.set(Int32($0 / 10), "Press") }
    try Self.append(log, to: id, of: robin, store)
    let length = try byteCount()
    #expect(length > 0 && length < opened + 2 * StoreLimits.bulkCheckpointByteCount)
    #expect(store.statistics.checkpoints > 1)
  }

  @Test("Opening the store discards an import that an earlier process did not finish")
  func leftBehind() async throws {
    let directory = try TemporaryDirectory()
    var store = try directory.open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    let id = try store.perform(BeginLiftImport(replaces: false), .of(robin))
    try Self.append([try Self.set(1, "Squat")], to: id, of: robin, store)
    store.close()
    store = try directory.open()
    #expect(try Self.sets(of: robin, store).isEmpty)
    #expect(try await Self.run([try Self.set(1, "Squat")], of: robin, store).added == 1)
  }

  @Test("Opening the store completes the discarding of an import")
  func halfGivenUp() async throws {
    let directory = try TemporaryDirectory()
    var store = try directory.open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    let id = try store.perform(BeginLiftImport(replaces: false), .of(robin))
    try Self.append([try Self.set(1, "Squat")], to: id, of: robin, store)
    store.close()
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    try connection.execute(
      "INSERT INTO lift_garbage (series_id) SELECT id FROM lift_series WHERE import_id <> 0")
    connection.close()
    store = try directory.open()
    #expect(try await Self.run([try Self.set(1, "Squat")], of: robin, store).added == 1)
  }

  @Test("The sets that imports replace are removed as fast as new ones arrive")
  func garbage() async throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    let log = try (0..<4_000).map { try Self.set(Int32($0), "Squat") }
    for _ in 0..<8 { try await Self.run(log, replaces: true, of: robin, store) }
    let count = try store.read { (snapshot) throws(StoreError) in
      try snapshot.first(Query("SELECT count(*) FROM lift_set"), map: { row in row.int64(0) })
    }
    #expect(try #require(count) <= 12_000)
  }

  @Test("An exercise is deleted with its last set, whether the set is deleted or renamed")
  func lastSet() throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    func names() throws -> [String] {
      try store.read { (snapshot) throws(StoreError) in
        try snapshot.all(Query("SELECT name FROM exercise ORDER BY name"), map: { $0.text(0) })
      }
    }
    var set = try store.perform(CreateLiftSet(try Self.set(1, "Squat")), .of(robin))
    let other = try store.perform(CreateLiftSet(try Self.set(2, "Squat")), .of(robin))
    for name in ["Press", "Row"] {
      set = try store.perform(
        UpdateLiftSet(
          try Self.set(1, name), of: .id(set.id), revision: set.revision, mask: ["exercise"]),
        .of(robin))
    }
    #expect(try names() == ["Row", "Squat"])
    try store.perform(DeleteLiftSet(.id(other.id)), .of(robin))
    #expect(try names() == ["Row"])
    try store.perform(DeleteLiftSet(.id(set.id)), .of(robin))
    #expect(try names().isEmpty)
    _ = try store.perform(CreateLiftSet(try Self.set(3, "Squat")), .of(robin))
    #expect(try names() == ["Squat"] && store.verify().isEmpty)
  }

  @Test("REPLACE removes the existing sets and their record")
  func replaces() async throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    let old = try (0..<2_500).map { try Self.set(Int32($0), "Squat", weight: 200) }
    try await Self.run(old, of: robin, store)
    let outcome = try await Self.run(
      [try Self.set(7, "Squat", weight: 50)], replaces: true, of: robin, store)
    #expect(outcome == FinishLiftImport.Outcome(added: 1, removed: 2_500))
    #expect(try Self.sets(of: robin, store).map(\.weight) == [50])
    try store.read { (snapshot) throws(StoreError) in
      let found = try snapshot.liftSeries(
        of: "Squat", .last(31), .init(unit: .pound, leavesOutLowConfidence: false),
        principal: robin)
      #expect(found.days.map(\.record.set.day) == [7] && found.record?.record.set.weight == 50)
    }
  }

  private struct InsertSeries: Command {
    let exercise: Int64
    let count: Int64

    private static let insert = Query(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
      INSERT INTO lift_series (principal_id, exercise_id, import_id, set_count)
      SELECT ?1, ?2, 0, 0 FROM n
      """)

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      try transaction.run(
        Self.insert, .integer(transaction.caller.principal), .integer(exercise), .integer(count))
    }
  }

  @Test(
    "A large import is refused if the account would have too many series, until it replaces them")
  func manySeries() async throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    _ = try store.perform(CreateLiftSet(try Self.set(1, "Squat")), .of(robin))
    let limit = StoreLimits.liftSeriesPerPrincipal
    try store.perform(InsertSeries(exercise: 1, count: limit - 2), .of(robin))
    let large = try (0..<2_500).map { try Self.set(Int32($0), "Squat") }
    try await Self.run(large, of: robin, store)
    let other = try (0..<2_500).map { try Self.set(Int32($0), "Press") }
    let id = try store.perform(BeginLiftImport(replaces: false), .of(robin))
    try Self.append(other, to: id, of: robin, store)
    try store.perform(BeginImportEnd(id), .of(robin))
    let contents = try store.contents(ofImport: id)
    let error = #expect(throws: StoreError.self) {
      try store.perform(FinishLiftImport(id, contents), .of(robin))
    }
    #expect(error?.code == .resourceExhausted && error?.message.contains("10000") == true)
    try store.perform(AbandonLiftImport(id), .of(robin))
    try await Self.run([try Self.set(9_000, "Squat")], of: robin, store)
    try await Self.run(other, replaces: true, of: robin, store)
    #expect(try Self.sets(of: robin, store).count == 2_500)
    try await Self.run(large, of: robin, store)
  }

  @Test("Windows, records and neighbours agree with the rules, for joined and separate series")
  func asTheRules() async throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    var generator = SeededGenerator(seed: 17)
    var all: [LiftSet] = []
    for count in [3_000, 40, 2_600] {
      let sets = try (0..<count).map { _ in
        try Self.set(
          Int32(generator.next() % 900), "Squat", reps: Int32(1 + generator.next() % 40),
          weight: Double(generator.next() % 60))
      }
      _ = try await Self.run(sets, of: robin, store)
    }
    all = try Self.sets(of: robin, store)
    for leavesOut in [false, true] {
      let expected = LiftSeries(all, in: .pound, leavesOutLowConfidence: leavesOut)
      let query = Snapshot.LiftQuery(unit: .pound, leavesOutLowConfidence: leavesOut)
      try store.read { (snapshot) throws(StoreError) in
        let found = try snapshot.liftSeries(of: "Squat", .last(93), query, principal: robin)
        #expect(found.days.map(\.oneRepMax) == expected.last(93).map(\.oneRepMax))
        #expect(found.days.map(\.record.set.day) == expected.last(93).map(\.day))
        #expect(found.record?.oneRepMax == expected.record?.oneRepMax)
        #expect(found.record?.record.set.day == expected.record?.day)
        #expect(found.latest?.record.set.day == expected.latest?.day)
        let back = try snapshot.liftSeries(of: "Squat", .days(50), query, principal: robin)
        #expect(back.days.map(\.record.set.day) == expected.last(days: 50).map(\.day))
        for day in [-5, 0, 333, 899, 2_000] as [Int32] {
          let near = try snapshot.nearestLift(of: "Squat", to: day, query, principal: robin)
          #expect(near.record.set.day == expected.nearest(to: day)?.day)
        }
      }
    }
  }

  @Test("While an import ends, its principal's sets cannot change one by one")
  func ending() throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    let marian = try store.perform(CreatePrincipal(kind: .user, displayName: "M"), .of(0)).id
    let id = try store.perform(BeginLiftImport(replaces: false), .of(robin))
    _ = try store.perform(CreateLiftSet(try Self.set(1, "Squat")), .of(robin))
    try store.perform(BeginImportEnd(id), .of(robin))
    let error = #expect(throws: StoreError.self) {
      _ = try store.perform(CreateLiftSet(try Self.set(2, "Squat")), .of(robin))
    }
    #expect(error?.code == .unavailable && error?.notProcessed == true)
    _ = try store.perform(CreateLiftSet(try Self.set(2, "Squat")), .of(marian))
    try store.perform(AbandonLiftImport(id), .of(robin))
    _ = try store.perform(CreateLiftSet(try Self.set(2, "Squat")), .of(robin))
    #expect(try Self.sets(of: robin, store).count == 2)
  }
}
