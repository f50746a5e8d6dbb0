import QuiverRules
import QuiverStore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct JournalTests {
  @Test("Every change has a row, numbered from 1 without gaps in commit order")
  func rows() throws {
    let store = try TemporaryDirectory().open()
    let made = try store.perform(CreateEquipment(.riser()), .of(5))
    #expect(throws: StoreError.self) {
      try store.perform(DeleteEquipment(.riser, .id(made.id)), .of(6))
    }
    _ = try store.perform(
      UpdateEquipment(.riser("Win&Win"), of: .id(made.id), revision: 1, mask: ["brand"]), .of(5))
    try store.perform(DeleteEquipment(.riser, .id(made.id)), .of(5))
    let rows = try store.read { (snapshot) throws(StoreError) in
      try snapshot.journal(after: 0, limit: 10)
    }
    #expect(rows.map(\.sequence) == [1, 2, 3])
    #expect(rows.map(\.change) == [.created, .updated, .deleted])
    #expect(rows.allSatisfy { $0.principal == 5 && $0.kind == .equipment && $0.objectID == 1 })
  }

  @Test("Reading continues after a sequence and stops at its limit")
  func resuming() throws {
    let store = try TemporaryDirectory().open()
    for _ in 0..<10 { _ = try store.perform(CreateEquipment(.riser()), .of(1)) }
    try store.read { (snapshot) throws(StoreError) in
      #expect(try snapshot.journal(after: 4, limit: 3).map(\.sequence) == [5, 6, 7])
      #expect(try snapshot.journal(after: 10, limit: 3).isEmpty)
      #expect(try snapshot.firstSequence() == 1)
      #expect(try snapshot.lastSequence() == 10)
    }
  }

  @Test("Old rows are deleted, the newest stays, and no sequence is used twice")
  func sweeping() throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    var store = try directory.open(clock: clock)
    for _ in 0..<10 { _ = try store.perform(CreateEquipment(.riser()), .of(1)) }
    clock.pass(milliseconds: 1 + StoreLimits.journalKeepMilliseconds)
    for _ in 0..<StoreLimits.commandsPerExpiry {
      #expect(throws: StoreError.self) {
        try store.perform(DeleteEquipment(.riser, .id(999)), .of(1))
      }
    }
    store.close()
    store = try directory.open(clock: clock)
    let first = try store.read { (snapshot) throws(StoreError) in try snapshot.firstSequence() }
    #expect(first == 10)
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    #expect(try store.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() } == 11)
  }

  @Test("A commit publishes its journal sequence before its commands are acknowledged")
  func committedHook() throws {
    let box = SeenSequences()
    let store = try TemporaryDirectory().open(
      hooks: StoreHooks(committed: { sequence in box.append(sequence) }))
    for count in 1...3 {
      _ = try store.perform(CreateEquipment(.riser()), .of(1))
      #expect(box.all == Array(1...Int64(count)))
    }
  }
}

private final class SeenSequences: Sendable {
  private let values = Mutex<[Int64]>([])
  var all: [Int64] { values.withLock { $0 } }
  func append(_ value: Int64) { values.withLock { $0.append(value) } }
}
