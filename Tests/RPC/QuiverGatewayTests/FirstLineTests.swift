import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverGateway

@Suite("The first bytes of a connection to the gateway", .timeLimit(.minutes(1)))
struct FirstLineTests {
  private static func found(_ bytes: [UInt8], whole: Bool) -> FirstLine.Finding {
    var line = FirstLine(mostBytes: 64)
    var finding = FirstLine.Finding.incomplete
    let parts = whole ? [bytes] : bytes.map { [$0] }
    for part in parts where finding == .incomplete {
      finding = part.withUnsafeBytes { line.receive($0) }
    }
    return finding
  }

  private static let cases: [(String, FirstLine.Finding)] = [
    ("GET / HTTP/1.1\r\n", .http1), ("GET / HTTP/1.1\n", .http1),
    ("\r\nGET / HTTP/1.1\r\n", .http1),
    ("SEARCH /x HTTP/1.0\r\n", .http1), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .http2),
    ("PRI * HTTP/1.1\r\n", .http1), ("GET /", .incomplete), ("PRI * HT", .incomplete),
    (String(repeating: "a", count: 70), .http1), ("SSH-2.0-OpenSSH_9.2p1\r\n", .other(.ssh)),
    ("EHLO a\r\n", .other(nil)), ("GET /\r\n", .other(nil)), ("\u{0}\u{1}", .other(nil)),
    ("GET \u{1}", .other(nil)),
  ]

  @Test("They are HTTP/1.1, HTTP/2 or another protocol, however they are divided", arguments: cases)
  func texts(_ text: String, _ expected: FirstLine.Finding) {
    #expect(Self.found(Array(text.utf8), whole: true) == expected)
    #expect(Self.found(Array(text.utf8), whole: false) == expected)
  }

  @Test("A TLS hello and a Quiver preface are found at their first byte")
  func bytes() {
    #expect(Self.found([0x16], whole: true) == .other(.tls))
    #expect(Self.found([0x16, 3, 1, 2, 0, 1], whole: true) == .other(.tls))
    #expect(Self.found([Preface.bytes[0]], whole: true) == .other(.quiver))
    #expect(Self.found(Preface.bytes, whole: true) == .other(.quiver))
  }

  @Test("The bytes are kept for the version that they belong to")
  func kept() {
    var line = FirstLine(mostBytes: 64)
    for byte in Array("GET / HTTP/1.1\r\n".utf8) {
      _ = withUnsafeBytes(of: byte) { line.receive($0) }
    }
    #expect(line.take() == Array("GET / HTTP/1.1\r\n".utf8))
    #expect(line.take() == [])
  }
}
