import QuiverRPC
import QuiverWire

/// A message of a request as it has come.
struct ReceivedMessage: Sendable {
  var bytes: [UInt8]
  var isCompressed: Bool
}

/// Messages in envelopes, as gRPC, gRPC-Web and Connect's streams send them: a byte of flags, the
/// length in four bytes, big-endian, and the message.
struct EnvelopeReader {
  private let exchange: HTTPExchange
  /// Bytes of a message as it comes.
  private let mostBytes: Int
  /// Whether compressed messages are gzip; else they are refused.
  private let isGzip: Bool
  /// Connect ends a stream of requests with an envelope of its own.
  private let endFlag: UInt8
  /// Messages count as held until the exchange ends, since its call keeps them.
  private let keepsMessages: Bool
  private var buffer: [UInt8] = []
  private var start = 0
  private var hasEnded = false
  /// Bytes that count as held for the message that was returned last, and for its envelope.
  private var heldBytes = 0

  static let compressedFlag: UInt8 = 1
  /// The flags and the length.
  static let headBytes = 5

  /// The size of the message whose envelope begins with `bytes`.
  static func size(_ bytes: UnsafeRawBufferPointer) -> Int {
    Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
  }

  /// The one message of a body. Throws INVALID_ARGUMENT where there is none, or more.
  static func only(
    _ body: UnsafeRawBufferPointer, isGzip: Bool
  ) throws(RPCError) -> ReceivedMessage {
    guard !body.isEmpty else {
      throw RPCError(.invalidArgument, "the request has no message", isNotProcessed: true)
    }
    guard body.count >= headBytes, body.count >= headBytes + size(body) else { throw cutOff }
    guard body.count == headBytes + size(body) else {
      throw RPCError(
        .invalidArgument, "the request has more than one message", isNotProcessed: true)
    }
    return ReceivedMessage(
      bytes: Array(body[headBytes...]), isCompressed: try check(body[0], isGzip: isGzip))
  }

  /// Whether the flags of an envelope mark its message as compressed. Throws if a flag is unknown,
  /// or if compression was not negotiated.
  private static func check(_ flags: UInt8, isGzip: Bool) throws(RPCError) -> Bool {
    guard flags & ~compressedFlag == 0 else {
      throw RPCError(
        .invalidArgument, "an envelope has unknown flags", isNotProcessed: true)
    }
    guard flags & compressedFlag != 0 else { return false }
    guard isGzip else {
      throw RPCError(
        .internal, "a message is compressed without a named encoding", isNotProcessed: true)
    }
    return true
  }

  init(
    _ exchange: HTTPExchange, mostBytes: Int, isGzip: Bool, keepsMessages: Bool,
    endFlag: UInt8 = 0
  ) {
    self.exchange = exchange
    self.mostBytes = mostBytes
    self.isGzip = isGzip
    self.endFlag = endFlag
    self.keepsMessages = keepsMessages
  }

  /// The next message; nil at the end of the body. Throws INVALID_ARGUMENT where the body ends
  /// within one, and RESOURCE_EXHAUSTED where one is too large or too much is held.
  ///
  /// The message before it counts as held until this is called.
  mutating func next() async throws -> ReceivedMessage? {
    if !keepsMessages { exchange.drop(heldBytes) }
    heldBytes = 0
    guard !hasEnded, let head = try await take(Self.headBytes) else { return nil }
    let flags = head[0]
    let length = head[1...].reduce(0) { $0 << 8 | Int($1) }
    guard length <= mostBytes else {
      exchange.reached(.messageBytes)
      throw RPCError(
        .resourceExhausted,
        "the message has \(length) bytes; the limit is \(mostBytes)",
        isNotProcessed: true)
    }
    guard let message = try await take(length) else { throw Self.cutOff }
    if endFlag != 0, flags & endFlag != 0 {
      hasEnded = true
      return nil
    }
    return ReceivedMessage(
      bytes: message, isCompressed: try Self.check(flags, isGzip: isGzip))
  }

  /// Counts what the message that was returned last has become when it was decompressed. Throws
  /// RESOURCE_EXHAUSTED where too much is held.
  mutating func keep(_ byteCount: Int) throws(RPCError) {
    heldBytes += byteCount
    try exchange.keep(byteCount)
  }

  private static let cutOff = RPCError(
    .invalidArgument, "the body ends within a message", isNotProcessed: true)

  /// The next `count` bytes; nil at the end of the body, if none is left.
  private mutating func take(_ count: Int) async throws -> [UInt8]? {
    while buffer.count - start < count {
      guard let bytes = try await exchange.read() else {
        if let fault = exchange.inputFault { throw fault }
        guard buffer.count == start else { throw Self.cutOff }
        return nil
      }
      if start > 0 {
        buffer.removeFirst(start)
        start = 0
      }
      buffer += bytes
      try exchange.keep(bytes.count)
    }
    defer {
      start += count
      heldBytes += count
    }
    return Array(buffer[start..<start + count])
  }

  /// A message in its envelope.
  static func envelope(_ message: [UInt8], flags: UInt8) -> [UInt8] {
    var bytes: [UInt8] = [flags]
    bytes.reserveCapacity(message.count + headBytes)
    withUnsafeBytes(of: UInt32(clamping: message.count).bigEndian) { bytes += $0 }
    return bytes + message
  }
}

/// How messages are compressed.
enum MessageEncoding {
  /// Whether a list of encodings, `gzip, br`, contains gzip.
  static func acceptsGzip(_ list: HTTPText?) -> Bool {
    (list ?? "").list().contains { part in
      let words = part.list(";")
      return words[0].isToken("gzip") && !words.dropFirst().contains { $0.isToken("q=0") }
    }
  }
}
