import QuiverWire
import Testing

@Suite("The frame header", .timeLimit(.minutes(5)))
struct FrameHeaderTests {
  struct Golden: Sendable, CustomTestStringConvertible {
    var type: FrameType
    var flags: FrameFlags = []
    var stream: UInt32
    var length: Int
    var bytes: [UInt8]
    var testDescription: String { "\(type)" }
  }

  static let goldens = [
    Golden(type: .hello, stream: 0, length: 17, bytes: [0, 0, 0x11, 0x10, 0, 0, 0, 0]),
    Golden(
      type: .request, flags: .end, stream: 1, length: 47, bytes: [0, 0, 0x2F, 0x21, 0, 0, 0, 1]),
    Golden(type: .headers, stream: 3, length: 0, bytes: [0, 0, 0, 0x30, 0, 0, 0, 3]),
    Golden(
      type: .data, flags: .more, stream: 0x0102_0305, length: 16_384,
      bytes: [0, 0x40, 0, 0x42, 1, 2, 3, 5]),
    Golden(
      type: .response, flags: .compressed, stream: 5, length: 40,
      bytes: [0, 0, 0x28, 0x54, 0, 0, 0, 5]),
    Golden(type: .status, stream: 7, length: 258, bytes: [0, 1, 2, 0x60, 0, 0, 0, 7]),
    Golden(
      type: .cancel, stream: 0x7FFF_FFFF, length: 2,
      bytes: [0, 0, 2, 0x70, 0x7F, 0xFF, 0xFF, 0xFF]),
    Golden(type: .credit, stream: 9, length: 8, bytes: [0, 0, 8, 0x80, 0, 0, 0, 9]),
    Golden(type: .ping, flags: .end, stream: 0, length: 8, bytes: [0, 0, 8, 0x91, 0, 0, 0, 0]),
    Golden(type: .goAway, stream: 0, length: 4, bytes: [0, 0, 4, 0xA0, 0, 0, 0, 0]),
    Golden(type: .close, stream: 11, length: 0, bytes: [0, 0, 0, 0xB0, 0, 0, 0, 11]),
  ]

  @Test("C01: every type has its golden bytes in both directions", arguments: goldens)
  func golden(_ golden: Golden) {
    let header = FrameHeader(
      payloadByteCount: golden.length, type: golden.type, flags: golden.flags,
      stream: golden.stream)
    var written = [UInt8](repeating: 0, count: 8)
    written.withUnsafeMutableBytes { room in
      if let base = room.baseAddress { header.write(to: base) }
    }
    #expect(written == golden.bytes)
    let read = golden.bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { FrameHeader(reading: $0) }
    }
    #expect(read == header)
    #expect(read?.type == golden.type)
    #expect(read?.flags == golden.flags)
    #expect(read?.stream == golden.stream)
    #expect(read?.payloadByteCount == golden.length)
  }

  @Test("The golden table has every frame type")
  func goldensAreComplete() {
    #expect(Set(Self.goldens.map(\.type)) == Set(FrameType.allCases))
  }

  @Test("Types 0 and 12 to 15 are unknown", arguments: [0, 12, 13, 14, 15])
  func unknownTypes(_ bits: UInt64) {
    let header = FrameHeader(bits: bits << 36)
    #expect(header.type == nil)
    #expect(header.typeBits == UInt8(bits))
  }

  @Test("The maximum length and stream id survive encoding")
  func extremes() {
    let header = FrameHeader(bits: .max)
    #expect(header.payloadByteCount == 0xFF_FFFF)
    #expect(header.stream == .max)
    #expect(header.flags == [.end, .more, .compressed, .ignorable])
  }

  @Test("Each type has its senders and its credit charge", arguments: FrameType.allCases)
  func directions(_ type: FrameType) {
    let fromServerAlone: Set<FrameType> = [.headers, .response, .status]
    let fromClientAlone: Set<FrameType> = [.request, .close]
    #expect(type.isFromClient == !fromServerAlone.contains(type))
    #expect(type.isFromServer == !fromClientAlone.contains(type))
    #expect(type.isCharged == [.request, .data, .response].contains(type))
  }
}
