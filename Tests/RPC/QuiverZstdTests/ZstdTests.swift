import CZstd
import QuiverRPC
import Testing

@testable import QuiverZstd

@Suite("zstd compression of messages", .timeLimit(.minutes(5)))
struct ZstdTests {
  let zstd = Zstd()

  /// Text that repeats itself, with a number in each line.
  static func text(_ byteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var line = 0
    while bytes.count < byteCount {
      bytes += Array("arrow \(line) of end \(line / 6): ten\n".utf8)
      line += 1
    }
    return Array(bytes.prefix(byteCount))
  }

  static func noise(_ byteCount: Int) -> [UInt8] {
    var state: UInt64 = 7
    return (0..<byteCount).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }

  func packed(_ message: [UInt8]) -> [UInt8]? {
    message.withUnsafeBytes { zstd.compress($0, below: $0.count) }
  }

  func unpacked(_ frame: [UInt8], limit: Int = 1 << 24) throws(InflateFault) -> [UInt8] {
    var bytes: [UInt8] = []
    var fault: InflateFault?
    frame.withUnsafeBytes { frame in
      do throws(InflateFault) {
        try zstd.inflate(frame, limit: limit) { bytes += Array($0) }
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    return bytes
  }

  @Test("A compressed message is stored in about as much memory as it has bytes")
  func memory() throws {
    let message = Self.text(1_000_000)
    let frame = try #require(packed(message))
    #expect(frame.count < 500_000 && frame.capacity < frame.count + 8_192)
    #expect(try unpacked(frame) == message)
  }

  /// A frame of libzstd with other parameters than this package's.
  static func frame(
    _ message: [UInt8], windowLog: Int32 = 0, checksum: Int32 = 0, dictionary: [UInt8] = []
  ) -> [UInt8] {
    guard let context = ZSTD_createCCtx() else { return [] }
    defer { ZSTD_freeCCtx(context) }
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum)
    if !dictionary.isEmpty { ZSTD_CCtx_loadDictionary(context, dictionary, dictionary.count) }
    let bound = ZSTD_compressBound(message.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { room, count in
      count = ZSTD_compress2(context, room.baseAddress, room.count, message, message.count)
    }
  }

  @Test(
    "Compressed bytes are decompressed unchanged", arguments: [1_024, 65_536, 65_537, 3_000_000])
  func roundTrip(_ byteCount: Int) throws {
    let message = Self.text(byteCount)
    let frame = try #require(packed(message))
    #expect(frame.count < byteCount / 3)
    #expect(try unpacked(frame) == message)
    // A context that was used before is independent of the earlier message.
    #expect(try unpacked(try #require(packed(message))) == message)
  }

  @Test("Bytes that do not get smaller are not compressed")
  func noise() {
    #expect(packed(Self.noise(100_000)) == nil)
    #expect(packed([]) == nil)
    #expect(packed([1]) == nil)
  }

  @Test("The limit applies while inflating, to the byte, with or without a stated size")
  func limit() throws {
    let message = Self.text(500_000)
    let frame = try #require(packed(message))
    #expect(try unpacked(frame, limit: 500_000) == message)
    #expect(throws: InflateFault.tooLarge) { try unpacked(frame, limit: 499_999) }
    let silent = try Self.withoutSize(message)
    #expect(try unpacked(silent, limit: 500_000) == message)
    var handedOver = 0
    _ = silent.withUnsafeBytes { silent in
      #expect(throws: InflateFault.tooLarge) {
        try zstd.inflate(silent, limit: 100_000) { handedOver += $0.count }
      }
    }
    #expect(handedOver <= 100_000)
  }

  /// A frame that does not state its size.
  private static func withoutSize(_ message: [UInt8]) throws -> [UInt8] {
    let context = try #require(ZSTD_createCCtx())
    defer { ZSTD_freeCCtx(context) }
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0)
    let frame = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(message.count)) {
      $1 = ZSTD_compress2(context, $0.baseAddress, $0.count, message, message.count)
    }
    let header = frame.withUnsafeBytes { FrameHeader($0) }
    #expect(header != nil && header?.contentByteCount == nil)
    return frame
  }

  @Test("A window of 2^20 is accepted, and a larger one or a larger segment is refused")
  func window() throws {
    let message = Self.text(3_000_000)
    #expect(try unpacked(Self.frame(message, windowLog: 20)) == message)
    let wide = Self.frame(message, windowLog: 21)
    #expect(throws: InflateFault.malformed) { try unpacked(wide) }
    let segment = Self.frame(message, windowLog: 27)
    #expect(throws: InflateFault.malformed) { try unpacked(segment) }
    #expect(try unpacked(Self.frame(message, windowLog: 20, checksum: 1)) == message)
  }

  @Test("The shortest header of a frame has six bytes")
  func shortestHeader() {
    // The magic number, one segment, and a size of one byte.
    let bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 5]
    let header = bytes.withUnsafeBytes { FrameHeader($0) }
    #expect(header?.contentByteCount == 5)
    #expect(header?.windowByteCount == 5)
    #expect(bytes.dropLast().withUnsafeBytes { FrameHeader($0) } == nil)
  }

  @Test("Dictionaries, skippable frames, trailing bytes and truncated frames are refused")
  func oneFrame() throws {
    let message = Self.text(10_000)
    let frame = try #require(packed(message))
    let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 0]
    for wrong in [
      frame + [0], frame + frame, frame + skippable, skippable + frame, skippable,
      Array(frame.dropLast()), Array(frame.prefix(6)), Array(frame.prefix(5)), [], message,
      Self.frame(message, dictionary: Self.text(2_000)).withDictionaryID(),
    ] {
      #expect(throws: InflateFault.malformed) { try unpacked(wrong) }
    }
    #expect(try unpacked(frame) == message)
  }

  @Test("Frames with any changed bit, and truncated frames, fail or decode, and never trap")
  func damaged() throws {
    let message = Self.text(4_000)
    let frame = try #require(packed(message))
    var refused = 0
    for bit in 0..<(frame.count * 8) {
      var damaged = frame
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      if (try? unpacked(damaged, limit: 8_000)) == nil { refused += 1 }
    }
    #expect(refused > 0)
    for length in 0..<frame.count {
      #expect(throws: InflateFault.self) { try unpacked(Array(frame.prefix(length))) }
    }
  }

  @Test("Concurrent operations have separate contexts")
  func together() async throws {
    let zstd = zstd
    let results = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<32 {
        group.addTask {
          let message = Self.text(20_000 + number * 997)
          let frame = message.withUnsafeBytes { zstd.compress($0, below: $0.count) } ?? []
          var bytes: [UInt8] = []
          try? frame.withUnsafeBytes { frame in
            try zstd.inflate(frame, limit: 1 << 20) { bytes += Array($0) }
          }
          return bytes == message
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 32 && results.allSatisfy { $0 })
  }
}

extension [UInt8] {
  /// The frame with the id 1 of a dictionary, of one byte, which a decoder must then have.
  fileprivate func withDictionaryID() -> [UInt8] {
    var frame = self
    let descriptor = frame[4]
    frame[4] = descriptor | 1
    frame.insert(1, at: descriptor & 0x20 != 0 ? 5 : 6)
    return frame
  }
}
