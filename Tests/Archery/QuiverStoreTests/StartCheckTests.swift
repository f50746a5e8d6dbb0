import Foundation
import QuiverRules
import QuiverSQLite
import QuiverStore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct StartCheckTests {
  @Test("A damaged file is refused with what to do, and not changed", arguments: Damage.allCases)
  func damaged(damage: Damage) throws {
    let directory = try TemporaryDirectory()
    try directory.fill(items: 300)
    try damage.apply(to: directory.databasePath)
    let before = try Data(contentsOf: URL(filePath: directory.databasePath))
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.code == .dataLoss)
    #expect(error?.message.contains(directory.databasePath) == true)
    #expect(error?.message.contains("quiverd restore") == true)
    #expect(try Data(contentsOf: URL(filePath: directory.databasePath)) == before)
  }

  @Test("A foreign file is refused before SQLite touches the files beside it")
  func foreignWithLog() throws {
    let directory = try TemporaryDirectory()
    let foreign = try Connection(path: directory.databasePath, mode: .readWriteCreate)
    try foreign.execute(
      "PRAGMA application_id = 7; PRAGMA journal_mode = WAL; CREATE TABLE photos (a)")
    let log = URL(filePath: directory.databasePath + "-wal")
    let before = try Data(contentsOf: log)
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("another program") == true)
    #expect(!before.isEmpty)
    #expect(try Data(contentsOf: log) == before)
  }

  @Test("A log without its database is refused and not overwritten")
  func lostDatabase() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    let copy = try TemporaryDirectory()
    try FileManager.default.copyItem(
      atPath: directory.databasePath + "-wal", toPath: copy.databasePath + "-wal")
    let error = #expect(throws: StoreError.self) { try copy.open() }
    #expect(error?.code == .dataLoss)
  }

  @Test("A closed store leaves a mark; an open store and one that was not closed have none")
  func cleanMark() throws {
    let directory = try TemporaryDirectory()
    let mark = directory.path + "/quiver.clean"
    let store = try directory.open()
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    #expect(!FileManager.default.fileExists(atPath: mark))
    store.close()
    #expect(FileManager.default.fileExists(atPath: mark))
    let again = try directory.open()
    #expect(!FileManager.default.fileExists(atPath: mark))
    again.close()
  }

  @Test("A large database that was closed is served at once and checked in the background")
  func behind() throws {
    let directory = try TemporaryDirectory()
    try directory.fill(items: 100)
    let store = try directory.open(checkedBeforeServing: 0)
    #expect(outcome(of: store) == nil)
  }

  @Test("Damage in a large database that was closed is reported while it is served")
  func damagedBehind() throws {
    let directory = try TemporaryDirectory()
    try directory.fill(items: 300)
    try Damage.leafHeader.apply(to: directory.databasePath)
    let store = try directory.open(checkedBeforeServing: 0)
    #expect(outcome(of: store)?.code == .dataLoss)
  }

  @Test("After an unclean stop a large database is checked before it is served")
  func uncleanStop() throws {
    let directory = try TemporaryDirectory()
    try directory.fill(items: 300)
    try FileManager.default.removeItem(atPath: directory.path + "/quiver.clean")
    try Damage.leafHeader.apply(to: directory.databasePath)
    let error = #expect(throws: StoreError.self) { try directory.open(checkedBeforeServing: 0) }
    #expect(error?.code == .dataLoss)
  }

  @Test("Closing the store ends a running check")
  func closedEarly() throws {
    let directory = try TemporaryDirectory()
    try directory.fill(items: 300)
    for _ in 0..<10 { try directory.open(checkedBeforeServing: 0).close() }
    #expect(FileManager.default.fileExists(atPath: directory.path + "/quiver.clean"))
  }

  /// What the check behind serving says, once it has ended.
  private func outcome(of store: Store) -> StoreError? {
    let ended = DispatchSemaphore(value: 0)
    let outcome = Mutex<StoreError?>(nil)
    store.install(
      StoreHooks(checked: { damage in
        outcome.withLock { $0 = damage }
        ended.signal()
      }))
    ended.wait()
    return outcome.withLock { $0 }
  }
}

/// Ways in which a file goes bad.
enum Damage: CaseIterable {
  case cutInHalf
  case cutToAFewBytes
  case firstPageZeroed
  case allZeroed
  case leafHeader
  case middleZeroed

  func apply(to path: String) throws {
    var data = try Data(contentsOf: URL(filePath: path))
    let page = 4_096
    switch self {
    case .cutInHalf: data = data.prefix(data.count / 2)
    case .cutToAFewBytes: data = data.prefix(50)
    case .firstPageZeroed: data.replaceSubrange(0..<page, with: [UInt8](repeating: 0, count: page))
    case .allZeroed: data = Data(count: data.count)
    case .leafHeader:
      let notes = Data(repeating: UInt8(ascii: "n"), count: 400)
      for offset in stride(from: page, to: data.count, by: page) where data[offset] == 13 {
        if data[offset..<offset + page].range(of: notes) != nil { data[offset] = 99 }
      }
    case .middleZeroed:
      let start = data.count / 2 / page * page
      data.replaceSubrange(start..<start + 4 * page, with: [UInt8](repeating: 0, count: 4 * page))
    }
    try data.write(to: URL(filePath: path))
  }
}

extension TemporaryDirectory {
  /// Opens with another size up to which the database is checked before it is served.
  func open(checkedBeforeServing byteCount: Int64) throws -> Store {
    var configuration = StoreConfiguration(directory: path)
    configuration.checkedBeforeServingByteCount = byteCount
    return try Store(configuration)
  }

  /// Makes a closed database with so many items of equipment.
  func fill(items: Int) throws {
    let store = try open()
    // No more at once than one principal may queue.
    for start in stride(from: 0, to: items, by: 500) {
      let numbers = start..<min(start + 500, items)
      let target = RecordingTarget(expecting: numbers.count)
      for number in numbers {
        var content = EquipmentContent.riser("Hoyt", "\(number)")
        content.set("notes", .text(String(repeating: "n", count: 500)))
        store.submit(
          try CreateEquipment(content), .of(1), target: target, encode: { _ in [] },
          completion: { _ in })
      }
      target.wait()
    }
    store.close()
  }
}
