import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// A client that sends given frames and receives frames.
final class Peer {
  let socket: Socket
  private var bytes: [UInt8] = []
  private var hasPreface = false
  /// The credit that the server has stated, by stream; 0 is the connection.
  private(set) var credits: [UInt32: UInt64] = [:]

  private var charged: [UInt32: UInt64] = [:]

  /// A frame from the server.
  struct Heard {
    var header: FrameHeader
    var payload: [UInt8]

    var type: FrameType? { header.type }
    var stream: UInt32 { header.stream }

    var words: String {
      let name = header.type.map { "\($0)".uppercased() } ?? "type \(header.typeBits)"
      switch header.type {
      case .goAway:
        let message = try? GoAwayMessage(serializedBytes: payload)
        return "GOAWAY \(message?.code ?? 99) (\(message?.reason ?? ""))"
      case .status:
        let status = try? StatusMessage(serializedBytes: payload)
        return "STATUS \(stream) with code \(status?.code ?? 99) (\(status?.message ?? ""))"
      default: return "\(name) \(stream) of \(payload.count) bytes"
      }
    }
  }

  /// The outcome of a call.
  enum Outcome {
    case message([UInt8])
    case status(StatusMessage)
  }

  /// The timeout of a reply.
  static let patience: Int32 = 5_000

  init(_ address: SocketAddress) throws { socket = try Socket(address) }

  @discardableResult
  func say(_ parts: [UInt8]...) -> Bool { socket.write(parts.flatMap { $0 }) }

  /// Sends preface and HELLO and receives the HELLO of the server.
  @discardableResult
  func greet(token: [UInt8], _ change: (inout Hello) -> Void = { _ in }) throws -> Hello {
    say(Preface.bytes, Frames.hello(token: token, change))
    return try greeting()
  }

  /// Receives the server's preface and HELLO.
  func greeting() throws -> Hello {
    let heard = try next()
    try require(heard.type == .hello, "the first frame is \(heard.words), not HELLO")
    return try Hello(serializedBytes: heard.payload)
  }

  /// The next frame other than CREDIT and empty HEADERS.
  func next(within milliseconds: Int32 = patience) throws -> Heard {
    while true {
      guard let heard = try nextOfAny(within: milliseconds) else {
        throw Failure("nothing came in \(milliseconds) ms")
      }
      if heard.type == .credit {
        note(heard)
        continue
      }
      if heard.type == .headers, heard.payload.isEmpty { continue }
      return heard
    }
  }

  /// The next frame of any type; nil after a timeout. Throws if the server has closed.
  private func nextOfAny(within milliseconds: Int32) throws -> Heard? {
    while true {
      if let heard = try cut() { return heard }
      switch try socket.read(milliseconds: milliseconds) {
      case .bytes(let more): bytes += more
      case .closed: throw Failure("the server closed the connection")
      case .silence: return nil
      }
    }
  }

