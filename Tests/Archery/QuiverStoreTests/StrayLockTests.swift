import QuiverRules
import QuiverSQLite
import QuiverStore
import TestSupport
import Testing

/// Row 7 of the fault matrix: somebody else holds the database.
@Suite(.timeLimit(.minutes(5))) struct StrayLockTests {
  @Test(
    "While another process holds a lock, writes fail with UNAVAILABLE at once, and later recover"
  )
  func strayLock() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let made = try store.perform(CreateEquipment(.riser()), .of(1))
    let other = try Connection(path: directory.databasePath, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")

    let target = RecordingTarget(expecting: 200)
    let results = Results()
    for index in 0..<200 {
      store.submit(
        try CreateEquipment(.riser()), .of(1), target: target, encode: { _ in [] },
        completion: { results.set(index, $0) })
      let found = try store.read { (snapshot) throws(StoreError) in
        try snapshot.equipment(.riser, .id(made.id), principal: 1)
      }
      #expect(found == made)
    }
    target.wait()
    #expect((0..<200).allSatisfy { results.code($0) == .unavailable })

    try other.execute("ROLLBACK")
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    let counts = try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentCounts(principal: 1)
    }
    #expect(counts[0].active == 2)
    #expect(try store.verify().isEmpty)
  }
}
