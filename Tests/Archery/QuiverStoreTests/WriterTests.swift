import Foundation
import QuiverRules
import QuiverStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct WriterTests {
  @Test("Waiting commands are committed together, with one fsync")
  func oneGroup() throws {
    // Time stands still, so that no batch ends because of its time.
    let store = try TemporaryDirectory().open(clock: TestClock())
    let gate = store.closeGate()
    let target = RecordingTarget(expecting: 100)
    for number in 0..<100 {
      store.submit(
        try CreateEquipment(.riser("Hoyt", "\(number)")), .of(1), target: target,
        encode: { _ in [] }, completion: { _ in })
    }
    #expect(store.queuedCommandCount == 100)
    let before = store.statistics
    gate.opened.signal()
    target.wait()
    let after = store.statistics
    #expect(after.committedBatches - before.committedBatches <= 2)
    #expect(after.largestBatch == 100)
  }

  @Test("A batch has at most its limit of commands, and further ones join the next batch")
  func boundedGroups() throws {
    let store = try TemporaryDirectory().open(clock: TestClock())
    let gate = store.closeGate()
    let count = 2 * StoreLimits.commandsPerBatch + 1
    let target = RecordingTarget(expecting: count)
    for number in 0..<count {
      store.submit(
        try CreateEquipment(.riser("Hoyt", "\(number)")), .of(1), target: target,
        encode: { _ in [] }, completion: { _ in })
    }
    gate.opened.signal()
    target.wait()
    #expect(
      target.deliverySizes == [StoreLimits.commandsPerBatch, StoreLimits.commandsPerBatch, 1])
    #expect(store.statistics.largestBatch == StoreLimits.commandsPerBatch)
  }

  @Test("A store can commit each command separately")
  func groupsOfOne() throws {
    let directory = try TemporaryDirectory()
    var configuration = StoreConfiguration(directory: directory.path)
    configuration.commandsPerBatch = 1
    let store = try Store(configuration)
    defer { store.close() }
    let gate = store.closeGate()
    let target = RecordingTarget(expecting: 20)
    for number in 0..<20 {
      store.submit(
        try CreateEquipment(.riser("Hoyt", "\(number)")), .of(1), target: target,
        encode: { _ in [] }, completion: { _ in })
    }
    gate.opened.signal()
    target.wait()
    #expect(target.deliverySizes == [Int](repeating: 1, count: 20))
    #expect(store.statistics.largestBatch == 1)
  }

  @Test("Each target is called once per batch, in the order of its commands")
  func deliveries() throws {
    let store = try TemporaryDirectory().open(clock: TestClock())
    let gate = store.closeGate()
    let targets = [RecordingTarget(expecting: 20), RecordingTarget(expecting: 10)]
    let order = Results()
    for number in 0..<30 {
      store.submit(
        try CreateEquipment(.riser("Hoyt", "\(number)")), .of(1),
        target: targets[number % 3 == 0 ? 1 : 0],
        encode: { record in [UInt8(clamping: record.id)] },
        completion: { result in order.set(number, result) })
    }
    gate.opened.signal()
    for target in targets { target.wait() }
    #expect(targets.map(\.deliverySizes) == [[20], [10]])
    #expect((0..<30).map { order.reply($0) } == (1...30).map { [UInt8($0)] })
  }

  @Test("A failed command leaves no trace, and the others in its batch succeed")
  func savepoints() throws {
    let store = try TemporaryDirectory().open()
    let gate = store.closeGate()
    let target = RecordingTarget(expecting: 3)
    let results = Results()
    let commands = [
      InsertAndMaybeFail(model: "first", fails: false),
      InsertAndMaybeFail(model: "second", fails: true),
      InsertAndMaybeFail(model: "third", fails: false),
    ]
    for (index, command) in commands.enumerated() {
      store.submit(
        command, .of(1), target: target, encode: { _ in [] },
        completion: { results.set(index, $0) })
    }
    gate.opened.signal()
    target.wait()
    #expect(results.reply(0) != nil && results.reply(2) != nil)
    #expect(results.code(1) == .failedPrecondition)
    let (models, journal) = try store.read { (snapshot) throws(StoreError) in
      (
        try snapshot.equipmentItems(
          principal: 1, EquipmentFilter(), pageSize: 0, pageToken: ""
        ).items.map(\.displayModel),
        try snapshot.journal(after: 0, limit: 10).map(\.sequence)
      )
    }
    #expect(models == ["third", "first"])
    #expect(journal == [1, 2])
  }

  @Test("A command whose deadline passed in the queue is not applied")
  func deadline() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(clock: clock)
    let gate = store.closeGate()
    let target = RecordingTarget(expecting: 2)
    let results = Results()
    for (index, deadline) in ([5_000, 50_000] as [UInt64]).enumerated() {
      store.submit(
        try CreateEquipment(.riser()), .of(1, deadline: deadline), target: target,
        encode: { _ in [] }, completion: { results.set(index, $0) })
    }
    clock.set(monotonicNanoseconds: 5_000)
    gate.opened.signal()
    target.wait()
    #expect(results.code(0) == .deadlineExceeded)
    #expect(results.reply(1) != nil)
    #expect(try Self.count(store) == 1)
  }

  @Test("A command that was cancelled in the queue is not applied")
  func cancellation() throws {
    let store = try TemporaryDirectory().open()
    let gate = store.closeGate()
    let target = RecordingTarget(expecting: 1)
    let results = Results()
    let cancellation = CommandCancellation()
    store.submit(
      try CreateEquipment(.riser()), .of(1, cancellation: cancellation), target: target,
      encode: { _ in [] }, completion: { results.set(0, $0) })
    cancellation.cancel()
    gate.opened.signal()
    target.wait()
    #expect(results.code(0) == .cancelled)
    #expect(try Self.count(store) == 0)
  }

  @Test("A full queue refuses at once and reports that nothing was processed")
  func queueBound() throws {
    let store = try TemporaryDirectory().open(queuedCommands: 4)
    let gate = store.closeGate()
    let waiting = RecordingTarget(expecting: 4)
    for _ in 0..<4 {
      store.submit(
        try CreateEquipment(.riser()), .of(1), target: waiting, encode: { _ in [] },
        completion: { _ in })
    }
    let refused = RecordingTarget(expecting: 1)
    let results = Results()
    store.submit(
      try CreateEquipment(.riser()), .of(1), target: refused, encode: { _ in [] },
      completion: { results.set(0, $0) })
    refused.wait()
    #expect(results.code(0) == .resourceExhausted)
    if case .failure(let error)? = results[0] { #expect(error.notProcessed) }
    gate.opened.signal()
    waiting.wait()
    #expect(try Self.count(store) == 4)
  }

  @Test("Closing writes the waiting commands and refuses later ones")
  func closing() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let gate = store.closeGate()
    let target = RecordingTarget(expecting: 10)
    for _ in 0..<10 {
      store.submit(
        try CreateEquipment(.riser()), .of(1), target: target, encode: { _ in [] },
        completion: { _ in })
    }
    gate.opened.signal()
    store.close()
    target.wait()
    let error = #expect(throws: StoreError.self) {
      try store.perform(CreateEquipment(.riser()), .of(1))
    }
    #expect(error?.code == .unavailable && error?.notProcessed == true)
    #expect(throws: StoreError.self) { try store.read { (_) throws(StoreError) in } }
    #expect(try Self.count(directory.open()) == 10)
  }

  @Test("Stored times never go back, also after a restart")
  func monotoneTime() throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    clock.set(wallMilliseconds: 2_000)
    let store = try directory.open(clock: clock)
    let first = try store.perform(CreateEquipment(.riser()), .of(1))
    clock.set(wallMilliseconds: 1_000)
    let second = try store.perform(CreateEquipment(.riser()), .of(1))
    store.close()
    let third = try directory.open(clock: clock).perform(CreateEquipment(.riser()), .of(1))
    #expect(
      [first, second, third].map(\.createdAtMilliseconds) == [2_000, 2_000, 2_000])
  }

  private static func count(_ store: Store) throws -> Int64 {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentCounts(principal: 1).reduce(0) { $0 + $1.active }
    }
  }
}

/// Makes a riser, and then may think better of it.
private struct InsertAndMaybeFail: Command {
  let model: String
  let fails: Bool

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    _ = try CreateEquipment(.riser("Hoyt", model)).apply(in: transaction)
    if fails { throw StoreError(.failedPrecondition, "it is so") }
  }
}
