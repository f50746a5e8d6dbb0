import Foundation
import Glibc
import QuiverRules
import QuiverStore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FaultTests {
  @Test("A full disk refuses writes and allows reads, and writes resume when there is space")
  func diskFull() throws {
    let store = try TemporaryDirectory().open()
    let made = try store.perform(CreateEquipment(.riser()), .of(1))
    try store.perform(LimitPages(isLimited: true), .of(1))
    var content = EquipmentContent.riser()
    content.set("notes", .text(String(repeating: "n", count: 4_000)))
    var refusal: StoreError?
    for _ in 0..<1_000 where refusal == nil {
      do throws(StoreError) {
        _ = try store.perform(CreateEquipment(content), .of(1))
      } catch {
        refusal = error
      }
    }
    #expect(refusal?.code == .resourceExhausted)
    #expect(refusal?.notProcessed == true)
    let found = try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipment(.riser, .id(made.id), principal: 1)
    }
    #expect(found == made)
    try store.perform(LimitPages(isLimited: false), .of(1))
    _ = try store.perform(CreateEquipment(content), .of(1))
  }

  @Test("After a failed write nothing is acknowledged, the process is notified, and reads continue")
  func failedWrite() throws {
    let directory = try TemporaryDirectory()
    let told = DispatchSemaphore(value: 0)
    let store = try directory.open(hooks: StoreHooks(fatal: { _ in told.signal() }))
    let made = try store.perform(CreateEquipment(.riser()), .of(1))
    #expect(try Self.makeReadOnly(directory.databasePath + "-wal") == 1)

    let gate = store.closeGate()
    let target = RecordingTarget(expecting: 200)
    let results = Results()
    for index in 0..<200 {
      store.submit(
        try CreateEquipment(.riser()), .of(1), target: target, encode: { _ in [] },
        completion: { results.set(index, $0) })
    }
    gate.opened.signal()
    target.wait()
    told.wait()
    #expect((0..<200).allSatisfy { results.code($0) == .unavailable })
    let error = #expect(throws: StoreError.self) {
      try store.perform(CreateEquipment(.riser()), .of(1))
    }
    #expect(error?.code == .unavailable && error?.notProcessed == true)
    let found = try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipment(.riser, .id(made.id), principal: 1)
    }
    #expect(found == made)
    store.close()
    let reopened = try directory.open()
    let counts = try reopened.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentCounts(principal: 1)
    }
    #expect(counts[0].active == 1)
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

/// Makes the database as large as it may become, or lifts that.
private struct LimitPages: Command {
  let isLimited: Bool

  private static let limit = Query("PRAGMA max_page_count = 1")
  private static let lift = Query("PRAGMA max_page_count = 1000000")

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(isLimited ? Self.limit : Self.lift)
  }
}
