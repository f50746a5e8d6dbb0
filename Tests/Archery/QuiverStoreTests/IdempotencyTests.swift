import Dispatch
import QuiverCrypto
import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct IdempotencyTests {
  private let key: [UInt8] = Array(0..<16)

  @Test("A repeated call has one effect and the same reply, also after a restart")
  func replay() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let first = try submit(store, .of(1, key: key))
    let second = try submit(store, .of(1, key: key))
    store.close()
    let reopened = try directory.open()
    let third = try submit(reopened, .of(1, key: key))
    #expect(try [first, second, third].map { try $0.get() } == [[1], [1], [1]])
    #expect(try count(reopened, 1) == 1)
    #expect(reopened.statistics.replayedCommands == 1)
  }

  @Test("Duplicates in one batch have one effect")
  func inOneGroup() throws {
    let store = try TemporaryDirectory().open()
    let gate = store.closeGate()
    let target = RecordingTarget(expecting: 5)
    let results = Results()
    for index in 0..<5 {
      store.submit(
        try CreateEquipment(.riser()), .of(1, key: key), target: target,
        encode: { [UInt8(clamping: $0.id)] }, completion: { results.set(index, $0) })
    }
    gate.opened.signal()
    target.wait()
    #expect((0..<5).map { results.reply($0) } == Array(repeating: [1], count: 5))
    #expect(try count(store, 1) == 1)
  }

  @Test("A key that is reused with another request is refused and changes nothing")
  func anotherRequest() throws {
    let store = try TemporaryDirectory().open()
    _ = try submit(store, .of(1, key: key, hash: 1)).get()
    let error = #expect(throws: StoreError.self) {
      try submit(store, .of(1, key: key, hash: 2)).get()
    }
    #expect(error?.code == .alreadyExists && error?.field == "idempotency_key")
    #expect(try count(store, 1) == 1)
  }

  @Test("Different principals can use the same key")
  func perPrincipal() throws {
    let store = try TemporaryDirectory().open()
    _ = try submit(store, .of(1, key: key)).get()
    _ = try submit(store, .of(2, key: key)).get()
    #expect(try count(store, 1) == 1)
    #expect(try count(store, 2) == 1)
  }

  @Test("A failed call stores no key: repeating it runs the command again")
  func failuresAreNotKept() throws {
    let store = try TemporaryDirectory().open()
    let missing = try UpdateEquipment(.riser(), of: .id(1), revision: 1, mask: ["brand"])
    let target = RecordingTarget(expecting: 1)
    let results = Results()
    store.submit(
      missing, .of(1, key: key), target: target, encode: { _ in [] },
      completion: { results.set(0, $0) })
    target.wait()
    #expect(results.code(0) == .notFound)
    #expect(try submit(store, .of(1, key: key)).get() == [1])
  }

  @Test("A key that is not 16 bytes is refused", arguments: [0, 15, 17])
  func keyLength(byteCount: Int) throws {
    let store = try TemporaryDirectory().open()
    let key = [UInt8](repeating: 1, count: byteCount)
    let error = #expect(throws: StoreError.self) { try submit(store, .of(1, key: key)).get() }
    #expect(error?.code == .invalidArgument)
  }

  @Test("Keys older than a day are deleted, and younger ones are kept")
  func sweeping() throws {
    let clock = TestClock()
    let directory = try TemporaryDirectory()
    let store = try directory.open(clock: clock)
    _ = try submit(store, .of(1, key: key)).get()
    let younger = [UInt8](repeating: 9, count: 16)
    clock.pass(milliseconds: StoreLimits.idempotencyKeepMilliseconds)
    _ = try submit(store, .of(1, key: younger)).get()
    #expect(try submit(store, .of(1, key: key)).get() == [1])

    clock.pass(milliseconds: 1)
    for _ in 0...StoreLimits.commandsPerExpiry {
      _ = try store.perform(CreateEquipment(.riser()), .of(2))
    }
    #expect(store.statistics.expiredRows >= 1)
    #expect(try submit(store, .of(1, key: younger)).get() == [2])
    #expect(try submit(store, .of(1, key: key)).get() != [1])
  }

  @Test("Old keys are deleted in slices, so that the batch with them is not delayed")
  func sweptInSlices() throws {
    let clock = TestClock()
    let directory = try TemporaryDirectory()
    let store = try directory.open(clock: clock, queuedCommands: 8 * 1_500)
    let count = 1_500
    let target = RecordingTarget(expecting: count)
    for number in 0..<count {
      let key = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
      store.submit(
        try CreateEquipment(.riser()), .of(1, key: key + key), target: target, encode: { _ in [] },
        completion: { _ in })
    }
    target.wait()
    store.close()
    let session = Session(try Connection(path: directory.databasePath, mode: .readWrite))
    let later = clock.clock.wallMilliseconds() + StoreLimits.idempotencyKeepMilliseconds + 1
    var counts: [Int64] = []
    repeat {
      counts.append(
        try Expirer.expire(
          ExpiryContext(session: session, oldest: { later - $0 }, isIdle: false)))
    } while counts.last != 0
    #expect(counts.allSatisfy { $0 <= StoreLimits.expiredRowsPerSlice })
    // The newest row stays whatever its age, so that no sequence is given twice.
    #expect(counts.reduce(0, +) == Int64(count) - 1)
  }

  /// Row 15 of the fault matrix.
  @Test("A wall clock that jumps deletes no key and stores no earlier time")
  func jumpingClock() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(clock: clock)
    #expect(try submit(store, .of(1, key: key)).get() == [1])
    var last: Int64 = 0
    for jump: Int64 in [0, 400 * 86_400_000, -900 * 86_400_000, 86_400_001, -1] {
      clock.set(wallMilliseconds: 1_700_000_000_000 + jump)
      for _ in 0...StoreLimits.commandsPerExpiry {
        let made = try store.perform(CreateEquipment(.riser()), .of(2))
        #expect(made.createdAtMilliseconds >= last)
        last = made.createdAtMilliseconds
      }
      #expect(try submit(store, .of(1, key: key)).get() == [1])
    }
    #expect(store.statistics.expiredRows == 0)
    #expect(try store.verify().isEmpty)
  }

  @Test("A reply with a secret is not stored, and a repeated call reports that")
  func secretReply() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let owner = try store.perform(CreatePrincipal(kind: .user, displayName: "Ann"), .of(0))
    let results = Results()
    let target = RecordingTarget(expecting: 1)
    store.submit(
      try CreateToken(principal: owner.id, label: "phone"), .of(1, key: key), target: target,
      encode: { Array($0.secret.utf8) }, completion: { results.set(0, $0) })
    target.wait()
    let secret = try #require(results.reply(0))
    let again = RecordingTarget(expecting: 1)
    store.submit(
      try CreateToken(principal: owner.id, label: "phone"), .of(1, key: key), target: again,
      encode: { Array($0.secret.utf8) }, completion: { results.set(1, $0) })
    again.wait()
    #expect(results.code(1) == .failedPrecondition)
    store.close()
    #expect(try !directory.holds(secret))
  }

  private func submit(
    _ store: Store, _ options: CommandOptions
  ) throws -> Result<[UInt8], StoreError> {
    let target = RecordingTarget(expecting: 1)
    let results = Results()
    store.submit(
      try CreateEquipment(.riser()), options, target: target,
      encode: { [UInt8(clamping: $0.id)] }, completion: { results.set(0, $0) })
    target.wait()
    return try #require(results[0])
  }

  private func count(_ store: Store, _ principal: Int64) throws -> Int64 {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentCounts(principal: principal).reduce(0) { $0 + $1.active }
    }
  }
}
