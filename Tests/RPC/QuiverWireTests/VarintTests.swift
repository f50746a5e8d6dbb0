import QuiverWire
import Testing

@Suite("Varints", .timeLimit(.minutes(5)))
struct VarintTests {
  static func read(_ bytes: [UInt8], at start: Int = 0) -> (value: UInt64?, offset: Int) {
    var offset = start
    let value = bytes.withUnsafeBytes { Varint.read($0, at: &offset) }
    return (value, offset)
  }

  static let shortest: [(UInt64, [UInt8])] = [
    (0, [0]), (1, [1]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]),
    (4_097, [0x81, 0x20]), (16_383, [0xFF, 0x7F]), (16_384, [0x80, 0x80, 1]),
    (UInt64(UInt32.max), [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
    (.max, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
  ]

  @Test("Known numbers have their bytes in both directions", arguments: shortest)
  func golden(_ value: UInt64, _ bytes: [UInt8]) {
    var room = [UInt8](repeating: 0xEE, count: 10)
    let count = room.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { Varint.write(value, to: $0) }
    }
    #expect(count == bytes.count)
    #expect(Array(room.prefix(bytes.count)) == bytes)
    #expect(Varint.byteCount(of: value) == bytes.count)
    #expect(Self.read(bytes).value == value)
    #expect(Self.read(bytes).offset == bytes.count)
  }

  @Test("C02: encoded numbers are decoded unchanged", arguments: 0..<64 as Range<UInt64>)
  func roundTrip(_ shift: UInt64) {
    for value in [UInt64(1) << shift, (UInt64(1) << shift) - 1, UInt64.max >> shift] {
      var room = [UInt8](repeating: 0, count: 10)
      let count = room.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { Varint.write(value, to: $0) } ?? 0
      }
      #expect(count == Varint.byteCount(of: value))
      #expect(Self.read(Array(room.prefix(count))).value == value)
    }
  }

  @Test(
    "C07: a truncated number, or one of more than ten bytes, is refused",
    arguments: [
      [], [0x80], [0xFF, 0xFF], [UInt8](repeating: 0x80, count: 9),
      [UInt8](repeating: 0x80, count: 10), [UInt8](repeating: 0xFF, count: 11) + [0],
    ])
  func truncated(_ bytes: [UInt8]) {
    #expect(Self.read(bytes).value == nil)
    #expect(Self.read(bytes).offset == 0)
  }

  @Test("C07: a number in more bytes than needed is decoded, and its size shows that")
  func overlong() {
    #expect(Self.read([0x86, 0x00]).value == 6)
    #expect(Self.read([0x86, 0x00]).offset == 2)
    #expect(Varint.byteCount(of: 6) == 1)
    #expect(Self.read([UInt8](repeating: 0x80, count: 9) + [0]).value == 0)
  }

  @Test("Bits above 64 are dropped")
  func beyond() {
    #expect(Self.read([UInt8](repeating: 0xFF, count: 9) + [0x7F]).value == .max)
  }

  @Test("Decoding starts at the given position, and fails after the end")
  func offsets() {
    #expect(Self.read([0xFF, 0x05], at: 1).value == 5)
    #expect(Self.read([1, 2], at: 2).value == nil)
    #expect(Self.read([1, 2], at: 9).value == nil)
    #expect(Self.read([1, 2], at: -1).value == nil)
  }
}
