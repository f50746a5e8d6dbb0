import Dispatch
import Foundation
import QuiverRules
import QuiverSQLite
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Scheduled backups", .timeLimit(.minutes(5)))
struct ScheduledBackupTests {
  /// A store with a schedule, whose clock the test moves.
  private final class Fixture: Sendable {
    let directory: TemporaryDirectory
    let clock = TestClock()
    let store: Store
    let folder: String
    private let events = Monitor<[BackupEvent]>([])
    private let scheduler = Mutex<BackupScheduler?>(nil)

    init(folder: String? = nil) throws {
      directory = try TemporaryDirectory()
      self.folder = folder ?? directory.path + "/backups"
      store = try directory.open(clock: clock)
      _ = try store.perform(CreateEquipment(.riser()), .of(1))
    }

    func start(keeps count: Int = 3, keepsMilliseconds: Int64 = 1 << 40) throws {
      let schedule = BackupSchedule(
        directory: folder, intervalMilliseconds: 3_600_000, keptCount: count,
        keptMilliseconds: keepsMilliseconds)
      let made = BackupScheduler(store, schedule) { event in
        self.events.withLock { $0.append(event) }
        self.events.broadcast()
      }
      try made.start()
      scheduler.withLock { $0 = made }
    }

    var status: BackupStatus? { store.backupStatus }

    func stop() {
      scheduler.withLock { $0.take() }?.stop()
    }

    /// Moves the clock and wakes the thread, which otherwise looks at it once a minute.
    func pass(hours: Int64) {
      clock.pass(milliseconds: hours * 3_600_000)
      wake()
    }

    func wake() {
      guard let scheduler = scheduler.withLock({ $0 }) else { return }
      var schedule = scheduler.status.schedule
      schedule.keptMilliseconds += 1
      scheduler.adjust(schedule)
    }

    /// The next event that `select` accepts, and removes it.
    func next<Value>(_ select: (BackupEvent) -> Value?) throws -> Value {
      let found = events.wait(milliseconds: 120_000) { events -> Value? in
        for (index, event) in events.enumerated() {
          guard let value = select(event) else { continue }
          events.remove(at: index)
          return value
        }
        return nil
      }
      return try #require(found, "the event did not come")
    }

    func nextMade() throws -> BackupFile {
      try next { event -> BackupFile? in
        guard case .made(let file, _) = event else { return nil }
        return file
      }
    }

    func nextRemoved() throws -> String {
      try next { event -> String? in
        guard case .removed(let path) = event else { return nil }
        return path
      }
    }

    func nextFailed() throws -> (error: StoreError, retryMilliseconds: Int64) {
      try next { event -> (error: StoreError, retryMilliseconds: Int64)? in
        guard case .failed(let error, let retry) = event else { return nil }
        return (error, retry)
      }
    }

