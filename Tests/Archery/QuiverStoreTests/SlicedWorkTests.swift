import Foundation
import QuiverRules
import QuiverStore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SlicedWorkTests {
  @Test("Sliced work runs slice by slice, and its reply follows the last one")
  func whole() async throws {
    let store = try TemporaryDirectory().open()
    let made = try await store.work(MakeItems(count: 1_000), .of(1))
    #expect(made == 1_000)
    #expect(try Self.models(store).count == 1_000)
    #expect(store.statistics.committedBatches >= 100)
    #expect(try store.verify().isEmpty)
  }

  @Test("Single commands run between slices and wait for one slice at most")
  func between() async throws {
    let store = try TemporaryDirectory().open()
    let begun = Counter()
    async let made = store.work(MakeItems(count: 2_000, begun: begun), .of(1))
    var mostWaitedFor = 0
    for _ in 0..<50 {
      let target = RecordingTarget(expecting: 1)
      let atItsTurn = Counter()
      store.submit(
        Noting(begun: begun, atItsTurn: atItsTurn), .of(2), target: target, encode: { _ in [] },
        completion: { _ in })
      let whenQueued = begun.value
      target.wait()
      mostWaitedFor = max(mostWaitedFor, atItsTurn.value - whenQueued)
    }
    #expect(try await made == 2_000)
    #expect(mostWaitedFor <= 1)
    #expect(try store.verify().isEmpty)
  }

  @Test("A slice joins a batch of commands and replaces none of them")
  func together() async throws {
    let store = try TemporaryDirectory().open()
    let gate = store.closeGate()
    let begun = Counter()
    async let made = store.work(MakeItems(count: 20, begun: begun), .of(1))
    let target = RecordingTarget(expecting: 300)
    for number in 0..<300 {
      store.submit(
        try CreateEquipment(.riser("Hoyt", "\(number)")), .of(2), target: target,
        encode: { _ in [] }, completion: { _ in })
    }
    gate.opened.signal()
    target.wait()
    #expect(target.deliverySizes == [128, 128, 44])
    #expect(try await made == 20)
    #expect(begun.value == 2)
  }

  @Test("Two sliced works take turns")
  func twoWorks() async throws {
    let store = try TemporaryDirectory().open()
    let gate = store.closeGate()
    let order = Mutex<[Int64]>([])
    let note: @Sendable (Int64) -> Void = { who in order.withLock { $0.append(who) } }
    async let first = store.work(MakeItems(count: 100, note: note), .of(1))
    async let second = store.work(MakeItems(count: 100, note: note), .of(2))
    while store.queuedSliceCount < 2 { await Task.yield() }
    gate.opened.signal()
    #expect(try await [first, second] == [100, 100])
    let turns = order.withLock { $0 }
    #expect(turns.count == 20)
    #expect(zip(turns, turns.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test("A failed slice ends the work: committed slices stay, and nothing of the failed one")
  func failure() async throws {
    let store = try TemporaryDirectory().open()
    let late = await #expect(throws: StoreError.self) {
      try await store.work(MakeItems(count: 100, failsAt: 35), .of(1))
    }
    #expect(late?.code == .failedPrecondition)
    #expect(try Self.models(store).count == 30)
    let early = await #expect(throws: StoreError.self) {
      try await store.work(MakeItems(count: 100, failsAt: 5), .of(2))
    }
    #expect(early?.code == .failedPrecondition)
    #expect(try store.verify().isEmpty)
  }

  @Test("After a batch is run again, each slice has one effect")
  func begunAnew() async throws {
    let store = try TemporaryDirectory().open()
    let gate = store.closeGate()
    async let made = store.work(MakeItems(count: 20), .of(1))
    while store.queuedSliceCount < 1 { await Task.yield() }
    let target = RecordingTarget(expecting: 2)
    for fails in [true, false] {
      store.submit(
        FailingLate(fails: fails), .of(2), target: target, encode: { _ in [] },
        completion: { _ in })
    }
    gate.opened.signal()
    target.wait()
    #expect(try await made == 20)
    #expect(try Self.models(store) == (0..<20).map { "\($0)" })
  }

  @Test("Cancellation and the deadline end the work between two slices")
  func givenUp() async throws {
    let store = try TemporaryDirectory().open()
    let begun = Counter()
    let task = Task { try await store.work(MakeItems(count: 1_000_000, begun: begun), .of(1)) }
    while begun.value < 3 { await Task.yield() }
    task.cancel()
    let cancelled = await #expect(throws: StoreError.self) { try await task.value }
    #expect(cancelled?.code == .cancelled && cancelled?.notProcessed == false)
    #expect(try Self.models(store).count == 10 * begun.value)
    let late = await #expect(throws: StoreError.self) {
      try await store.work(MakeItems(count: 10), .of(1, deadline: 1))
    }
    #expect(late?.code == .deadlineExceeded && late?.notProcessed == true)
  }

  @Test("Closing the store ends its sliced works and refuses further ones")
  func closing() async throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let begun = Counter()
    let task = Task { try await store.work(MakeItems(count: 1_000_000, begun: begun), .of(1)) }
    while begun.value < 3 { await Task.yield() }
    store.close()
    let ended = await #expect(throws: StoreError.self) { try await task.value }
    #expect(ended?.code == .unavailable && ended?.notProcessed == false)
    let refused = await #expect(throws: StoreError.self) {
      try await store.work(MakeItems(count: 10), .of(1))
    }
    #expect(refused?.code == .unavailable && refused?.notProcessed == true)
    #expect(try Self.models(directory.open()).count == 10 * begun.value)
  }

  @Test("The number of concurrent sliced works is limited")
  func bound() async throws {
    let store = try TemporaryDirectory().open()
    let gate = store.closeGate()
    let works = (0..<StoreLimits.slicedWorks).map { _ in
      Task { try await store.work(MakeItems(count: 20), .of(1)) }
    }
    while store.queuedSliceCount < works.count { await Task.yield() }
    let refused = await #expect(throws: StoreError.self) {
      try await store.work(MakeItems(count: 20), .of(1))
    }
    #expect(refused?.code == .resourceExhausted && refused?.notProcessed == true)
    gate.opened.signal()
    for work in works { #expect(try await work.value == 20) }
    #expect(try await store.work(MakeItems(count: 20), .of(1)) == 20)
  }

  private static func models(_ store: Store) throws -> [String] {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.all(Query("SELECT model FROM equipment WHERE principal_id = 1 ORDER BY id")) {
        $0.text(0)
      }
    }
  }
}

