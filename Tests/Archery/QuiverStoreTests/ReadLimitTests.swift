import QuiverRules
import QuiverStore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReadLimitTests {
  private static let endless = Query(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
  private static let long = Query(
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    SELECT count(*) FROM n
    """)

  @Test("A read that exceeds its time limit ends, and its reader can be used again")
  func ended() throws {
    let store = try Self.store(readMilliseconds: StoreLimits.readMilliseconds)
    let made = try store.perform(CreateEquipment(.riser()), .of(1))
    for _ in 0..<20 {
      let error = #expect(throws: StoreError.self) {
        try store.read { (snapshot) throws(StoreError) in
          try snapshot.first(Self.endless) { $0.int64(0) }
        }
      }
      #expect(error?.code == .deadlineExceeded)
      #expect(error?.message.contains("ask for less") == true)
      let found = try store.read { (snapshot) throws(StoreError) in
        try snapshot.equipment(.riser, .id(made.id), principal: 1)
      }
      #expect(found == made)
    }
  }

  @Test("The statements of one read share its time limit, and the next read has its own")
  func together() throws {
    let store = try Self.store(readMilliseconds: 1_000_000)
    func read(times: Int) throws(StoreError) {
      try store.read { (snapshot) throws(StoreError) in
        for _ in 0..<times { _ = try snapshot.first(Self.long) { $0.int64(0) } }
      }
    }
    try read(times: 1)
    try read(times: 1)
    let error = #expect(throws: StoreError.self) { try read(times: 1_000) }
    #expect(error?.code == .deadlineExceeded)
    try read(times: 1)
  }

  @Test("A read after a commit, which needs a new snapshot, has its time limit too")
  func afterCommit() throws {
    let store = try Self.store(readMilliseconds: 1_000_000)
    for number in 0..<3 {
      _ = try store.read { (snapshot) throws(StoreError) in
        try snapshot.first(Query("SELECT 1")) { $0.int64(0) }
      }
      _ = try store.perform(CreateEquipment(.riser("Hoyt", "\(number)")), .of(1))
      let error = #expect(throws: StoreError.self) {
        try store.read { (snapshot) throws(StoreError) in
          for _ in 0..<100 { _ = try snapshot.first(Self.long) { $0.int64(0) } }
        }
      }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  @Test("Reads that begin many new snapshots are not ended by the limit of one before them")
  func manySnapshots() throws {
    let store = try Self.store(readMilliseconds: 0)
    for number in 0..<600 {
      if number % 100 == 0 {
        _ = try? store.read { (snapshot) throws(StoreError) in
          try snapshot.first(Self.endless) { $0.int64(0) }
        }
      }
      let made = try store.perform(CreateEquipment(.riser("Hoyt", "\(number)")), .of(1))
      let found = try store.read { (snapshot) throws(StoreError) in
        try snapshot.equipment(.riser, .id(made.id), principal: 1)
      }
      #expect(found == made)
    }
  }

  @Test("A read that was ended does not block checkpoints")
  func log() throws {
    let store = try Self.store(readMilliseconds: 0)
    _ = try? store.read { (snapshot) throws(StoreError) in
      try snapshot.first(Self.endless) { $0.int64(0) }
    }
    for number in 0..<4_000 {
      _ = try store.perform(CreateEquipment(.riser("Hoyt", "\(number)")), .of(1))
    }
    #expect(store.statistics.checkpoints > 0)
    #expect(store.statistics.walByteCount < 16 << 20)
  }

  /// A store whose clock goes on by a second whenever it is looked at.
  private static func store(readMilliseconds: UInt64) throws -> Store {
    let directory = try TemporaryDirectory()
    let looks = Looks()
    let clock = StoreClock(
      monotonicNanoseconds: { looks.next() }, wallMilliseconds: StoreClock.system.wallMilliseconds)
    var configuration = StoreConfiguration(
      directory: directory.path, clock: clock,
      hooks: StoreHooks(fatal: { _ in withExtendedLifetime(directory) {} }))
    configuration.readMilliseconds = readMilliseconds
    return try Store(configuration)
  }
}

private final class Looks: Sendable {
  private let seconds = Atomic<UInt64>(0)

  func next() -> UInt64 { seconds.wrappingAdd(1, ordering: .relaxed).newValue * 1_000_000_000 }
}
