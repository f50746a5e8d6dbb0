import QuiverRules
import QuiverSQLite
import QuiverStore
import TestSupport
import Testing

@Suite("The clock at a start", .timeLimit(.minutes(5))) struct StoreTimeTests {
  private static let hour: Int64 = 3_600_000
  private static let begin: Int64 = 1_700_000_000_000

  @Test("A clock that is 23 hours ahead at each of five starts expires no idempotency key")
  func keysSurviveStarts() throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    let key = [UInt8](repeating: 7, count: 16)
    var store = try directory.open(clock: clock)
    let first = try create(store, key: key)
    for start in Int64(1)...5 {
      store.close()
      clock.set(wallMilliseconds: Self.begin + start * 23 * Self.hour)
      store = try directory.open(clock: clock)
      for _ in 0...StoreLimits.commandsPerExpiry {
        _ = try store.perform(CreateEquipment(.riser()), .of(2))
      }
      #expect(try create(store, key: key) == first)
    }
  }

  @Test(
    "A clock more than a day behind stops the start, unless the clock is accepted",
    arguments: [-25, -60 * 24] as [Int64])
  func behind(hours: Int64) throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    let store = try directory.open(clock: clock)
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    store.close()
    clock.set(wallMilliseconds: Self.begin + hours * Self.hour)
    let error = #expect(throws: StoreError.self) { try directory.open(clock: clock) }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("is \(-hours) hours behind") == true)
    #expect(error?.message.contains("--accept-clock") == true)
    let accepted = try directory.open(clock: clock, policy: .accept)
    let made = try accepted.perform(CreateEquipment(.riser()), .of(1))
    #expect(made.createdAtMilliseconds == Self.begin + hours * Self.hour)
    #expect(try accepted.verify().isEmpty)
    accepted.close()
    // Stored time is right from now on.
    try directory.open(clock: clock).close()
  }

  /// How the first store ends, and where the next one finds its files.
  enum End: CaseIterable {
    case stop, kill, restore
  }

  @Test(
    "After days off the store starts, and a key lives for 24 hours of the time that stores saw",
    arguments: End.allCases, [3 * 24, 21 * 24, 400 * 24] as [Int64])
  func daysOff(end: End, hours: Int64) throws {
    let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
    let clock = TestClock()
    let (old, young) = (Self.key(1), Self.key(2))
    let before = try first.open(clock: clock)
    let oldReply = try create(before, key: old)
    clock.pass(milliseconds: 23 * Self.hour + 58 * Self.minute)
    let youngReply = try create(before, key: young)
    clock.pass(milliseconds: Self.minute)
    _ = try before.perform(CreateEquipment(.riser()), .of(2))
    let backup = first.path + "/backup"
    switch end {
    case .stop: before.close()
    case .kill: break
    case .restore: _ = try before.backup(to: backup)
    }
    clock.set(monotonicNanoseconds: 7)
    clock.set(wallMilliseconds: clock.clock.wallMilliseconds() + hours * Self.hour)
    let reported = Results()
    var hooks = StoreHooks()
    hooks.clockDiffered = { reported.set(0, .success(Array("\($0)".utf8))) }
    if end == .restore {
      _ = try Store.restore(backup, into: second.path, clock: clock.clock)
    } else {
      #expect(try first.run("cp quiver.db* '\(second.path)'; rm -f '\(second.path)'/*-shm") == 0)
    }
    var after = try second.open(clock: clock, hooks: hooks)
    #expect(reported.reply(0) == Array("\(hours * Self.hour)".utf8))
    #expect(try create(after, key: old) == oldReply)
    // The time while it was closed is known after a kill, too.
    _ = try after.perform(CreateEquipment(.riser()), .of(2))
    let third = try TemporaryDirectory()
    #expect(try second.run("cp quiver.db* '\(third.path)'; rm -f '\(third.path)'/*-shm") == 0)
    after.close()
    after = try third.open(clock: clock)
    clock.pass(milliseconds: 2 * Self.minute)
    let newReply = try create(after, key: Self.key(3))
    try expire(after)
    #expect(try create(after, key: young) == youngReply)
    #expect(try create(after, key: old) != oldReply)
    clock.pass(milliseconds: 24 * Self.hour - Self.minute)
    try expire(after)
    #expect(try create(after, key: young) != youngReply)
    #expect(try create(after, key: Self.key(3)) == newReply)
    #expect(try after.verify().isEmpty)
    before.close()
  }

  @Test("A store that is used for four hours a week keeps the keys of six weeks")
  func weekly() throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    var replies: [[UInt8]] = []
    for week in 0..<20 {
      let store = try directory.open(clock: clock)
      replies.append(try create(store, key: Self.key(UInt8(week))))
      clock.pass(milliseconds: 4 * Self.hour)
      try expire(store)
      store.close()
      clock.set(wallMilliseconds: Self.begin + Int64(week + 1) * 7 * 24 * Self.hour)
    }
    let store = try directory.open(clock: clock)
    let known = try (0..<20).filter { week in
      try create(store, key: Self.key(UInt8(week))) == replies[week]
    }
    #expect(known == Array(14..<20))
  }

  @Test("A clock that is set ahead while the store is open forgets nothing, and keys age again")
  func setWhileOpen() throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    var store = try directory.open(clock: clock)
    let first = try create(store, key: Self.key(1))
    clock.set(wallMilliseconds: Self.begin + 21 * 24 * Self.hour)
    let second = try create(store, key: Self.key(2))
    _ = try create(store, key: Self.key(3))
    // As if it was killed.
    let copy = try TemporaryDirectory()
    #expect(try directory.run("cp quiver.db* '\(copy.path)'; rm -f '\(copy.path)'/*-shm") == 0)
    store.close()
    store = try copy.open(clock: clock)
    clock.pass(milliseconds: 24 * Self.hour - Self.minute)
    try expire(store)
    #expect(try create(store, key: Self.key(1)) == first)
    #expect(try create(store, key: Self.key(2)) == second)
    clock.pass(milliseconds: 2 * Self.minute)
    try expire(store)
    #expect(try create(store, key: Self.key(1)) != first)
    #expect(try create(store, key: Self.key(2)) != second)
  }

  @Test("A clock that is set back while the store is open, and right again, forgets nothing")
  func setBackWhileOpen() throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    let store = try directory.open(clock: clock)
    _ = try create(store, key: Self.key(1))
    clock.set(wallMilliseconds: Self.begin - 30 * Self.hour)
    clock.pass(milliseconds: 25 * Self.hour)
    let second = try create(store, key: Self.key(2))
    _ = try create(store, key: Self.key(3))
    clock.set(wallMilliseconds: Self.begin + 25 * Self.hour)
    try expire(store)
    #expect(try create(store, key: Self.key(2)) == second)
  }

  @Test("A clock between an hour and a day off is reported", arguments: [2, -2, 23] as [Int64])
  func hourOff(hours: Int64) throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    try directory.open(clock: clock).close()
    clock.set(wallMilliseconds: Self.begin + hours * Self.hour)
    let reported = Results()
    var hooks = StoreHooks()
    hooks.clockDiffered = { milliseconds in
      reported.set(0, .success(Array("\(milliseconds)".utf8)))
    }
    try directory.open(clock: clock, hooks: hooks).close()
    #expect(reported.reply(0) == Array("\(hours * Self.hour)".utf8))
  }

  @Test("An expired token stays expired when the clock steps back, also after a restart")
  func expiredToken() throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    var store = try directory.open(clock: clock)
    let owner = try store.perform(CreatePrincipal(kind: .user, displayName: "Ann"), .of(0))
    let token = try store.perform(
      CreateToken(
        principal: owner.id, label: "", expiresAtMilliseconds: Self.begin + Self.hour / 2), .of(0))
    let secret = Array(token.secret.utf8)
    #expect(try store.authenticate(secret) != nil)
    clock.pass(milliseconds: Self.hour / 2)
    #expect(try store.authenticate(secret) == nil)
    clock.set(wallMilliseconds: Self.begin)
    #expect(try store.authenticate(secret) == nil)
    store.close()
    store = try directory.open(clock: clock)
    #expect(try store.authenticate(secret) == nil)
  }

  private static let minute: Int64 = 60_000

  private static func key(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 16) }

  /// Has old rows removed, as commands do now and then.
  private func expire(_ store: Store) throws {
    for _ in 0...StoreLimits.commandsPerExpiry {
      _ = try store.perform(CreateEquipment(.riser()), .of(2))
    }
  }

  private func create(_ store: Store, key: [UInt8]) throws -> [UInt8] {
    let target = RecordingTarget(expecting: 1)
    let results = Results()
    store.submit(
      try CreateEquipment(.riser()), .of(1, key: key), target: target,
      encode: { record in Array("\(record.id)".utf8) }, completion: { results.set(0, $0) })
    target.wait()
    return try #require(results.reply(0))
  }
}

