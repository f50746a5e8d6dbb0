import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import QuiverZstd

extension Case {
  private typealias Number = DiagnosticsMethods

  /// Section 4.2, for servers whose HELLO lists zstd.
  static let compression: [Case] = [
    Case("U02", "compressed requests are answered rightly", .zstd, body: requests),
    Case("U02", "a compressed message comes in parts, and through a client stream", .zstd) {
      target in
      let peer = try target.connected()
      // A frame with uncompressed blocks, so that it can be truncated.
      let frame = ZstdFrame(payload(of: 3_000)).bytes
      peer.say(
        Frames.request(1, Number.sink.id, Array(frame[..<500]), flags: [.more, .compressed]),
        Frames.data(1, Array(frame[500..<2_000]), .more), Frames.data(1, Array(frame[2_000...])),
        Frames.data(1, payload(of: 10)),
        Frames.data(
          1, ZstdFrame(payload(of: 1_000, isEmpty: true), zeros: 1_000, in: 1_003).bytes,
          .compressed),
        Frames.close(1))
      try expectSink(peer, 1, messages: 3, bytes: 4_010)
    },
    Case("U02", "replies to a client that lists zstd inflate to what they are", .zstd) { target in
      let peer = try target.connected { $0.compression = ["zstd"] }
      for (place, size) in [10, 2_000, 60_000].enumerated() {
        let stream = UInt32(2 * place + 1)
        let message = text(size)
        peer.say(Frames.request(stream, Number.echo.id, flags: []))
        try send(message, on: stream, peer, ends: true)
        try require(
          try reply(of: stream, from: peer) == message, "another message of \(size) bytes")
      }
    },
    Case("A07", "a decompression bomb ends its call alone, whatever it says of its size", .zstd) {
      target in
      let peer = try target.connected()
      let size = target.maxMessageBytes + 1
      for (stream, frame) in [
        (1, ZstdFrame([], zeros: size, in: size)), (3, ZstdFrame([], zeros: size, in: nil)),
        (5, ZstdFrame([], zeros: size * 16, in: nil)),
      ] as [(UInt32, ZstdFrame)] {
        peer.say(
          Frames.request(stream, Number.echo.id, frame.bytes, flags: [.end, .compressed]))
        let status = try peer.expectStatus(stream, .resourceExhausted)
        try require(status.notProcessed, "not_processed is missing")
      }
      try peer.expectAlive()
      try target.stillServes()
    },
    Case("A07", "what inflates steeply is refused, or taken whole", .zstd) { target in
      let peer = try target.connected()
      let zeros = 1 << 20
      let frame = ZstdFrame(payload(of: zeros, isEmpty: true), zeros: zeros, in: nil)
      peer.say(
        Frames.request(1, Number.sink.id, frame.bytes, flags: [.end, .compressed]))
      switch try peer.outcome(of: 1) {
      case .message(let bytes):
        try require(
          try SinkResponse(serializedBytes: bytes).payloadBytes, is: UInt64(zeros), "bytes")
      case .status(let status):
        try require(status.code, is: StatusCode.resourceExhausted.rawValue, "the code")
      }
      try peer.expectAlive()
    },
    Case("A07", "what is no zstd frame, or more than one, ends its call alone", .zstd) { target in
      let peer = try target.connected()
      let frame = ZstdFrame(payload(of: 1_500)).bytes
      let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]
      let wrong = [
        [], Array(frame.dropLast()), frame + [0], frame + frame, skippable + frame,
        payload(of: 1_500), ZstdFrame(payload(of: 1_500), windowLog: 21).bytes,
        ZstdFrame([], zeros: 2_000, in: 1_000).bytes,
      ]
      for (place, bytes) in wrong.enumerated() {
        let stream = UInt32(2 * place + 1)
        peer.say(Frames.request(stream, Number.echo.id, bytes, flags: [.end, .compressed]))
        _ = try peer.expectStatus(stream, .invalidArgument)
      }
      try peer.expectAlive()
    },
  ]

  private static func requests(_ target: Target) throws {
    let peer = try target.connected()
    let cases: [(message: [UInt8], frame: ZstdFrame)] = [
      (payload(of: 40), ZstdFrame(payload(of: 40))),
      (payload(of: 12_000), ZstdFrame(payload(of: 12_000))),
      // Up to 64 KiB any ratio is accepted.
      (
        payload(of: 60_000, isEmpty: true) + [UInt8](repeating: 0, count: 60_000),
        ZstdFrame(payload(of: 60_000, isEmpty: true), zeros: 60_000, in: nil)
      ),
      ([], ZstdFrame([])),
    ]
    for (place, one) in cases.enumerated() {
      let stream = UInt32(2 * place + 1)
      peer.say(
        Frames.request(stream, Number.echo.id, one.frame.bytes, flags: [.end, .compressed]))
      guard case .message(let reply) = try peer.outcome(of: stream) else {
        throw Failure("a status came for \(one.message.count) bytes")
      }
      try require(reply == one.message, "another message than one of \(one.message.count) bytes")
    }
  }

  private static func expectSink(
    _ peer: Peer, _ stream: UInt32, messages: UInt64, bytes: UInt64
  ) throws {
    guard case .message(let reply) = try peer.outcome(of: stream) else {
      throw Failure("a status came")
    }
    let counted = try SinkResponse(serializedBytes: reply)
    try require(UInt64(counted.messageCount), is: messages, "messages")
    try require(counted.payloadBytes, is: bytes, "bytes")
  }

  /// An EchoMessage with a payload of `count` bytes, or only the bytes before such a payload.
  private static func payload(of count: Int, isEmpty: Bool = false) -> [UInt8] {
    [0x0A] + Frames.varint(count) + [UInt8](repeating: 0x41, count: isEmpty ? 0 : count)
  }

  /// An EchoMessage with a payload that compresses within the allowed ratio.
  private static func text(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var line = 0
    while bytes.count < count {
      bytes += Array("arrow \(line) of end \(line / 6): ten\n".utf8)
      line += 1
    }
    return payload(of: count, isEmpty: true) + bytes.prefix(count)
  }

  /// The single reply of a call, inflated if it is compressed.
  private static func reply(of stream: UInt32, from peer: Peer) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var isCompressed: Bool?
    while true {
      let heard = try peer.next()
      try require(heard.type == .response || heard.type == .data, "\(heard.words), not the reply")
      let flag = heard.header.flags.contains(.compressed)
      try require(isCompressed == nil || !flag, "COMPRESSED inside a message")
      isCompressed = isCompressed ?? flag
      bytes += heard.payload
      peer.say(Frames.credit(stream, 1 << 30), Frames.credit(0, 1 << 30))
      guard !heard.header.flags.contains(.more) else { continue }
      // With trailing metadata the reply is no RESPONSE.
      if heard.type == .data { _ = try peer.expectStatus(stream, .ok) }
      return isCompressed == true ? try inflated(bytes) : bytes
    }
  }

  private static func inflated(_ frame: [UInt8]) throws -> [UInt8] {
    var message: [UInt8] = []
    try frame.withUnsafeBytes { frame in
      try Zstd().inflate(frame, limit: 1 << 20) { message += $0 }
    }
    return message
  }
}

