import Dispatch
import QuiverRules
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

@Suite("The rate at which a principal may write", .timeLimit(.minutes(5)))
struct QuotaRateTests {
  /// The bytes that one riser counts.
  private static func bytesOfRiser() throws -> Int64 {
    let store = try TemporaryDirectory().open()
    _ = try store.perform(try CreateEquipment(.riser()), .of(1))
    return try store.read { (snapshot) throws(StoreError) in
      try snapshot.usage(principal: 1).writtenBytes
    }
  }

  /// A store that accepts the bytes of five risers a minute.
  private static func open(_ clock: TestClock) throws -> Store {
    var quotas = StoreQuotas.none
    quotas.storedBytesPerMinute = try 5 * bytesOfRiser()
    return try TemporaryDirectory().open(clock: clock, quotas: quotas)
  }

  /// Creates risers until one is refused; returns how many were stored.
  private static func fill(_ store: Store) -> Int {
    for count in 0..<100 {
      do throws(StoreError) {
        _ = try store.perform(try CreateEquipment(.riser()), .of(1))
      } catch {
        #expect(error.message.hasPrefix("stored-bytes-per-minute:"))
        return count
      }
    }
    return 100
  }

  @Test("Sets that are created and changed one by one, and changes of a profile, count")
  func smallCommands() throws {
    let store = try TemporaryDirectory().open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0))
    func written(_ body: () throws -> Void) throws -> Int64 {
      func bytes() throws -> Int64 {
        try store.read { (snapshot) throws(StoreError) in
          try snapshot.usage(principal: robin.id).writtenBytes
        }
      }
      let before = try bytes()
      try body()
      return try bytes() - before
    }
    var set = try store.perform(CreateLiftSet(try LiftImportTests.set(1, "Squat")), .of(robin.id))
    let creating = try written {
      set = try store.perform(CreateLiftSet(try LiftImportTests.set(2, "Squat")), .of(robin.id))
    }
    #expect(creating >= CreateLiftSet.byteCount)
    let changing = try written {
      _ = try store.perform(
        UpdateLiftSet(
          try LiftImportTests.set(3, "Squat"), of: .id(set.id), revision: set.revision,
          mask: ["day"]), .of(robin.id))
    }
    #expect(changing >= CreateLiftSet.byteCount)
    var change = UpdateProfile.Change()
    change.displayName = "Robin"
    let renaming = try written {
      _ = try store.perform(
        try UpdateProfile(revision: robin.revision, change), .of(robin.id))
    }
    #expect(renaming >= UpdateProfile.byteCount)
  }

  @Test("A principal is refused once it has written exactly the bytes of a minute")
  func border() throws {
    #expect(Self.fill(try Self.open(TestClock())) == 5)
  }

  @Test("A principal that has written nothing for ten minutes may write the bytes of one")
  func rest() throws {
    let clock = TestClock()
    let store = try Self.open(clock)
    #expect(Self.fill(store) == 5)
    clock.pass(milliseconds: 600_000)
    #expect(Self.fill(store) == 5)
  }

  @Test("The bytes of a command count when the next one comes, however long that takes")
  func lateCount() throws {
    let clock = TestClock()
    let store = try Self.open(clock)
    _ = try store.perform(try CreateEquipment(.riser()), .of(1))
    clock.pass(milliseconds: 600_000)
    #expect(Self.fill(store) == 4)
  }

  @Test(
    "Bytes of a batch that was rolled back count once, and give no credit",
    arguments: [Int64(0), 600_000])
  func rolledBack(milliseconds: Int64) throws {
    let clock = TestClock()
    let store = try Self.open(clock)
    let gate = store.closeGate()
    let target = RecordingTarget(expecting: 3)
    let results = Results()
    for number in 0..<2 {
      store.submit(
        try CreateEquipment(.riser()), .of(1), target: target, encode: { _ in [] },
        completion: { results.set(number, $0) })
    }
    // It makes the batch start again, after the others were counted.
    store.submit(
      FailsAfterChange(clock: clock, milliseconds: milliseconds), .of(1), target: target,
      encode: { _ in [] }, completion: { results.set(2, $0) })
    gate.opened.signal()
    target.wait()
    #expect(results.reply(0) != nil && results.reply(1) != nil)
    #expect(results.code(2) == .failedPrecondition)
    #expect(Self.fill(store) == 3)
  }
}

/// Stores a riser, lets time pass when it is applied for the first time, and fails.
private final class FailsAfterChange: Command {
  let clock: TestClock
  let milliseconds: Int64
  private let wasApplied = Mutex(false)

  init(clock: TestClock, milliseconds: Int64) {
    self.clock = clock
    self.milliseconds = milliseconds
  }

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    _ = try CreateEquipment(.riser()).apply(in: transaction)
    let isFirst = wasApplied.withLock { wasApplied in
      defer { wasApplied = true }
      return !wasApplied
    }
    if isFirst { clock.pass(milliseconds: milliseconds) }
    throw StoreError(.failedPrecondition, "it fails")
  }
}