@Suite("Files of an open store", .timeLimit(.minutes(5))) struct FileWatchTests {
  /// What is done to a file, by a shell.
  private static let faults = [
    "rm quiver.db", "rm quiver.db-wal", "rm quiver.lock", "mv quiver.db away",
    "cp quiver.db copy && mv copy quiver.db", "rm quiver.lock && touch quiver.lock",
    "rm -rf *",
  ]

  @Test("A removed or replaced file ends the store before it acknowledges", arguments: faults)
  func replaced(fault: String) throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    let fatal = Results()
    let store = try directory.open(
      clock: clock, hooks: StoreHooks(fatal: { fatal.set(0, .failure($0)) }))
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    clock.pass(milliseconds: 1_001)
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    #expect(try directory.run(fault) == 0)
    clock.pass(milliseconds: 1_001)
    let error = #expect(throws: StoreError.self) {
      try store.perform(CreateEquipment(.riser()), .of(1))
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("while the server was running") == true)
    // The hook is called after the refusals: the writer has ended when `close` returns.
    store.close()
    #expect(fatal.code(0) == .unavailable)
  }

  @Test("A file that was removed shortly before the store is closed is told", arguments: faults)
  func replacedBeforeClose(fault: String) throws {
    let directory = try TemporaryDirectory()
    let fatal = Results()
    let clock = TestClock()
    let store = try directory.open(
      clock: clock, hooks: StoreHooks(fatal: { fatal.set(0, .failure($0)) }))
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    clock.pass(milliseconds: 1_001)
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    #expect(try directory.run(fault) == 0)
    store.close()
    #expect(fatal.code(0) == .unavailable)
  }

  @Test("A directory with an incomplete copy says how to complete it", arguments: [true, false])
  func incompleteCopy(creates: Bool) throws {
    let directory = try TemporaryDirectory()
    #expect(try directory.run("mkdir transfer && echo copied > transfer/quiver.db") == 0)
    var configuration = StoreConfiguration(directory: directory.path)
    configuration.createsDatabase = creates
    let error = #expect(throws: StoreError.self) { try Store(configuration) }
    #expect(error?.message.contains("run quiverd migrate to-sqlite") == true)
    #expect(error?.message.contains("init") == false)
    #expect(try directory.run("test -e quiver.db") != 0)
  }

  @Test("A second store is refused although the lock file was removed")
  func lockedDatabase() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    #expect(try directory.run("rm quiver.lock") == 0)
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("another server has the database") == true)
    store.close()
  }

  @Test(
    "A missing or empty database beside traces of one is refused and nothing is written",
    arguments: ["rm quiver.db", "truncate -s 0 quiver.db"],
    ["quiver.clean", "admin.token", "quiver.db.unfinished"])
  func lostDatabase(loss: String, trace: String) throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    store.close()
    #expect(try directory.run("\(loss); rm -f quiver.clean; echo kept > \(trace)") == 0)
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains(directory.path + "/" + trace) == true)
    #expect(error?.message.contains("quiverd restore") == true)
    #expect(try directory.run("test \"$(cat \(trace))\" = kept && ! test -s quiver.db") == 0)
  }
}
