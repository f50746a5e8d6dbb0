import QuiverWire
import TestSupport
import Testing

@Suite("The byte queue", .timeLimit(.minutes(5)))
struct ByteQueueTests {
  @Test(
    "The queue has the same contents as an array after any operations",
    arguments: 0..<200 as Range<UInt64>)
  func model(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = ByteQueue()
    var model: [UInt8] = []
    for step in 0..<300 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let bytes = random.bytes(Int.random(in: 0...700, using: &random))
        queue.append(bytes)
        model += bytes
      case 2:
        let bytes = random.bytes(Int.random(in: 1...90, using: &random))
        let room = queue.reserve(bytes.count + 20)
        bytes.withUnsafeBytes { source in
          if let base = source.baseAddress {
            room.copyMemory(from: base, byteCount: bytes.count)
          }
        }
        queue.commit(bytes.count)
        model += bytes
      case 3, 4, 5:
        let count = Int.random(in: 0...model.count, using: &random)
        queue.consume(count)
        model.removeFirst(count)
      case 6:
        let count = Int.random(in: 0...model.count, using: &random)
        queue.truncate(to: count)
        model.removeLast(model.count - count)
      default:
        if Bool.random(using: &random) { queue.removeAll() } else { queue.release() }
        model = []
      }
      let (count, isEmpty, memory) = (queue.count, queue.isEmpty, queue.allocatedByteCount)
      let bytes = Array(queue.bytes)
      #expect(count == model.count, "seed \(seed), step \(step)")
      #expect(bytes == model, "seed \(seed), step \(step)")
      #expect(isEmpty == model.isEmpty)
      #expect(memory >= count)
    }
  }

  @Test("A queue that was never used, or is emptied, has no memory")
  func ownsNothing() {
    var queue = ByteQueue()
    var memory = [queue.allocatedByteCount]
    queue.append([1, 2, 3])
    memory.append(queue.allocatedByteCount)
    queue.release()
    memory.append(queue.allocatedByteCount)
    let isEmpty = queue.bytes.isEmpty
    queue.append([])
    memory.append(queue.allocatedByteCount)
    #expect(memory == [0, 112, 0, 0])
    #expect(isEmpty)
  }

  @Test("Space at the front is used again: a steady flow does not grow the queue")
  func steadyFlow() {
    var queue = ByteQueue()
    let bytes = [UInt8](repeating: 1, count: 400)
    queue.append(bytes)
    for _ in 0..<10_000 {
      queue.append(bytes)
      queue.consume(400)
    }
    let (count, memory) = (queue.count, queue.allocatedByteCount)
    #expect(count == 400)
    #expect(memory <= 4_096)
  }
}
