import Foundation
import QuiverRules
import QuiverSQLite
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Checksums of pages", .timeLimit(.minutes(5)))
struct PageChecksumTests {
  /// A closed database with items; its bytes.
  private static func fill(_ directory: TemporaryDirectory) throws -> Data {
    let store = try directory.open()
    for _ in 0..<60 {
      var content = EquipmentContent.riser()
      content.set("notes", .text(String(repeating: "n", count: 900)))
      _ = try store.perform(CreateEquipment(content), .of(1))
    }
    store.close()
    return try Data(contentsOf: URL(fileURLWithPath: directory.databasePath))
  }

  @Test("A bit that is inverted on any page keeps the store from opening")
  func everyPage() throws {
    let directory = try TemporaryDirectory()
    let bytes = try Self.fill(directory)
    var random = SystemRandomNumberGenerator()
    for page in 0..<bytes.count / 4_096 {
      var changed = bytes
      // The first 100 bytes of a file are its header, which has checks of its own.
      let place = page * 4_096 + Int.random(in: (page == 0 ? 100 : 0)..<4_096, using: &random)
      changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try changed.write(to: URL(fileURLWithPath: directory.databasePath))
      let error = #expect(throws: StoreError.self, "page \(page + 1)") {
        try directory.open().close()
      }
      #expect(error?.code == .dataLoss, "page \(page + 1): \(String(describing: error))")
    }
    try bytes.write(to: URL(fileURLWithPath: directory.databasePath))
    let store = try directory.open()
    #expect(try store.verify().isEmpty)
  }

  @Test("A page in the place of another one is damage")
  func exchangedPages() throws {
    let directory = try TemporaryDirectory()
    var bytes = try Self.fill(directory)
    let count = bytes.count / 4_096
    let last = bytes[((count - 1) * 4_096)...]
    bytes.replaceSubrange((count - 2) * 4_096..<(count - 1) * 4_096, with: Data(last))
    try bytes.write(to: URL(fileURLWithPath: directory.databasePath))
    let error = #expect(throws: StoreError.self) { try directory.open().close() }
    #expect(error?.code == .dataLoss)
  }

  @Test("The scrub and verify report a page that changes while the store is open")
  func scrub() throws {
    let directory = try TemporaryDirectory()
    let bytes = try Self.fill(directory)
    let reported = DispatchSemaphore(value: 0)
    var configuration = StoreConfiguration(directory: directory.path)
    configuration.scrubIntervalMilliseconds = 1
    configuration.hooks = StoreHooks(checked: { damage in
      if damage?.message.contains("differs from its checksum") == true { reported.signal() }
    })
    let store = try Store(configuration)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.databasePath))
    let place = bytes.count - 2_048
    try file.seek(toOffset: UInt64(place))
    try file.write(contentsOf: Data([bytes[place] ^ 4]))
    reported.wait()
    let findings = try store.verify()
    #expect(
      findings.contains {
        $0.subject == .pages && $0.message.contains("page \(bytes.count / 4_096) differs")
      })
    store.close()
  }

  @Test("A backup has checksums, and a restored database without them gets them")
  func backups() throws {
    let directory = try TemporaryDirectory()
    _ = try Self.fill(directory)
    #expect(try Self.damagedPages(try Self.backup(of: directory)) == [])

    let old = try TemporaryDirectory()
    try Self.makeOldDatabase(in: old)
    let backup = try Self.backup(of: old)
    #expect(try Self.damagedPages(backup) == nil)
    _ = try Restoring.makeAnew(backup, .system)
    #expect(try Self.damagedPages(backup) == [])
    try Restoring.check(backup)
  }

  private static func backup(of directory: TemporaryDirectory) throws -> String {
    let store = try directory.open()
    defer { store.close() }
    let path = directory.path + "/copy.db"
    _ = try store.backup(to: path)
    return path
  }

  /// A database as versions without checksums made it.
  private static func makeOldDatabase(in directory: TemporaryDirectory) throws {
    let path = directory.databasePath
    let connection = try Connection(path: path, mode: .readWriteCreate)
    defer { connection.close() }
    try connection.execute(
      "PRAGMA application_id = \(Database.applicationID); PRAGMA journal_mode = WAL")
    try Migrator(connection: connection, path: path, nowMilliseconds: 0).migrate()
  }

  @Test("A copy that is larger than the cache has checksums on all pages")
  func largeCopy() throws {
    let directory = try TemporaryDirectory()
    _ = try Self.fill(directory)
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    try connection.execute("PRAGMA cache_size = 10")
    let copy = directory.path + "/copy.db"
    try connection.execute("VACUUM INTO '\(copy)'")
    connection.close()
    #expect(try Self.damagedPages(copy) == [])
    try Restoring.check(copy)
  }

  @Test("A store whose pages have no checksums is read and written as before")
  func withoutChecksums() throws {
    let directory = try TemporaryDirectory()
    try Self.makeOldDatabase(in: directory)
    let store = try directory.open()
    let made = try store.perform(CreateEquipment(.riser()), .of(1))
    let found = try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipment(.riser, .id(made.id), principal: 1)
    }
    #expect(found == made)
    #expect(try store.verify().isEmpty)
    store.close()
    #expect(try Self.damagedPages(directory.databasePath) == nil)
  }

  /// The pages that differ from their checksums; nil if there are no checksums.
  private static func damagedPages(_ path: String) throws -> [Int64]? {
    let connection = try Connection(path: path, mode: .readOnly)
    defer { connection.close() }
    _ = try connection.value("PRAGMA schema_version")
    let scan = try connection.scanPages(from: 1, count: 1_000_000)
    guard scan.isEnabled else { return nil }
    #expect(scan.pageCount > 20)
    return scan.damagedPage.map { [$0] } ?? []
  }
}
