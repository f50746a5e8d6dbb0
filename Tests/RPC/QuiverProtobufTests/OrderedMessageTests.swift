import ProtobufFixtures
import QuiverProtobuf
import TestSupport
import Testing

/// Swift messages are read and written without libprotobuf-c where their fields are in order;
/// dynamic messages always go through it.
@Suite("Messages without libprotobuf-c", .timeLimit(.minutes(5)))
struct OrderedMessageTests {
  /// The bytes that a message encodes to again, or the reason and the place of the refusal.
  private enum Outcome: Equatable {
    case encoded([UInt8])
    case refused(DecodeError)
  }

  private func typed(_ coder: MessageCoder, _ bytes: [UInt8]) -> Outcome {
    do {
      return .encoded(coder.encode(try coder.decode(AllTypes.self, from: bytes)))
    } catch {
      return .refused(error)
    }
  }

  private func dynamic(_ coder: MessageCoder, _ bytes: [UInt8]) -> Outcome {
    do {
      return .encoded(coder.encode(try coder.decode(AllTypes.schema.core, from: bytes)))
    } catch {
      return .refused(error)
    }
  }

  @Test(
    "Random messages have the bytes that libprotobuf-c gives them",
    arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed ^ 0x0D)
    let coder = MessageCoder()
    for round in 0..<100 {
      let message = DynamicMessage.random(AllTypes.schema.core, using: &generator)
      let bytes = coder.encode(message)
      #expect(typed(coder, bytes) == .encoded(bytes), "seed \(seed), round \(round)")
    }
  }

  @Test(
    "Messages with changed bytes mean what they mean to libprotobuf-c, and are refused alike",
    arguments: 0..<20 as Range<UInt64>)
  func mutated(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed ^ 0xD0)
    let coder = MessageCoder()
    for round in 0..<200 {
      var bytes = coder.encode(DynamicMessage.random(AllTypes.schema.core, using: &generator))
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let place = bytes.indices.randomElement(using: &generator) ?? 0
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
      #expect(
        typed(coder, bytes) == dynamic(coder, bytes), "seed \(seed), round \(round): \(bytes)")
    }
  }

  @Test(
    "Fields in another order, and twice, mean what they mean to libprotobuf-c",
    arguments: 0..<20 as Range<UInt64>)
  func unordered(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed ^ 0xDD)
    let coder = MessageCoder()
    for round in 0..<100 {
      let parts = (0..<3).map { _ in
        coder.encode(DynamicMessage.random(AllTypes.schema.core, using: &generator))
      }
      let bytes = Array(parts.shuffled(using: &generator).joined())
      #expect(typed(coder, bytes) == dynamic(coder, bytes), "seed \(seed), round \(round)")
    }
  }

  @Test(
    "Numbers in more bytes than they need mean what they mean to libprotobuf-c",
    arguments: [
      [0x08, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
      [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
      [0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      [0x38, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
      [0x68, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02],
      [0x68, 0x80, 0x00], [0x68, 0x02], [0x88, 0x80, 0x00, 0x01], [0x72, 0x81, 0x00, 0x61],
      [0x80, 0x01, 0x81, 0x80, 0x80, 0x80, 0x10], [0xAA, 0x03, 0x03, 0x80, 0x00, 0x02],
    ] as [[UInt8]])
  func longForms(bytes: [UInt8]) {
    let coder = MessageCoder()
    #expect(typed(coder, bytes) == dynamic(coder, bytes))
  }

  @Test("Short strings at the very end of their bytes are read without what follows")
  func ends() throws {
    let coder = MessageCoder()
    let text = Array("fifteen letters".utf8)
    for count in 1...15 {
      let message = [0x72, UInt8(count)] + text.prefix(count)
      let bytes = message + [UInt8](repeating: 0x7E, count: 16)
      let decoded = try bytes.withUnsafeBytes {
        try coder.decode(
          AllTypes.self, from: UnsafeRawBufferPointer(rebasing: $0[..<message.count]))
      }
      #expect(decoded.string == String(decoding: text.prefix(count), as: UTF8.self))
      #expect(decoded.string + "!" == String(decoding: text.prefix(count) + [0x21], as: UTF8.self))
    }
  }

  @Test(
    "A sub-message's length takes as many bytes as it needs",
    arguments: [0, 1, 125, 126, 127, 128, 16_380, 16_383, 16_384, 2_097_152])
  func lengths(count: Int) throws {
    let coder = MessageCoder()
    var all = AllTypes()
    all.leaf = Leaf(name: String(repeating: "x", count: count))
    all.branch = Branch(main: all.leaf, leaves: [Leaf(name: "y"), Leaf()])
    let bytes = coder.encode(all)
    #expect(try coder.decode(AllTypes.self, from: bytes) == all)
    #expect(dynamic(coder, bytes) == .encoded(bytes))
  }
}
