import Foundation
import QuiverCrypto
import QuiverRules
import QuiverSQLite
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct BackupTests {
  @Test("A backup under load has all acknowledged changes in order, and restores completely")
  func underLoad() throws {
    let directory = try TemporaryDirectory()
    try directory.fill(items: 2_000)
    let store = try directory.open()
    let load = Load(store)
    let before = load.waitForAcknowledged(200)
    let file = directory.path + "/backup.db"
    let made = try store.backup(to: file)
    load.stop()
    let data = try Data(contentsOf: URL(filePath: file))
    #expect(made.byteCount == Int64(data.count))
    #expect(made.sha256 == SHA256.hash([UInt8](data)))
    #expect(!FileManager.default.fileExists(atPath: file + ".unfinished"))

    let other = try TemporaryDirectory()
    let epoch = try Store.restore(file, into: other.path)
    #expect(try Data(contentsOf: URL(filePath: file)) == data)
    let restored = try other.open()
    #expect(restored.epoch == epoch && epoch != store.epoch)
    #expect(try restored.verify().isEmpty)
    let numbers = try Self.numbers(restored)
    #expect(numbers.count >= before)
    #expect(numbers == Array(0..<numbers.count))
    #expect(try Self.numbers(store).count >= numbers.count)
    _ = try restored.perform(CreateEquipment(.riser()), .of(1))
    #expect(try store.verify().isEmpty)
  }

  @Test("A backup to an existing file or a relative path is refused and changes nothing")
  func refusedFiles() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let file = directory.path + "/there"
    try "mine".write(toFile: file, atomically: false, encoding: .utf8)
    let there = #expect(throws: StoreError.self) { try store.backup(to: file) }
    #expect(there?.code == .alreadyExists)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    let relative = #expect(throws: StoreError.self) { try store.backup(to: "backup.db") }
    #expect(relative?.code == .invalidArgument)
    let missing = directory.path + "/missing/backup.db"
    let folder = #expect(throws: StoreError.self) { try store.backup(to: missing) }
    #expect(folder?.code == .failedPrecondition && folder?.message.contains(missing) == true)
    store.close()
    let closed = #expect(throws: StoreError.self) { try store.backup(to: directory.path + "/b") }
    #expect(closed?.code == .unavailable)
  }

  @Test("A cancelled backup leaves no file, whether it had begun or not")
  func givenUp() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let file = directory.path + "/backup.db"
    let cancellation = CommandCancellation()
    cancellation.cancel()
    let error = #expect(throws: StoreError.self) { try store.backup(to: file, cancellation) }
    #expect(error?.code == .cancelled && error?.notProcessed == true)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(!files.contains { $0.hasPrefix("backup") })
    _ = try store.backup(to: file, CommandCancellation())
  }

  @Test("Cancelling ends the copying of a backup to another disk, its checksum and its check")
  func cancelledParts() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let file = directory.path + "/backup.db"
    _ = try store.backup(to: file)
    let copy = directory.path + "/copy"
    let open = CommandCancellation()
    try BackupFile.begin(copy)
    try BackupFile.copy(file, to: copy, open)
    try Restoring.check(copy, open)
    let cancelled = CommandCancellation()
    cancelled.cancel()
    let parts: [() throws -> Void] = [
      { try BackupFile.copy(file, to: copy, cancelled) },
      { try Restoring.check(copy, cancelled) },
      { _ = try BackupFile.finish(copy, as: directory.path + "/other", cancelled) },
    ]
    for part in parts {
      let error = #expect(throws: StoreError.self) { try part() }
      #expect(error?.code == .cancelled)
    }
    #expect(access(directory.path + "/other", F_OK) != 0)
  }

  @Test("A restore that fails leaves no file beside the lock")
  func leftovers() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let file = directory.path + "/backup.db"
    _ = try store.backup(to: file)
    let wrong = String(repeating: "0", count: 64)
    let other = try TemporaryDirectory()
    #expect(throws: StoreError.self) { try Store.restore(file, into: other.path, sha256: wrong) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["quiver.lock"])
  }

  @Test("Restoring refuses a directory in use, and one with a database")
  func refusedDirectories() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let file = directory.path + "/backup.db"
    _ = try store.backup(to: file)
    let live = #expect(throws: StoreError.self) { try Store.restore(file, into: directory.path) }
    #expect(live?.code == .unavailable)
    let epoch = store.epoch
    store.close()
    let used = #expect(throws: StoreError.self) { try Store.restore(file, into: directory.path) }
    #expect(used?.code == .failedPrecondition)
    #expect(used?.message.contains("is there already") == true)
    #expect(try directory.open().epoch == epoch)
  }

  @Test("A damaged backup is refused and leaves no file", arguments: Damage.allCases)
  func damagedBackup(damage: Damage) throws {
    let directory = try TemporaryDirectory()
    try directory.fill(items: 300)
    let file = directory.path + "/backup.db"
    _ = try directory.open().backup(to: file)
    try damage.apply(to: file)
    let other = try TemporaryDirectory()
    let error = #expect(throws: StoreError.self) { try Store.restore(file, into: other.path) }
    #expect(error?.code == .dataLoss)
    let left = try FileManager.default.contentsOfDirectory(atPath: other.path)
    #expect(left.allSatisfy { $0 == "quiver.lock" })
  }

  @Test(
    "A file that is not a backup is refused", arguments: ["", "text", "foreign", "newer", "live"])
  func noBackup(kind: String) throws {
    let directory = try TemporaryDirectory()
    let file = directory.databasePath
    var store: Store?
    switch kind {
    case "text":
      try String(repeating: "text", count: 999)
        .write(toFile: file, atomically: false, encoding: .utf8)
    case "foreign":
      try Connection(path: file, mode: .readWriteCreate).execute("CREATE TABLE photos (a)")
    case "newer":
      try directory.open().close()
      try Connection(path: file, mode: .readWrite).execute("PRAGMA user_version = 999")
    case "live":
      store = try directory.open()
      _ = try store?.perform(CreateEquipment(.riser()), .of(1))
    default: break
    }
    let other = try TemporaryDirectory()
    let error = #expect(throws: StoreError.self) { try Store.restore(file, into: other.path) }
    #expect(error?.code == .failedPrecondition)
    #expect(!FileManager.default.fileExists(atPath: other.databasePath))
    withExtendedLifetime(store) {}
  }

  /// The numbers of the items that the load has made.
  private static func numbers(_ store: Store) throws -> [Int] {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.all(Query("SELECT model FROM equipment WHERE principal_id = 7 ORDER BY id")) {
        Int($0.text(0)) ?? -1
      }
    }
  }
}

