import Dispatch
import Foundation
import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Files that fail within a transaction", .timeLimit(.minutes(5)))
struct FailedStatementTests {
  @Test("A write that fails before the commit stops the store, and nothing is acknowledged")
  func spilledPages() throws {
    let directory = try TemporaryDirectory()
    let told = DispatchSemaphore(value: 0)
    let store = try directory.open(hooks: StoreHooks(fatal: { _ in told.signal() }))
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    // Pages that a cache has no room for are written before the commit.
    try store.perform(Script("PRAGMA cache_size = 10"), .of(0))
    #expect(try Self.makeReadOnly(directory.databasePath + "-wal") == 1)
    let error = #expect(throws: StoreError.self) { try store.perform(ManyRisers(), .of(1)) }
    #expect(error?.code == .unavailable)
    told.wait()
    let later = #expect(throws: StoreError.self) {
      try store.perform(CreateEquipment(.riser()), .of(1))
    }
    #expect(later?.code == .unavailable && later?.notProcessed == true)
    store.close()
    let counts = try directory.open().read { (snapshot) throws(StoreError) in
      try snapshot.equipmentCounts(principal: 1)
    }
    #expect(counts[0].active == 1)
  }

  @Test("Old rows on a damaged page are not removed, and no command fails for it")
  func unreadableOldRows() throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    let filled = try directory.open(clock: clock)
    for _ in 0..<500 { _ = try filled.perform(CreateEquipment(.riser()), .of(1)) }
    filled.close()
    let path = directory.databasePath
    let page = try #require(try Self.firstPage(of: "journal", path))
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64((page - 1) * 4_096 + 2_048))
    try file.write(contentsOf: Data([0xAA, 0x55, 0xAA, 0x55]))
    try file.close()
    var configuration = StoreConfiguration(directory: directory.path, clock: clock.clock)
    configuration.checkedBeforeServingByteCount = 0
    let store = try Store(configuration)
    clock.pass(milliseconds: StoreLimits.journalKeepMilliseconds + 1)
    for number in 0...2 * StoreLimits.commandsPerExpiry {
      _ = try store.perform(SetPreference(key: "k", value: "\(number)"), .of(1))
    }
    #expect(try store.verify().contains { $0.subject == .pages })
  }

  /// The page with the oldest rows of a table.
  private static func firstPage(of table: String, _ path: String) throws -> Int? {
    let connection = try Connection(path: path, mode: .readOnly)
    let text = try connection.value(
      """
      SELECT pageno FROM dbstat WHERE name = '\(table)' AND pagetype = 'leaf'
      ORDER BY path LIMIT 1
      """)
    return text.flatMap { Int($0) }
  }

  /// Puts a descriptor that cannot write in place of each of this process's for that file.
  private static func makeReadOnly(_ path: String) throws -> Int {
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      guard let descriptor = Int32(name),
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))
          == path
      else { continue }
      let readOnly = open(path, O_RDONLY | O_CLOEXEC)
      dup2(readOnly, descriptor)
      close(readOnly)
      count += 1
    }
    return count
  }
}

/// Creates items on many pages.
private struct ManyRisers: Command {
  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    var content = EquipmentContent.riser()
    content.set("notes", .text(String(repeating: "n", count: 3_000)))
    for _ in 0..<200 { _ = try CreateEquipment(content).apply(in: transaction) }
  }
}

/// Runs a statement as it is.
private struct Script: Command {
  let query: Query

  init(_ sql: String) { query = Query(sql) }

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(query)
  }
}