    var files: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
    }
  }

  @Test("The first backup is made at once, verified by its checksum, and can be restored")
  func first() throws {
    let fixture = try Fixture()
    try fixture.start()
    let made = try fixture.nextMade()
    #expect(made.path.hasSuffix("/quiver-20231114T221320Z.db"))
    #expect(try fixture.directory.run("cd backups && sha256sum --check --quiet *.sha256") == 0)
    fixture.stop()
    #expect(
      try fixture.files == [
        "quiver-20231114T221320Z.db", "quiver-20231114T221320Z.db.sha256", "quiver-backups.lock",
      ])
    let other = try TemporaryDirectory()
    _ = try Store.restore(made.path, into: other.path, clock: fixture.clock.clock)
    #expect(try other.open(clock: fixture.clock).verify().isEmpty)
  }

  @Test("The next backup is made when the interval has passed, and not before")
  func interval() throws {
    let fixture = try Fixture()
    try fixture.start()
    let first = try fixture.nextMade()
    fixture.clock.pass(milliseconds: 3_599_000)
    fixture.wake()
    fixture.clock.pass(milliseconds: 1_000)
    fixture.wake()
    let second = try fixture.nextMade()
    #expect(fixture.status?.madeCount == 2 && fixture.status?.backups.count == 2)
    fixture.stop()
    #expect(first.path.contains("T221320Z") && second.path.contains("T231320Z"))
  }

  @Test("A backup that was missed while the server was stopped is made after the start")
  func missed() throws {
    let fixture = try Fixture()
    try fixture.start()
    _ = try fixture.nextMade()
    fixture.stop()
    // A backup that is not due yet is not made again.
    fixture.clock.pass(milliseconds: 60_000)
    try fixture.start()
    fixture.wake()
    fixture.stop()
    #expect(try fixture.files.count == 3)
    fixture.clock.pass(milliseconds: 7_200_000)
    try fixture.start()
    #expect(try fixture.nextMade().path.hasSuffix("T001420Z.db"))
    fixture.stop()
  }

  @Test("Old backups beyond the number or the age are removed, and other files stay")
  func retention() throws {
    let fixture = try Fixture()
    try FileManager.default.createDirectory(
      atPath: fixture.folder, withIntermediateDirectories: false)
    for name in ["quiver-notes.db", "quiver-20231399T000000Z.db", "quiver.db"] {
      try "mine".write(toFile: fixture.folder + "/" + name, atomically: false, encoding: .utf8)
    }
    try fixture.start(keeps: 2)
    let made = try (0..<4).map { _ in
      defer { fixture.pass(hours: 1) }
      return try fixture.nextMade().path
    }
    let removed = try (0..<2).map { _ in try fixture.nextRemoved() }
    fixture.stop()
    #expect(removed == Array(made.prefix(2)))
    let left = try fixture.files
    #expect(left.contains("quiver-notes.db") && left.contains("quiver-20231399T000000Z.db"))
    #expect(left.filter { $0.hasSuffix("Z.db") }.count <= 4)
    #expect(!left.contains { made.prefix(2).contains(fixture.folder + "/" + $0) })

    // By age all are too old, and the newest verified one stays.
    fixture.clock.pass(milliseconds: 60_000)
    try fixture.start(keeps: 100, keepsMilliseconds: 1)
    _ = try fixture.nextRemoved()
    while (fixture.status?.backups.count ?? 0) > 1 { fixture.wake() }
    fixture.stop()
    #expect(try fixture.files.filter { $0.hasSuffix(".db.sha256") }.count == 1)
  }

  @Test("A failed backup leaves no file, is reported, and is made later")
  func failure() throws {
    let base = try TemporaryDirectory()
    let fixture = try Fixture(folder: base.path + "/missing/backups")
    try fixture.start()
    let failed = try fixture.nextFailed()
    #expect(failed.error.message.contains(fixture.folder) && failed.retryMilliseconds == 60_000)
    #expect(fixture.status?.failure.contains(fixture.folder) == true)
    try FileManager.default.createDirectory(
      atPath: base.path + "/missing", withIntermediateDirectories: false)
    fixture.clock.pass(milliseconds: 61_000)
    fixture.wake()
    _ = try fixture.nextMade()
    #expect(fixture.status?.failure == "")
    fixture.stop()
  }

  @Test("A stop cancels the backup that runs, and leaves nothing of it")
  func stopped() throws {
    let fixture = try Fixture()
    var riser = EquipmentContent.riser()
    riser.set("notes", .text(String(repeating: "n", count: 1_000)))
    for _ in 0..<500 { _ = try fixture.store.perform(CreateEquipment(riser), .of(1)) }
    try fixture.start()
    while fixture.status?.isRunning != true {}
    fixture.stop()
    let left = try fixture.files
    #expect(!left.contains { $0.hasSuffix(".unfinished") })
    // It ended before the stop, or there is none.
    let checksums = left.filter { $0.hasSuffix(".sha256") }.count
    #expect(left.filter { $0.hasSuffix(".db") }.count == checksums)
  }

  @Test("What an ended process left unfinished is removed, and nothing else")
  func leftovers() throws {
    let fixture = try Fixture()
    try FileManager.default.createDirectory(
      atPath: fixture.folder, withIntermediateDirectories: false)
    let leftovers = [
      "quiver-20231114T221320Z.db.unfinished", "quiver-20231114T221320Z.db.sha256.unfinished",
    ]
    for name in leftovers + ["quiver-mine.unfinished"] {
      try "part".write(toFile: fixture.folder + "/" + name, atomically: false, encoding: .utf8)
    }
    try fixture.start()
    _ = try fixture.nextMade()
    fixture.stop()
    let left = try fixture.files
    #expect(left.contains("quiver-mine.unfinished"))
    #expect(leftovers.allSatisfy { !left.contains($0) })
  }

  @Test("Two servers cannot share a directory of backups")
  func shared() throws {
    let first = try Fixture()
    try first.start()
    _ = try first.nextMade()
    let second = try Fixture(folder: first.folder)
    try second.start()
    let error = try second.nextFailed().error
    #expect(error.message.contains("another server makes its backups in"))
    second.stop()
    first.stop()
  }

  @Test("A backup to another file system is copied beside the database first")
  func otherDisk() throws {
    let folder = "/dev/shm/quiver-backups-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let fixture = try Fixture(folder: folder)
    try fixture.start()
    let made = try fixture.nextMade()
    fixture.stop()
    #expect(made.path.hasPrefix(folder))
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
    #expect(!names.contains { $0.hasSuffix(".unfinished") })
    let other = try TemporaryDirectory()
    _ = try Store.restore(made.path, into: other.path, clock: fixture.clock.clock)
  }

  @Test("Backups of several threads run one after the other")
  func oneAtATime() throws {
    let gate = BackupGate()
    let counts = Mutex((running: 0, most: 0))
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      try? gate.pass(nil) { () throws(StoreError) in
        counts.withLock { $0 = ($0.running + 1, max($0.most, $0.running + 1)) }
        sched_yield()
        counts.withLock { $0.running -= 1 }
      }
    }
    #expect(counts.withLock { $0.most } == 1)
    // A backup that waits ends when it is cancelled.
    let cancellation = CommandCancellation()
    cancellation.cancel()
    #expect(throws: StoreError.self) {
      try gate.pass(nil) { () throws(StoreError) in
        try gate.pass(cancellation) { () throws(StoreError) in Issue.record("it ran") }
      }
    }
  }
}
