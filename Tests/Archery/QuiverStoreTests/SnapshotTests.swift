import Foundation
import QuiverRules
import QuiverStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SnapshotTests {
  @Test("A read sees one state throughout, whatever is committed meanwhile")
  func isolation() throws {
    let store = try TemporaryDirectory().open()
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    try store.read { (snapshot) throws(StoreError) in
      let before = try snapshot.lastSequence()
      _ = try store.perform(CreateEquipment(.riser()), .of(1))
      #expect(try snapshot.lastSequence() == before)
      #expect(try snapshot.equipmentCounts(principal: 1)[0].active == 1)
    }
    #expect(try store.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() } == 2)
  }

  @Test("A read sees every command that was acknowledged before it")
  func ownWrites() throws {
    let store = try TemporaryDirectory().open()
    for number in 1...200 {
      let made = try store.perform(CreateEquipment(.riser()), .of(1))
      let found = try store.read { (snapshot) throws(StoreError) in
        try snapshot.equipment(.riser, .id(made.id), principal: 1)
      }
      #expect(found.id == Int64(number))
    }
  }

  @Test("More threads than readers read concurrently, and each one succeeds")
  func manyThreads() throws {
    let store = try TemporaryDirectory().open()
    let made = try store.perform(CreateEquipment(.riser()), .of(1))
    let results = Results()
    DispatchQueue.concurrentPerform(iterations: 4 * StoreLimits.readers) { index in
      for _ in 0..<50 {
        let found = try? store.read { (snapshot) throws(StoreError) in
          try snapshot.equipment(.riser, .id(made.id), principal: 1)
        }
        if found == made { results.set(index, .success([1])) }
      }
    }
    #expect((0..<4 * StoreLimits.readers).allSatisfy { results.reply($0) == [1] })
  }

  @Test("After a failed read its reader can be used again")
  func afterFailure() throws {
    let store = try TemporaryDirectory().open()
    for _ in 0..<(2 * StoreLimits.readers) {
      #expect(throws: StoreError.self) {
        try store.read { (snapshot) throws(StoreError) in
          try snapshot.equipment(.riser, .id(7), principal: 1)
        }
      }
    }
    #expect(try store.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() } == 0)
  }

  @Test("Readers cannot write")
  func readOnly() throws {
    let store = try TemporaryDirectory().open()
    let error = #expect(throws: StoreError.self) {
      try store.read { (snapshot) throws(StoreError) in
        try snapshot.first(Query("DELETE FROM journal RETURNING sequence")) { row in row.int64(0) }
      }
    }
    #expect(error?.code == .internalError)
  }

  @Test("Kept snapshots do not block checkpoints")
  func checkpoints() throws {
    let store = try TemporaryDirectory().open()
    let notes = String(repeating: "n", count: 4_000)
    var content = Self.riser(notes: notes)
    var largest = 0
    for number in 0..<3_000 {
      content.set("model", .text("\(number)"))
      _ = try store.perform(CreateEquipment(content), .of(1))
      if number % 100 == 0 {
        _ = try store.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() }
      }
      largest = max(largest, store.statistics.walByteCount)
    }
    #expect(store.statistics.checkpoints >= 1)
    #expect(largest <= 16 << 20)
  }

  private static func riser(notes: String) -> EquipmentContent {
    var content = EquipmentContent.riser()
    content.set("notes", .text(notes))
    return content
  }
}
