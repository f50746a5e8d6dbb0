import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

/// The bytes of a frame, valid or not.
func frame(
  _ type: UInt8, _ flags: FrameFlags = [], stream: UInt32 = 0, _ payload: [UInt8] = []
) -> [UInt8] {
  let bits =
    UInt64(payload.count) << 40 | UInt64(type) << 36 | UInt64(flags.rawValue) << 32 | UInt64(stream)
  return withUnsafeBytes(of: bits.bigEndian) { Array($0) } + payload
}

func frame(
  _ type: FrameType, _ flags: FrameFlags = [], stream: UInt32 = 0, _ payload: [UInt8] = []
) -> [UInt8] {
  frame(type.rawValue, flags, stream: stream, payload)
}

func frame(_ type: FrameType, stream: UInt32 = 0, _ payload: [UInt8]) -> [UInt8] {
  frame(type.rawValue, [], stream: stream, payload)
}

/// A header that announces `length` bytes.
func header(_ type: FrameType, stream: UInt32 = 0, promising length: Int) -> [UInt8] {
  let bits = UInt64(length) << 40 | UInt64(type.rawValue) << 36 | UInt64(stream)
  return withUnsafeBytes(of: bits.bigEndian) { Array($0) }
}

/// A REQUEST with its head; `change` sets the rarer fields.
func request(
  _ stream: UInt32, _ method: UInt32, _ message: [UInt8] = [], _ flags: FrameFlags = .end,
  timeoutMilliseconds: UInt32 = 0, _ change: (inout RequestHeadMessage) -> Void = { _ in }
) -> [UInt8] {
  var head = RequestHeadMessage()
  head.methodID = method
  head.timeoutMilliseconds = timeoutMilliseconds
  change(&head)
  return request(stream, head: head.serializedBytes(), message, flags)
}

func request(
  _ stream: UInt32, head: [UInt8], _ message: [UInt8] = [], _ flags: FrameFlags = .end
) -> [UInt8] {
  frame(.request, flags, stream: stream, varint(head.count) + head + message)
}

func varint(_ value: Int) -> [UInt8] {
  var room = [UInt8](repeating: 0, count: 10)
  let count = room.withUnsafeMutableBytes { buffer in
    buffer.baseAddress.map { Varint.write(UInt64(value), to: $0) } ?? 0
  }
  return Array(room.prefix(count))
}

func data(_ stream: UInt32, _ bytes: [UInt8], _ flags: FrameFlags = []) -> [UInt8] {
  frame(.data, flags, stream: stream, bytes)
}

func cancel(_ stream: UInt32, _ code: StatusCode = .ok) -> [UInt8] {
  var message = CancelMessage()
  message.code = code.rawValue
  return frame(.cancel, stream: stream, message.serializedBytes())
}

func credit(_ stream: UInt32, _ allowance: UInt64) -> [UInt8] {
  frame(.credit, stream: stream, withUnsafeBytes(of: allowance.bigEndian) { Array($0) })
}

func ping(_ number: UInt64, _ flags: FrameFlags = []) -> [UInt8] {
  frame(.ping, flags, withUnsafeBytes(of: number.bigEndian) { Array($0) })
}

func goAway(
  _ code: ConnectionErrorCode = .noError, last: UInt32 = 0, _ reason: String = ""
) -> [UInt8] {
  var message = GoAwayMessage()
  message.code = code.rawValue
  message.lastStreamID = last
  message.reason = reason
  return frame(.goAway, message.serializedBytes())
}

func status(
  _ stream: UInt32, _ code: StatusCode, _ change: (inout StatusMessage) -> Void = { _ in }
) -> [UInt8] {
  var message = StatusMessage()
  message.code = code.rawValue
  change(&message)
  return frame(.status, stream: stream, message.serializedBytes())
}

func hello(_ change: (inout Hello) -> Void = { _ in }) -> [UInt8] {
  var hello = Hello()
  hello.versionMin = 1
  hello.versionMax = 1
  hello.software = "a peer made by hand"
  change(&hello)
  return frame(.hello, hello.serializedBytes())
}

/// A received frame and its description: `RESPONSE 1 MORE: 4064`.
struct ReceivedFrame {
  var header: FrameHeader
  var payload: [UInt8]

  var type: FrameType? { header.type }
  var stream: UInt32 { header.stream }

  var words: String {
    let name = "\(header.type.map { "\($0)".uppercased() } ?? "TYPE\(header.typeBits)")"
    let flags =
      (header.flags.contains(.end) ? " END" : "") + (header.flags.contains(.more) ? " MORE" : "")
    switch header.type {
    case .hello: return name
    case .ping: return name + flags
    case .credit: return "\(name) \(stream): \(number)"
    case .goAway:
      guard let message = try? GoAwayMessage(serializedBytes: payload) else { return "bad GOAWAY" }
      let code = ConnectionErrorCode(rawValue: message.code).name
      return "\(name) \(code), last \(message.lastStreamID)"
    case .cancel:
      guard let message = try? CancelMessage(serializedBytes: payload) else { return "bad CANCEL" }
      return "\(name) \(stream) "
        + (message.code == 0 ? "CANCELLED" : StatusCode(rawValue: message.code).name)
    case .status:
      guard let message = try? StatusMessage(serializedBytes: payload) else { return "bad STATUS" }
      return "\(name) \(stream) \(StatusCode(rawValue: message.code).name)"
        + (message.notProcessed ? ", not processed" : "")
    case .headers, .close: return "\(name) \(stream)"
    default: return "\(name) \(stream)\(flags): \(payload.count)"
    }
  }

  var number: UInt64 { payload.reduce(0) { $0 << 8 | UInt64($1) } }

  var status: StatusMessage? { try? StatusMessage(serializedBytes: payload) }
}

/// Splits received bytes into frames.
struct FrameParser {
  private var bytes: [UInt8] = []
  private var hasPreface: Bool

  init(hasPreface: Bool = false) { self.hasPreface = hasPreface }

  /// The frames that `chunk` completes; a preface counts as a frame of type 0.
  mutating func parse(_ chunk: [UInt8]) -> [ReceivedFrame] {
    bytes += chunk
    if !hasPreface {
      guard bytes.count >= 8 else { return [] }
      #expect(Array(bytes.prefix(8)) == Preface.bytes)
      bytes.removeFirst(8)
      hasPreface = true
    }
    var frames: [ReceivedFrame] = []
    while bytes.count >= 8 {
      let header = FrameHeader(bits: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
      let end = 8 + header.payloadByteCount
      guard bytes.count >= end else { break }
      frames.append(ReceivedFrame(header: header, payload: Array(bytes[8..<end])))
      bytes.removeFirst(end)
    }
    return frames
  }
}

/// A message with one field of bytes, for the test methods.
struct Blob: Message {
  var data: [UInt8] = []

  init() {}
  init(_ data: [UInt8]) { self.data = data }
  init(count: Int) { data = (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

  static let schema = Schema<Self>("quiver.test.Blob", .bytes(1, "data", \.data))
}

/// A blob whose encoding has exactly `byteCount` bytes.
func blob(encoded byteCount: Int) -> [UInt8] {
  guard byteCount > 0 else { return [] }
  for prefix in 1...5 where byteCount >= 1 + prefix {
    let length = byteCount - 1 - prefix
    if varint(length).count == prefix, length > 0 { return Blob(count: length).serializedBytes() }
  }
  preconditionFailure("no blob has \(byteCount) bytes")
}
