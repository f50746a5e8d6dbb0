import ProtobufFixtures
import QuiverProtobuf
import Testing

@Suite("The message coder", .timeLimit(.minutes(5)))
struct MessageCoderTests {
  @Test("A message with a value in every field survives encoding and decoding")
  func roundTrip() throws {
    let all = AllTypes.filled
    let bytes = all.serializedBytes()
    let decoded = try AllTypes(serializedBytes: bytes)
    #expect(decoded == all)
    #expect(decoded.double.sign == .minus)
    #expect(decoded.serializedBytes() == bytes)
  }

  @Test("An empty message has no bytes, and no bytes are an empty message")
  func empty() throws {
    #expect(AllTypes().serializedBytes().isEmpty)
    #expect(try AllTypes(serializedBytes: []) == AllTypes())
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(try MessageCoder().decode(AllTypes.self, from: nothing) == AllTypes())
  }

  @Test("An empty sub-message is written, an absent one is not")
  func presence() throws {
    var all = AllTypes()
    all.leaf = Leaf()
    #expect(all.serializedBytes() == [0x8A, 0x01, 0x00])
    #expect(try AllTypes(serializedBytes: [0x8A, 0x01, 0x00]).leaf == Leaf())
  }

  @Test("A negative zero is encoded, as by Google's libraries")
  func negativeZero() throws {
    var all = AllTypes()
    all.double = -0.0
    #expect(all.serializedBytes() == [0x61, 0, 0, 0, 0, 0, 0, 0, 0x80])
  }

  @Test("Packed values are written, and unpacked ones are read too")
  func packed() throws {
    #expect(Branch(lengths: [1, 300]).serializedBytes() == [0x1A, 3, 1, 0xAC, 2])
    let mixed: [UInt8] = [0x18, 1, 0x1A, 2, 2, 3, 0x18, 4]
    #expect(try Branch(serializedBytes: mixed).lengths == [1, 2, 3, 4])
  }

  @Test("The last copy of a scalar wins, and unknown fields are skipped")
  func lenience() throws {
    let bytes: [UInt8] = [0x0A, 1, 0x61, 0xF8, 0x07, 9, 0x0A, 1, 0x62, 0xFA, 0x07, 2, 1, 2]
    #expect(try Leaf(serializedBytes: bytes) == Leaf(name: "b"))
  }

  @Test("The size bound covers each element of a repeated message, from one on")
  func boundOfElements() {
    var all = AllTypes()
    for _ in 1...3 {
      all.leaves.append(Leaf(name: String(repeating: "x", count: 1_000)))
      let bound = MessageCoder().encodedSizeBound(all)
      #expect(bound >= 1_000 * all.leaves.count && all.serializedBytes().count <= bound)
    }
  }

  @Test("The size bound is at least the encoded size, and a coder can be used again")
  func bound() throws {
    let coder = MessageCoder()
    for message in [AllTypes(), AllTypes.filled] {
      let bound = coder.encodedSizeBound(message)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
      defer { buffer.deallocate() }
      let count = coder.encode(message, into: buffer)
      #expect(count <= bound)
      let bytes = [UInt8](buffer[..<count])
      #expect(bytes == message.serializedBytes())
      let again = coder.encode(message) { bound in
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<bound])
      }
      #expect(again == count)
      #expect(try coder.decode(AllTypes.self, from: bytes) == message)
    }
  }

  @Test(
    "Strings of each length near the limit of short strings survive, ASCII or not",
    arguments: ["a", "é", "🏹", "a\u{0}"])
  func strings(unit: String) throws {
    let coder = MessageCoder()
    for count in 0...40 {
      var all = AllTypes()
      all.string = String(repeating: unit, count: count)
      all.optionalString = all.string
      all.strings = [all.string, all.string]
      let decoded = try coder.decode(AllTypes.self, from: coder.encode(all))
      #expect(decoded == all)
      #expect(decoded.string.utf8.elementsEqual(all.string.utf8))
      #expect(decoded.string + "!" == all.string + "!")
    }
  }

  @Test("Short strings have the layout that the fast path assumes")
  func shortStrings() {
    #expect(ShortString.isKnown)
  }

  @Test("A message that is far larger than the arena's first block survives encoding")
  func large() throws {
    var all = AllTypes()
    all.bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    all.strings = (0..<5_000).map { "string number \($0)" }
    all.leaves = (0..<5_000).map { Leaf(name: "\($0)", weight: Double($0)) }
    all.int64s = (0..<50_000).map { Int64($0) << 20 }
    let coder = MessageCoder()
    for _ in 0..<2 {
      #expect(try coder.decode(AllTypes.self, from: coder.encode(all)) == all)
      #expect(try coder.decode(Leaf.self, from: coder.encode(Leaf(name: "x"))).name == "x")
    }
  }

  @Test(
    "Values near the size limit of the arena's blocks survive encoding",
    arguments: [32_751, 32_752, 32_767, 32_768, 32_769, 65_535, 65_537, 300_000])
  func ownMemory(count: Int) throws {
    var all = AllTypes()
    all.bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    all.optionalBytes = all.bytes.reversed()
    all.string = String(repeating: "é", count: count / 2)
    all.strings = [String(repeating: "a", count: count), "short", all.string]
    all.byteStrings = [[1], all.bytes, [], Array(all.bytes.dropFirst())]
    all.uint32s = (0..<UInt32(count / 4)).map { $0 }
    let coder = MessageCoder()
    let bytes = coder.encode(all)
    for _ in 0..<2 {
      var decoded = try coder.decode(AllTypes.self, from: bytes)
      #expect(decoded == all)
      decoded.bytes[0] = 99
      decoded.byteStrings[1].append(1)
      #expect(try coder.decode(Leaf.self, from: coder.encode(Leaf(name: "x"))).name == "x")
    }
    let dynamic = try coder.decode(AllTypes.schema.core, from: bytes)
    #expect(coder.encode(dynamic) == bytes)
    // The last copy of a field wins, whatever memory the first one had.
    var last = AllTypes()
    last.bytes = Array(all.bytes.prefix(40_000))
    let both = try coder.decode(AllTypes.self, from: bytes + coder.encode(last))
    #expect(both.bytes == last.bytes && both.optionalBytes == all.optionalBytes)
    // A large string that is not UTF-8 is refused like a small one.
    var broken = coder.encode(Leaf(name: String(repeating: "a", count: count)))
    broken[broken.count - 1] = 0xFF
    #expect(throws: DecodeError.self) { try coder.decode(Leaf.self, from: broken) }
    #expect(try coder.decode(AllTypes.self, from: bytes) == all)
  }
}
