import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Frames built by hand.
enum FuzzFrames {
  static func frame(
    _ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]
  ) -> [UInt8] {
    big(UInt64(payload.count) << 40 | UInt64(type) << 36 | UInt64(flags) << 32 | UInt64(stream))
      + payload
  }

  static func big(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

/// Receives the output of an end and checks it against the protocol: sizes, senders, credit.
struct OutputChecker {
  private let expected: ConnectionCore.Role
  private var bytes: [UInt8] = []
  private var hasPreface = false
  private var isOver = false
  private var charged: UInt64 = 0
  private var allowance: UInt64 = 1 << 20
  private var streamWindow: UInt64 = 65_536
  private var inflates = false
  private var streams: [UInt32: (charged: UInt64, allowance: UInt64)] = [:]

  init(expects role: ConnectionCore.Role) { expected = role }

  /// The limits in the HELLO that the end receives.
  mutating func allow(_ hello: Hello) {
    if hello.initialStreamCredit != 0 { streamWindow = hello.initialStreamCredit }
    if hello.initialConnectionCredit != 0 { allowance = hello.initialConnectionCredit }
    inflates = hello.compression.contains("zstd")
  }

  /// A CREDIT frame that the end receives.
  mutating func allow(_ stream: UInt32, _ credit: UInt64) {
    guard credit < 1 << 63 else { return }
    if stream == 0 {
      allowance = max(allowance, credit)
    } else {
      let known = streams[stream] ?? (0, streamWindow)
      streams[stream] = (known.charged, max(known.allowance, credit))
    }
  }

  mutating func receive(_ chunk: [UInt8]) {
    bytes += chunk
    if !hasPreface {
      guard bytes.count >= 8 else { return }
      Fuzz.hold(Array(bytes[..<8]) == Preface.bytes, "another preface")
      bytes.removeFirst(8)
      hasPreface = true
    }
    var start = 0
    while bytes.count - start >= 8 {
      let header = FrameHeader(bits: bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) })
      let next = start + 8 + header.payloadByteCount
      guard next <= bytes.count else { break }
      check(header)
      start = next
    }
    bytes.removeFirst(start)
  }

  private mutating func check(_ header: FrameHeader) {
    guard let type = header.type else { Fuzz.stop("a frame of type \(header.typeBits) is said") }
    Fuzz.hold(!isOver, "a frame behind GOAWAY for cause")
    Fuzz.hold(
      expected == .server ? type.isFromServer : type.isFromClient, "\(type) is not its to say")
    Fuzz.hold(
      inflates || !header.flags.contains(.compressed), "COMPRESSED, which was not negotiated")
    if type.isCharged {
      let charge = UInt64(header.payloadByteCount + Limits.frameCharge)
      charged += charge
      Fuzz.hold(charged <= allowance, "\(charged) charged of \(allowance) on the connection")
      let known = streams[header.stream] ?? (0, streamWindow)
      streams[header.stream] = (known.charged + charge, known.allowance)
      Fuzz.hold(
        known.charged + charge <= known.allowance,
        "\(known.charged + charge) charged of \(known.allowance) on stream \(header.stream)")
      Fuzz.hold(header.payloadByteCount <= 16_384, "a frame of \(header.payloadByteCount) bytes")
      let isShort = header.flags.contains(.more) && header.payloadByteCount < Limits.smallestPart
      Fuzz.hold(!isShort || type == .request, "a part of \(header.payloadByteCount) bytes")
    }
  }
}
