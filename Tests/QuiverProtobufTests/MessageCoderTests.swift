import QuiverProtobuf
import Testing

@Suite("The message coder")
struct MessageCoderTests {
  @Test("A message with something in every field comes back as it was")
  func roundTrip() throws {
    let all = AllTypes.filled
    let bytes = all.serializedBytes()
    let decoded = try AllTypes(serializedBytes: bytes)
    #expect(decoded == all)
    #expect(decoded.double.sign == .minus)
    #expect(decoded.serializedBytes() == bytes)
  }

  @Test("An empty message is no bytes, and no bytes are an empty message")
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

  @Test("Packed values are written, and unpacked ones are read too")
  func packed() throws {
    #expect(Branch(lengths: [1, 300]).serializedBytes() == [0x1A, 3, 1, 0xAC, 2])
    let mixed: [UInt8] = [0x18, 1, 0x1A, 2, 2, 3, 0x18, 4]
    #expect(try Branch(serializedBytes: mixed).lengths == [1, 2, 3, 4])
  }

  @Test("The bound is at least what is written, and one coder serves many messages")
  func bound() throws {
    let coder = MessageCoder()
    for message in [AllTypes(), AllTypes.filled] {
      let bound = coder.encodedSizeBound(message)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bound, alignment: 1)
      defer { buffer.deallocate() }
      let count = coder.encode(message, into: buffer)
      #expect(count <= bound)
      let bytes = [UInt8](buffer[..<count])
      #expect(bytes == message.serializedBytes())
      #expect(try coder.decode(AllTypes.self, from: bytes) == message)
    }
  }

  @Test("The bound is zero only for a message that is all defaults")
  func zeroBound() {
    let coder = MessageCoder()
    #expect(coder.encodedSizeBound(AllTypes()) == 0)
    var all = AllTypes()
    all.double = -0.0
    #expect(coder.encodedSizeBound(all) > 0)
    #expect(all.serializedBytes() == [0x61, 0, 0, 0, 0, 0, 0, 0, 0x80])
  }
}
