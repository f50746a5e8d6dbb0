import QuiverWire
import TestSupport
import Testing

@Suite("The deframer", .timeLimit(.minutes(5)))
struct DeframerTests {
  struct Frame: Equatable {
    var bits: UInt64
    var payload: [UInt8]
  }

  static let frames = [
    Frame(
      bits: FrameHeader(payloadByteCount: 5, type: .request, flags: .end, stream: 1).bits,
      payload: [1, 2, 3, 4, 5]),
    Frame(
      bits: FrameHeader(payloadByteCount: 0, type: .close, flags: [], stream: 3).bits, payload: []),
    Frame(
      bits: FrameHeader(payloadByteCount: 9, type: .data, flags: .more, stream: 3).bits,
      payload: Array(10..<19)),
  ]

  static func bytes(of frames: [Frame]) -> [UInt8] {
    frames.flatMap { frame in
      withUnsafeBytes(of: frame.bits.bigEndian) { Array($0) } + frame.payload
    }
  }

  /// All frames in `chunks`.
  static func deframe(_ chunks: [[UInt8]]) -> (frames: [Frame], keeps: Bool) {
    var deframer = Deframer()
    var found: [Frame] = []
    for chunk in chunks {
      chunk.withUnsafeBytes { bytes in
        var offset = 0
        while let header = deframer.header(bytes, at: &offset),
          let payload = deframer.payload(of: header, bytes, at: &offset)
        {
          found.append(Frame(bits: header.bits, payload: Array(payload)))
        }
        #expect(offset == bytes.count)
      }
    }
    let keeps = deframer.hasPartialFrame
    return (found, keeps)
  }

  @Test("C03: three frames survive every split in two")
  func everySplit() {
    let bytes = Self.bytes(of: Self.frames)
    for cut in 0...bytes.count {
      let result = Self.deframe([Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(result.frames == Self.frames, "cut at \(cut)")
      #expect(!result.keeps)
    }
  }

  @Test("C03: three frames survive every split in three")
  func everySplitInThree() {
    let bytes = Self.bytes(of: Self.frames)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let chunks = [bytes[..<first], bytes[first..<second], bytes[second...]].map(Array.init)
        #expect(Self.deframe(chunks).frames == Self.frames, "cuts at \(first) and \(second)")
      }
    }
  }

  @Test("C03: frames arrive complete one byte at a time")
  func oneByteReads() {
    let bytes = Self.bytes(of: Self.frames)
    #expect(Self.deframe(bytes.map { [$0] }).frames == Self.frames)
  }

  @Test(
    "C04: a thousand frames arrive complete in one read and in random chunks",
    arguments: 0..<20 as Range<UInt64>)
  func manyFrames(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let frames = (0..<1_000).map { index in
      let payload = random.bytes(Int.random(in: 0...40, using: &random))
      let header = FrameHeader(
        payloadByteCount: payload.count, type: .data, flags: [], stream: UInt32(index))
      return Frame(bits: header.bits, payload: payload)
    }
    let bytes = Self.bytes(of: frames)
    #expect(Self.deframe([bytes]).frames == frames)
    var chunks: [[UInt8]] = []
    var offset = 0
    while offset < bytes.count {
      let end = min(bytes.count, offset + Int.random(in: 1...300, using: &random))
      chunks.append(Array(bytes[offset..<end]))
      offset = end
    }
    #expect(Self.deframe(chunks).frames == frames, "seed \(seed)")
  }

  @Test("A frame that announces 16 MiB only uses memory for received bytes")
  func keepsWhatCame() {
    var deframer = Deframer()
    let header = FrameHeader(payloadByteCount: 0xFF_FFFF, type: .data, flags: [], stream: 1)
    let chunk = Self.bytes(of: [Frame(bits: header.bits, payload: [7, 7, 7])])
    var headers: [FrameHeader?] = []
    var hasPayload = true
    chunk.withUnsafeBytes { bytes in
      var offset = 0
      headers.append(deframer.header(bytes, at: &offset))
      headers.append(deframer.header(bytes, at: &offset))
      hasPayload = deframer.payload(of: header, bytes, at: &offset) != nil
      headers.append(deframer.header(bytes, at: &offset))
    }
    let (kept, isPartial) = (deframer.keptByteCount, deframer.hasPartialFrame)
    #expect(headers == [header, header, header])
    #expect(!hasPayload)
    #expect(kept == 11)
    #expect(isPartial)
  }
}
