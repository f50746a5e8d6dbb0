import ProtobufFixtures
import QuiverProtobuf
import TestSupport
import Testing

@Suite("Mutated messages", .timeLimit(.minutes(5)))
struct MutationTests {
  @Test(
    "A message that the pre-scan accepts can be unpacked and encoded again",
    arguments: 0..<40 as Range<UInt64>)
  func mutated(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let coder = MessageCoder()
    for round in 0..<250 {
      let original = DynamicMessage.random(AllTypes.schema.core, using: &generator)
      var bytes = original.serializedBytes()
      for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&bytes, &generator) }
      do {
        let message = try coder.decode(AllTypes.self, from: bytes)
        let written = coder.encode(message)
        let again = try coder.decode(AllTypes.self, from: written)
        #expect(coder.encode(again) == written, "seed \(seed), round \(round)")
      } catch {
        // The pre-scan computes the memory for unpacking, and checks everything else that it
        // refuses.
        #expect(error.code != .arenaExhausted, "seed \(seed), round \(round)")
        #expect(error.reason != .unpackRefused, "seed \(seed), round \(round)")
      }
    }
  }

  @Test("Random bytes are either decoded or refused", arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed ^ 0xBAD)
    let coder = MessageCoder()
    for _ in 0..<500 {
      let count = Int.random(in: 0...60, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      do {
        _ = try coder.decode(AllTypes.self, from: bytes)
      } catch {
        #expect(error.reason != .unpackRefused && error.code != .arenaExhausted, "seed \(seed)")
      }
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &generator)
    let byte = UInt8.random(in: .min ... .max, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0 where place < bytes.count: bytes[place] = byte
    case 1 where place < bytes.count: bytes[place] ^= 1 << (byte & 7)
    case 2 where place < bytes.count: bytes.remove(at: place)
    case 3: bytes.insert(byte, at: place)
    case 4: bytes.removeSubrange(place...)
    default:
      let end = min(place + Int(byte & 31), bytes.count)
      bytes.insert(contentsOf: bytes[place..<end], at: place)
    }
  }
}
