import Testing

@testable import QuiverWire

@Suite("PROXY protocol version 2", .timeLimit(.minutes(5)))
struct ProxyHeaderTests {
  /// A header with this command and family, these addresses and these extensions.
  static func header(
    _ command: UInt8, _ family: UInt8, _ addresses: [UInt8], extensions: [UInt8] = []
  ) -> [UInt8] {
    let length = addresses.count + extensions.count
    return ProxyHeaderParser.signature + [command, family]
      + [UInt8(length >> 8), UInt8(length & 0xFF)] + addresses + extensions
  }

  static let ipv4: [UInt8] = [192, 0, 2, 7, 198, 51, 100, 1, 0xC3, 0x50, 0x1D, 0x1A]
  static let ipv6: [UInt8] =
    [0x20, 0x01, 0x0D, 0xB8, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3]
    + [UInt8](repeating: 0, count: 16) + [0xC3, 0x50, 0x1D, 0x1A]

  static let vectors: [(String, [UInt8], ProxyHeader)] = [
    ("TCP over IPv4", header(0x21, 0x11, ipv4), .ipv4([192, 0, 2, 7], port: 50_000)),
    (
      "TCP over IPv6", header(0x21, 0x21, ipv6), .ipv6(Array(ipv6[..<16]), port: 50_000)
    ),
    (
      "with extensions", header(0x21, 0x11, ipv4, extensions: [0x20, 0, 2, 1, 2]),
      .ipv4([192, 0, 2, 7], port: 50_000)
    ),
    ("a health check of the proxy", header(0x20, 0x00, []), .local),
    ("LOCAL with addresses", header(0x20, 0x11, ipv4), .local),
    ("an unknown family", header(0x21, 0x00, []), .local),
    ("a Unix socket", header(0x21, 0x31, [UInt8](repeating: 0, count: 216)), .unix),
  ]

  @Test("Each header is read, complete and byte by byte, without the bytes after it")
  func headers() {
    for (name, bytes, expected) in Self.vectors {
      let input = bytes + [0x91, 0x51]
      input.withUnsafeBytes { chunk in
        var parser = ProxyHeaderParser()
        var offset = 0
        #expect(parser.receive(chunk, at: &offset) == .header(expected), "\(name)")
        #expect(offset == bytes.count, "\(name)")
      }
      var parser = ProxyHeaderParser()
      for (place, byte) in bytes.enumerated() {
        [byte].withUnsafeBytes { chunk in
          var offset = 0
          let result = parser.receive(chunk, at: &offset)
          let isLast = place == bytes.count - 1
          #expect(result == (isLast ? .header(expected) : .incomplete), "\(name) \(place)")
        }
      }
    }
  }

  static let invalid: [(String, [UInt8])] = [
    ("the preface of Quiver", Preface.bytes),
    ("version 1", Array("PROXY TCP4 192.0.2.7 198.51.100.1 1 2\r\n".utf8)),
    ("a wrong last byte of the signature", ProxyHeaderParser.signature.dropLast() + [0x0B]),
    ("another version", header(0x31, 0x11, ipv4)),
    ("an unknown command", header(0x22, 0x11, ipv4)),
    ("UDP", header(0x21, 0x12, ipv4)),
    ("too few bytes of addresses", header(0x21, 0x21, ipv4)),
    ("no addresses", header(0x21, 0x11, [])),
    (
      "more bytes than are accepted",
      header(0x21, 0x11, ipv4, extensions: [UInt8](repeating: 0, count: 2_100))
    ),
  ]

  @Test("Any other input is refused at the first byte that differs")
  func invalidHeaders() {
    for (name, bytes) in Self.invalid {
      Array(bytes).withUnsafeBytes { chunk in
        var parser = ProxyHeaderParser()
        var offset = 0
        #expect(parser.receive(chunk, at: &offset) == .invalid, "\(name)")
      }
    }
    var parser = ProxyHeaderParser()
    var offset = 0
    let first = [UInt8(0x91)].withUnsafeBytes { parser.receive($0, at: &offset) }
    #expect(first == .invalid)
  }
}
