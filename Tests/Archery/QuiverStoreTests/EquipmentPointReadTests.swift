import Dispatch
import QuiverCrypto
import QuiverRules
import QuiverStore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct EquipmentPointReadTests {
  @Test("A read returns the item after each change, and nothing after its deletion")
  func followsChanges() throws {
    let store = try TemporaryDirectory().open()
    let clientID = try UUIDv7.make(unixMilliseconds: 1)
    var item = try store.perform(CreateEquipment(.riser(), clientID: clientID), .of(1))
    for number in 0..<50 {
      for _ in 0..<2 {
        #expect(try store.equipment(.riser, .id(item.id), principal: 1) == item)
        #expect(try store.equipment(.riser, .clientID(clientID), principal: 1) == item)
      }
      item = try store.perform(
        UpdateEquipment(
          .riser("brand \(number)"), of: .id(item.id), revision: item.revision,
          mask: ["brand"]), .of(1))
    }
    try store.perform(DeleteEquipment(.riser, .id(item.id)), .of(1))
    let error = #expect(throws: StoreError.self) {
      try store.equipment(.riser, .id(item.id), principal: 1)
    }
    #expect(error?.code == .notFound)
  }

  @Test("Another principal's item, or one of another type, is not found, cached or not")
  func ownership() throws {
    let store = try TemporaryDirectory().open()
    let item = try store.perform(CreateEquipment(.riser()), .of(1))
    for _ in 0..<2 {
      for (type, principal) in [(.riser, 2), (.limbs, 1)] as [(EquipmentType, Int64)] {
        let error = #expect(throws: StoreError.self) {
          try store.equipment(type, .id(item.id), principal: principal)
        }
        #expect(error?.code == .notFound)
      }
      #expect(try store.equipment(.riser, .id(item.id), principal: 1) == item)
    }
  }

  @Test("An item with long texts is read each time, and not kept in memory")
  func longTexts() throws {
    let store = try TemporaryDirectory().open()
    for (length, isKept) in [(500, true), (2_000, false)] {
      var content = EquipmentContent.riser()
      content.set("notes", .text(String(repeating: "n", count: length)))
      let item = try store.perform(CreateEquipment(content), .of(1))
      for _ in 0..<2 {
        #expect(try store.equipment(.riser, .id(item.id), principal: 1) == item)
        let kept = try store.encodedEquipment(.riser, .id(item.id), principal: 1) { _ in [7] }
        #expect(kept == (isKept ? [7] : nil))
      }
    }
  }

  @Test("Concurrent readers never see a revision older than an acknowledged one")
  func neverBack() throws {
    let store = try TemporaryDirectory().open()
    let item = try store.perform(CreateEquipment(.riser()), .of(1))
    let acknowledged = Atomic<UInt64>(1)
    let isDone = Atomic<Bool>(false)
    let older = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      guard thread > 0 else {
        for number in 1...400 as ClosedRange<UInt64> {
          let update = try? UpdateEquipment(
            .riser("brand \(number)"), of: .id(item.id), revision: number, mask: ["brand"])
          guard let update, let changed = try? store.perform(update, .of(1)) else { break }
          acknowledged.store(changed.revision, ordering: .sequentiallyConsistent)
        }
        isDone.store(true, ordering: .sequentiallyConsistent)
        return
      }
      while !isDone.load(ordering: .sequentiallyConsistent) {
        let least = acknowledged.load(ordering: .sequentiallyConsistent)
        let seen = try? store.equipment(.riser, .id(item.id), principal: 1).revision
        if seen ?? 0 < least { older.add(1, ordering: .relaxed) }
      }
    }
    #expect(acknowledged.load(ordering: .relaxed) == 401)
    #expect(older.load(ordering: .relaxed) == 0)
  }
}
