import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

/// The record of an exercise, which its sets keep while they change.
@Suite(.timeLimit(.minutes(5))) struct LiftRecordTests {
  /// Runs a command, and answers how many steps its statements took.
  private struct Measured<Measurable: Command>: Command {
    let command: Measurable

    func apply(in transaction: borrowing Transaction) throws(StoreError) -> Int64 {
      let connection = transaction.snapshot.session.connection
      let before = connection.virtualMachineStepCount
      _ = try command.apply(in: transaction)
      return connection.virtualMachineStepCount - before
    }
  }

  private static func heaviest(_ principal: Int64, _ store: Store) throws -> LiftSetRecord {
    let query = Snapshot.LiftQuery(unit: .pound, leavesOutLowConfidence: false)
    let found = try store.read { (snapshot) throws(StoreError) in
      try snapshot.liftSeries(of: "Squat", .last(1), query, principal: principal).record
    }
    return try #require(found?.record)
  }

  @Test(
    "Changing and deleting the record costs the same in a log of 10 and of 1,900 days",
    arguments: [5, 20] as [Int32])
  func cost(_ repetitions: Int32) async throws {
    var steps: [[Int64]] = []
    for days in [10, 1_900] {
      let store = try TemporaryDirectory().open()
      let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
      let sets = try (0..<days).map { (day: Int) throws -> LiftSet in
        let weight = Double(100 + day % 700)
        return try LiftImportTests.set(Int32(day), "Squat", reps: repetitions, weight: weight)
      }
      try await LiftImportTests.run(sets, of: robin, store)
      let record = try Self.heaviest(robin, store)
      var lighter = record.set
      lighter.weight = 50
      let update = try UpdateLiftSet(
        lighter, of: .id(record.id), revision: record.revision, mask: ["weight"])
      let updating = try store.perform(Measured(command: update), .of(robin))
      let next = try Self.heaviest(robin, store)
      #expect(next.id != record.id)
      let deleting = try store.perform(
        Measured(command: DeleteLiftSet(.id(next.id))), .of(robin))
      steps.append([updating, deleting])
      #expect(try store.verify().isEmpty)
    }
    for (short, long) in zip(steps[0], steps[1]) {
      #expect(long < short + 100, "\(short) and \(long) steps")
    }
  }

  @Test("Random changes keep the records that the rules give", arguments: TestSeed.seeds(4))
  func random(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    func some() throws -> LiftSet {
      // Few days and weights, so that many sets are equal; some have no one-rep max.
      try LiftImportTests.set(
        Int32.random(in: 0..<6, using: &random),
        ["Squat", "Press"].randomElement(using: &random) ?? "Squat",
        reps: [1, 12, 13, 36, 37].randomElement(using: &random) ?? 1,
        weight: Double(Int.random(in: 1...4, using: &random)))
    }
    var sets: [LiftSetRecord] = []
    for step in 0..<200 {
      let index = sets.isEmpty ? 0 : Int.random(in: 0..<sets.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where !sets.isEmpty:
        try store.perform(DeleteLiftSet(.id(sets.remove(at: index).id)), .of(robin))
      case 1 where !sets.isEmpty, 2 where !sets.isEmpty:
        sets[index] = try store.perform(
          UpdateLiftSet(
            try some(), of: .id(sets[index].id), revision: sets[index].revision,
            mask: ["day", "exercise", "repetitions", "weight"]), .of(robin))
      default: sets.append(try store.perform(CreateLiftSet(try some()), .of(robin)))
      }
      // Verification folds every series again with the rules.
      if step % 10 == 9 { #expect(try store.verify() == [], "seed \(seed), step \(step)") }
    }
  }

  @Test("A log in both units that is exported and imported in either adds nothing")
  func units() async throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    var random = SplitMix64(seed: 5)
    let mixed = try (0..<1_500).map { (index: Int) throws -> LiftSet in
      let weight = Double(Int.random(in: 0...3_600, using: &random)) / 4
      var set = try LiftImportTests.set(Int32(index / 5), "Squat", weight: weight)
      set.unit = index % 2 == 0 ? .pound : .kilogram
      return set
    }
    try await LiftImportTests.run(mixed, of: robin, store)
    let stored = try LiftImportTests.sets(of: robin, store)
    for unit in WeightUnit.allCases {
      var reader = LiftLineReader(unit: unit)
      var lines: [LiftSet] = []
      reader.read(Array(stored.map { $0.line(in: unit) }.joined().utf8), into: &lines)
      reader.finish(into: &lines)
      #expect(lines.count == 1_500)
      // Compared when the import ends, and before it is stored.
      #expect(try await LiftImportTests.run(lines, of: robin, store).added == 0, "\(unit)")
      var matches = LiftMatches()
      var rest = lines
      try matches.removeStored(from: &rest, after: 0, principal: robin, in: store)
      #expect(rest.isEmpty, "\(unit)")
      lines[0].weight += 0.001
      #expect(try await LiftImportTests.run([lines[0]], of: robin, store).added == 1)
    }
  }

  @Test("An import remembers no more of a stored day than its limit")
  func remembered() async throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    let day = try (100..<200).map { (weight: Int) throws -> LiftSet in
      try LiftImportTests.set(1, "Squat", weight: Double(weight))
    }
    try await LiftImportTests.run(day, of: robin, store)
    for limit in [50, 100, 101] {
      var matches = LiftMatches(limit: limit)
      var rest = day
      try matches.removeStored(from: &rest, after: 0, principal: robin, in: store)
      let fits = limit > 100
      #expect(matches.isComplete == fits && rest.isEmpty == fits)
      #expect(matches.rememberedCount <= limit)
      #expect(try await LiftImportTests.run(rest, of: robin, store, after: matches).added == 0)
    }
  }

  @Test("An import with too many different sets of a day that has stored ones is refused")
  func tooMany() throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    _ = try store.perform(CreateLiftSet(try LiftImportTests.set(1, "Squat")), .of(robin))
    let day = try (0..<2_100).map { (index: Int) throws -> LiftSet in
      let (weight, repetitions) = (Double(100 + index / 2), Int32(5 + index % 2))
      return try LiftImportTests.set(1, "Squat", reps: repetitions, weight: weight)
    }
    let id = try store.perform(BeginLiftImport(replaces: false), .of(robin))
    try LiftImportTests.append(day, to: id, of: robin, store)
    try store.perform(BeginImportEnd(id), .of(robin))
    let error = #expect(throws: StoreError.self) {
      try store.doubleLifts(of: id, principal: robin, from: .start, limit: 50)
    }
    #expect(error?.code == .resourceExhausted && error?.message.contains("50 different") == true)
    let all = try store.doubleLifts(of: id, principal: robin, from: .start, limit: 100)
    #expect(all.ids.count == 1)
  }
}
