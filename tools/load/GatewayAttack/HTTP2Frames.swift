/// Frames of HTTP/2 (RFC 9113) as an attacker writes them.
struct HTTP2Frames {
  private(set) var bytes: [UInt8] = []

  private enum Kind: UInt8 {
    case headers = 1
    case reset = 3
    case settings = 4
    case windowUpdate = 8
    case continuation = 9
  }

  private static let endHeaders: UInt8 = 4

  /// The preface and empty SETTINGS.
  static let opening: [UInt8] = {
    var frames = HTTP2Frames()
    frames.add(.settings, stream: 0, [])
    return Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frames.bytes
  }()

  /// `POST /quiver.v1.Health/Check` in HPACK (RFC 7541): indexed fields of the static table, and
  /// literal ones without indexing.
  private static let head: [UInt8] =
    [0x83, 0x86] + literal(4, "/quiver.v1.Health/Check") + literal(1, "localhost")
    + [0x0F, 0x10] + text("application/json")

  private static func literal(_ index: UInt8, _ value: String) -> [UInt8] { [index] + text(value) }

  private static func text(_ value: String) -> [UInt8] { [UInt8(value.utf8.count)] + value.utf8 }

  private mutating func add(
    _ kind: Kind, _ flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8]
  ) {
    let length = UInt32(payload.count)
    bytes += [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255)]
    bytes += [kind.rawValue, flags]
    withUnsafeBytes(of: stream.bigEndian) { bytes += $0 }
    bytes += payload
  }

  /// The id of a client's stream by its number from 0.
  private static func id(_ number: Int) -> UInt32 { UInt32(truncatingIfNeeded: number * 2 + 1) }

  /// Opens a stream whose request does not end.
  mutating func open(_ number: Int) {
    add(.headers, Self.endHeaders, stream: Self.id(number), Self.head)
  }

  mutating func reset(_ number: Int) { add(.reset, stream: Self.id(number), [0, 0, 0, 8]) }

  /// An increment of 0 is an error of the stream.
  mutating func updateWindow(_ number: Int) {
    add(.windowUpdate, stream: Self.id(number), [0, 0, 0, 0])
  }

  /// The beginning of a head that ``continueHead(_:)`` continues.
  mutating func beginHead(_ number: Int) { add(.headers, stream: Self.id(number), Self.head) }

  /// Fields of a head that does not end.
  mutating func continueHead(_ number: Int) {
    let field = [0] + Self.text("a") + Self.text(String(repeating: "b", count: 100))
    let fields = (0..<9).flatMap { _ in field }
    add(.continuation, stream: Self.id(number), fields)
  }
}