/// A zstd frame built by hand (RFC 8878): uncompressed blocks, then blocks that repeat a zero. It
/// can state values that no compressor would write.
struct ZstdFrame {
  let bytes: [UInt8]

  private static let largestBlock = 128 * 1024

  /// - Parameters:
  /// - kept: the start of the message.
  /// - zeros: the number of zeros after it.
  /// - size: the size that the frame states; nil if it states none.
  init(_ kept: [UInt8], zeros: Int = 0, in size: Int? = nil, windowLog: UInt8 = 20) {
    var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    // The size in eight bytes, or none; a window, no checksum, no dictionary.
    bytes += [size == nil ? 0x00 : 0xC0, (windowLog - 10) << 3]
    if let size { bytes += withUnsafeBytes(of: UInt64(size).littleEndian) { Array($0) } }
    for start in stride(from: 0, to: kept.count, by: Self.largestBlock) {
      let block = kept[start..<min(start + Self.largestBlock, kept.count)]
      bytes += Self.header(block.count, repeats: false) + block
    }
    for start in stride(from: 0, to: zeros, by: Self.largestBlock) {
      bytes += Self.header(min(Self.largestBlock, zeros - start), repeats: true) + [0]
    }
    // An empty block is the last one.
    self.bytes = bytes + [1, 0, 0]
  }

  private static func header(_ size: Int, repeats: Bool) -> [UInt8] {
    let bits = size << 3 | (repeats ? 2 : 0)
    return [UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16 & 255)]
  }
}