/// Creates numbered items, a few at once, until it is stopped.
private final class Load: CompletionTarget {
  private let places = DispatchSemaphore(value: 16)
  private let ended = DispatchSemaphore(value: 0)
  private let acknowledged = Mutex(0)
  private let isStopping = Mutex(false)
  private let progress = DispatchSemaphore(value: 0)

  init(_ store: Store) {
    Thread.detachNewThread { [self] in
      var number = 0
      while !isStopping.withLock({ $0 }) {
        places.wait()
        guard let command = try? CreateEquipment(.riser("Load", "\(number)")) else { break }
        store.submit(command, .of(7), target: self, encode: { _ in [] }, completion: { _ in })
        number += 1
      }
      for _ in 0..<16 { places.wait() }
      for _ in 0..<16 { places.signal() }
      ended.signal()
    }
  }

  /// How many were acknowledged, once so many were.
  func waitForAcknowledged(_ count: Int) -> Int {
    for _ in 0..<count { progress.wait() }
    return acknowledged.withLock { $0 }
  }

  func stop() {
    isStopping.withLock { $0 = true }
    ended.wait()
  }

  func deliver(_ completions: [@Sendable () -> Void]) {
    for completion in completions {
      completion()
      acknowledged.withLock { $0 += 1 }
      progress.signal()
      places.signal()
    }
  }
}