/// Makes numbered items, ten in a slice.
private struct MakeItems: SlicedWork {
  let count: Int
  var failsAt: Int?
  var begun = Counter()
  var note: @Sendable (Int64) -> Void = { _ in }
  private var made = 0

  init(
    count: Int, failsAt: Int? = nil, begun: Counter = Counter(),
    note: @escaping @Sendable (Int64) -> Void = { _ in }
  ) {
    self.count = count
    self.failsAt = failsAt
    self.begun = begun
    self.note = note
  }

  mutating func slice(in transaction: borrowing Transaction) throws(StoreError) -> Int? {
    begun.increment()
    note(transaction.caller.principal)
    for _ in 0..<min(10, count - made) {
      if made == failsAt { throw StoreError(.failedPrecondition, "it is so") }
      _ = try CreateEquipment(.riser("Hoyt", "\(made)")).apply(in: transaction)
      made += 1
    }
    return made == count ? made : nil
  }
}

/// Notes how many slices were begun before it.
private struct Noting: Command {
  let begun: Counter
  let atItsTurn: Counter

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    atItsTurn.set(begun.value)
  }
}

/// Changes rows, and then may fail.
private struct FailingLate: Command {
  let fails: Bool

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    _ = try CreateEquipment(.riser()).apply(in: transaction)
    if fails { throw StoreError(.aborted, "it is so") }
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func increment() { count.withLock { $0 += 1 } }
  func set(_ value: Int) { count.withLock { $0 = value } }
}
