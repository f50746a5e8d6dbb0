import QuiverProtobuf
import Testing

@Suite("Fields with large numbers", .timeLimit(.minutes(5)))
struct LargeFieldNumberTests {
  private struct Texts: Message, Equatable {
    var first = ""
    var second = ""
    var third = ""
    var fourth = ""
    var fifth = ""

    static let schema = Schema<Self>(
      "test.Texts", .string(1, "first", \.first), .string(100_001, "second", \.second),
      .string(200_001, "third", \.third), .string(300_001, "fourth", \.fourth),
      .string(400_001, "fifth", \.fifth))
  }

  /// A field of one byte.
  private static func bytes(_ number: UInt64, _ byte: UInt8) -> [UInt8] {
    var tag = number << 3 | 2
    var bytes: [UInt8] = []
    while tag >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: tag) | 0x80)
      tag >>= 7
    }
    return bytes + [UInt8(tag), 1, byte]
  }

  @Test("Each is checked as fields with small numbers are", arguments: 0..<5)
  func checked(_ index: Int) throws {
    let number = [1, 100_001, 200_001, 300_001, 400_001][index]
    let message = try Texts(serializedBytes: Self.bytes(UInt64(number), 0x61))
    let texts = [message.first, message.second, message.third, message.fourth, message.fifth]
    #expect(texts == (0..<5).map { $0 == index ? "a" : "" })
    // The field as a varint.
    let tag = Self.bytes(UInt64(number), 0).dropLast(2)
    let error = #expect(throws: DecodeError.self) {
      try Texts(serializedBytes: [tag[0] & 0xF8] + tag.dropFirst() + [1])
    }
    #expect(error?.reason == .wireTypeMismatch)
  }
}
