import QuiverCrypto
import Testing

@testable import QuiverSession

@Suite("ClientIDMaker", .timeLimit(.minutes(5)))
struct ClientIDMakerTests {
  @Test("The maker returns a UUIDv7 of the given instant")
  func form() {
    let id = ClientIDMaker().make(at: 0x0123_4567_89AB)
    #expect(UUIDv7.isValid(id))
    #expect(Array(id[..<6]) == [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB])
  }

  @Test(
    "Each identifier is greater than the one before, whatever the clock",
    arguments: [[5, 5, 5], [9, 3, 1], [1, 2, 1, 3], [-7, 0], [1 << 48, 1 << 48]] as [[Int64]])
  func rising(_ times: [Int64]) {
    let maker = ClientIDMaker()
    var latest: [UInt8] = []
    for time in times {
      for _ in 0..<2_000 {
        let id = maker.make(at: time)
        #expect(UUIDv7.isValid(id))
        #expect(latest.lexicographicallyPrecedes(id))
        latest = id
      }
    }
  }

  @Test("Identifiers from many tasks are different")
  func concurrent() async {
    let maker = ClientIDMaker()
    let ids = await withTaskGroup(of: [[UInt8]].self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<500).map { _ in maker.make(at: 1) } }
      }
      return await group.reduce(into: Set<[UInt8]>()) { $0.formUnion($1) }
    }
    #expect(ids.count == 4_000)
  }
}