  private func cut() throws -> Heard? {
    if !hasPreface, bytes.count >= 8 {
      try require(Array(bytes[..<8]) == Preface.bytes, "the server's preface is not the protocol's")
      hasPreface = true
      bytes.removeFirst(8)
    }
    guard hasPreface, bytes.count >= 8 else { return nil }
    let header = FrameHeader(bits: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) })
    let end = 8 + header.payloadByteCount
    guard bytes.count >= end else { return nil }
    defer { bytes.removeFirst(end) }
    return Heard(header: header, payload: Array(bytes[8..<end]))
  }

  // MARK: What is expected

  /// Throws unless the next frame is a GOAWAY with this code, after which the server closes.
  func expectGoAway(_ code: ConnectionErrorCode, within milliseconds: Int32 = patience) throws {
    var heard = try next(within: milliseconds)
    // Replies from before the error may arrive first.
    while heard.type == .response || heard.type == .status || heard.type == .ping {
      heard = try next(within: milliseconds)
    }
    guard heard.type == .goAway, let message = try? GoAwayMessage(serializedBytes: heard.payload)
    else { throw Failure("\(heard.words), not GOAWAY \(code.name)") }
    try require(
      message.code == code.rawValue, "GOAWAY with code \(message.code), not \(code.name)")
    try expectClose()
  }

  /// Whether a frame of this type arrives within the time; skips statuses.
  func receives(_ type: FrameType, within milliseconds: Int32) throws -> Bool {
    while let heard = try nextOfAny(within: milliseconds) {
      if heard.type == type { return true }
      guard heard.type == .status || heard.type == .credit else {
        throw Failure("\(heard.words), not \(type)")
      }
    }
    return false
  }

  /// Reads what the server sends in another protocol, up to its end.
  func skipAnswer(within milliseconds: Int32) throws {
    while case .bytes = try socket.read(milliseconds: milliseconds) {}
  }

  /// Throws unless the server closes without another frame.
  func expectClose(within milliseconds: Int32 = patience) throws {
    guard bytes.isEmpty else { throw Failure("\(bytes.count) bytes came behind the end") }
    switch try socket.read(milliseconds: milliseconds) {
    case .closed: return
    case .bytes(let more): throw Failure("\(more.count) bytes came instead of the end")
    case .silence: throw Failure("the server did not close in \(milliseconds) ms")
    }
  }

  /// Throws unless the server sends nothing for a while.
  func expectSilence(milliseconds: Int32 = 200) throws {
    if let heard = try nextOfAny(within: milliseconds), heard.type != .credit {
      throw Failure("\(heard.words) came, where nothing should")
    }
  }

  /// Throws unless the connection still replies.
  func expectAlive() throws {
    say(Frames.ping(0x5155_4956_4552))
    let heard = try next()
    try require(
      heard.type == .ping && heard.header.flags == .end, "\(heard.words), not a PING's answer")
  }

  func expectStatus(_ stream: UInt32, _ code: StatusCode) throws -> StatusMessage {
    let heard = try next()
    guard heard.type == .status, heard.stream == stream else {
      throw Failure("\(heard.words), not STATUS \(stream) \(code.name)")
    }
    let status = try StatusMessage(serializedBytes: heard.payload)
    try require(status.code == code.rawValue, "code \(status.code), not \(code.name)")
    return status
  }

  // MARK: Credit

  /// Sends a frame that uses credit, and counts it.
  func sendCharged(_ bytes: [UInt8], on stream: UInt32) {
    charged[stream, default: 0] += UInt64(bytes.count - 8 + Limits.frameCharge)
    say(bytes)
  }

  /// Reads until the stream's window, by default 64 KiB, has credit for this many bytes.
  func waitForCredit(_ stream: UInt32, _ byteCount: Int) throws {
    while (charged[stream] ?? 0) + UInt64(byteCount) > max(credits[stream] ?? 0, 65_400) {
      guard let heard = try nextOfAny(within: Self.patience) else {
        throw Failure("no CREDIT came for stream \(stream)")
      }
      guard heard.type == .credit || heard.payload.isEmpty && heard.type == .headers else {
        throw Failure("\(heard.words), not CREDIT")
      }
      note(heard)
    }
  }

  private func note(_ heard: Heard) {
    guard heard.type == .credit else { return }
    let allowance = heard.payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    credits[heard.stream] = max(credits[heard.stream] ?? 0, allowance)
  }

  // MARK: Calls

  /// Sends a unary call and reads its single reply or status.
  func call(
    _ method: UInt32, _ message: [UInt8], on stream: UInt32,
    _ change: (inout RequestHeadMessage) -> Void = { _ in }
  ) throws -> Outcome {
    say(Frames.request(stream, method, message, change))
    return try outcome(of: stream)
  }

  /// The end of a call with a single reply of any number of frames.
  func outcome(of stream: UInt32) throws -> Outcome {
    var message: [UInt8] = []
    var isResponse = false
    while true {
      let heard = try next()
      guard heard.stream == stream else { throw Failure("\(heard.words) on another stream") }
      switch heard.type {
      case .response, .data:
        isResponse = isResponse || heard.type == .response
        message += heard.payload
        if isResponse, !heard.header.flags.contains(.more) { return .message(message) }
      case .status:
        let status = try StatusMessage(serializedBytes: heard.payload)
        return status.code == 0 ? .message(message) : .status(status)
      case .headers: continue
      default: throw Failure("\(heard.words), not an answer")
      }
    }
  }

  /// The messages of a reply stream and the status after them; returns credit while reading.
  func stream(_ stream: UInt32, window: UInt64 = 65_536) throws -> ([[UInt8]], StatusMessage) {
    var messages: [[UInt8]] = []
    var part: [UInt8] = []
    var charged: UInt64 = 0
    while true {
      let heard = try next()
      switch heard.type {
      case .data:
        part += heard.payload
        charged += UInt64(heard.payload.count + Limits.frameCharge)
        say(Frames.credit(stream, window + charged), Frames.credit(0, 1 << 20 + charged))
        guard !heard.header.flags.contains(.more) else { continue }
        messages.append(part)
        part = []
      case .status: return (messages, try StatusMessage(serializedBytes: heard.payload))
      case .headers: continue
      default: throw Failure("\(heard.words), not a message of the reply")
      }
    }
  }
}
