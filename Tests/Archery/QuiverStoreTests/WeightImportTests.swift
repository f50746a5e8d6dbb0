import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

extension Store {
  /// Imports a short list of entries.
  func importWeights(
    _ entries: [WeightEntryContent], of principal: Int64
  ) throws(StoreError) -> WeightImportOutcome {
    try perform(
      ImportWeightEntries(try compareWeights(entries, principal: principal)), .of(principal))
  }
}

@Suite("Imports of weight entries", .timeLimit(.minutes(5))) struct WeightImportTests {
  private static func entries(_ count: Int32, note: String = "note") -> [WeightEntryContent] {
    (0..<count).map { index in
      WeightEntryContent(
        day: 18_000 + index / 7, thousandths: 80_000 + Int64(index % 5), unit: .kilogram,
        note: note, bodyFatPercent: index % 2 == 0 ? nil : 17.5)
    }
  }

  private static func robin(_ store: Store) throws -> Int64 {
    try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
  }

  /// Stages everything that is missing; returns the id and the number of commands.
  private static func stage(
    _ comparison: WeightComparison, _ store: Store, _ principal: Int64
  ) throws -> (id: Int64, commands: Int) {
    var rest = comparison.missing[...]
    var id: Int64?
    var count = 0
    while !rest.isEmpty {
      let outcome = try store.perform(StageWeightEntries(rest, of: id), .of(principal))
      (id, rest) = (outcome.importID, rest.dropFirst(outcome.storedCount))
      count += 1
    }
    return (try #require(id), count)
  }

  private static func count(_ store: Store, _ principal: Int64) throws -> Int {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.weighIns(ofDays: CivilDate.dayRange, principal: principal).count
    }
  }

  @Test("The commands of an import are bounded in rows and in bytes")
  func bounds() throws {
    let store = try TemporaryDirectory().open(quotas: .none)
    let robin = try Self.robin(store)
    for (count, note) in [(1_000, ""), (200, String(repeating: "\u{1F3F9}", count: 4_000))] {
      let entries = Self.entries(Int32(count), note: note)
      let comparison = try store.compareWeights(entries, principal: robin)
      #expect(!comparison.isShort && comparison.missing.count == count)
      let before = try Self.count(store, robin)
      let (id, commands) = try Self.stage(comparison, store, robin)
      let bytes = comparison.missing.reduce(0) { $0 + $1.byteCount }
      #expect(commands >= count / StoreLimits.weightsPerImportBatch)
      #expect(commands >= bytes / (StoreLimits.importBatchByteCount + 20_000))
      #expect(try Self.count(store, robin) == before, "staged entries are not read")
      let outcome = try store.perform(DecideWeightImport(id, comparison), .of(robin))
      #expect(outcome.added == Int64(count) && outcome.unchanged == 0)
      var ends = 1
      while try !store.perform(EndWeightImport(id), .of(robin)) { ends += 1 }
      #expect(ends >= commands)
      #expect(try Self.count(store, robin) == before + count)
      #expect(try store.compareWeights(entries, principal: robin).missing.isEmpty)
      #expect(try store.verify() == [])
    }
  }

  @Test("An import is refused if an entry has changed since the comparison, and adds nothing")
  func changed() throws {
    let store = try TemporaryDirectory().open()
    let robin = try Self.robin(store)
    let entries = Self.entries(300)
    var long = try store.compareWeights(entries, principal: robin)
    let short = try store.compareWeights(Array(entries.prefix(3)), principal: robin)
    let (id, _) = try Self.stage(long, store, robin)
    // Changes of others do not matter.
    let other = try Self.robin(store)
    _ = try store.importWeights(Array(entries.prefix(2)), of: other)
    #expect(try store.isCurrent(&long))
    _ = try store.importWeights([entries[0]], of: robin)
    #expect(try !store.isCurrent(&long))
    let refusals = [
      #expect(throws: StoreError.self) {
        try store.perform(DecideWeightImport(id, long), .of(robin))
      },
      #expect(throws: StoreError.self) {
        try store.perform(ImportWeightEntries(short), .of(robin))
      },
    ]
    for refusal in refusals { #expect(refusal?.code == .aborted) }
    while try !store.perform(EndWeightImport(id), .of(robin)) {}
    #expect(try Self.count(store, robin) == 1)
    #expect(try store.importWeights(Array(entries.prefix(3)), of: robin).unchanged == 1)
    #expect(try store.verify() == [])
  }

  @Test(
    "When the store is opened again, a decided import is completed and an undecided one is gone")
  func recovery() throws {
    let directory = try TemporaryDirectory()
    var store = try directory.open()
    let (robin, marian) = (try Self.robin(store), try Self.robin(store))
    let entries = Self.entries(300)
    let comparison = try store.compareWeights(entries, principal: robin)
    let (decided, _) = try Self.stage(comparison, store, robin)
    _ = try Self.stage(
      try store.compareWeights(entries, principal: marian), store, marian)
    _ = try store.perform(DecideWeightImport(decided, comparison), .of(robin))
    // A part of it was moved before the process ended.
    #expect(try !store.perform(EndWeightImport(decided), .of(robin)))
    #expect(try Self.count(store, robin) == StoreLimits.weightsPerImportBatch)
    #expect(try store.verify() == [])
    store.close()
    store = try directory.open()
    #expect(try Self.count(store, robin) == 300)
    #expect(try Self.count(store, marian) == 0)
    #expect(try store.perform(EndWeightImport(decided), .of(robin)))
    #expect(try store.compareWeights(entries, principal: robin).missing.isEmpty)
    #expect(try store.compareWeights(entries, principal: marian).missing.count == 300)
    let findings = try store.verify()
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test("Nobody can end or continue the import of another principal")
  func others() throws {
    let store = try TemporaryDirectory().open()
    let (robin, marian) = (try Self.robin(store), try Self.robin(store))
    let comparison = try store.compareWeights(Self.entries(300), principal: robin)
    let (id, _) = try Self.stage(comparison, store, robin)
    let other = try store.compareWeights(Self.entries(300), principal: marian)
    #expect(throws: StoreError.self) {
      try store.perform(StageWeightEntries(other.missing[...], of: id), .of(marian))
    }
    #expect(throws: StoreError.self) {
      try store.perform(DecideWeightImport(id, other), .of(marian))
    }
    #expect(try store.perform(EndWeightImport(id), .of(marian)))
    _ = try store.perform(DecideWeightImport(id, comparison), .of(robin))
    while try !store.perform(EndWeightImport(id), .of(robin)) {}
    #expect(try Self.count(store, robin) == 300)
  }
}
