import QuiverRPC
import QuiverWire
import Testing

@Suite("Peers that speak another protocol", .timeLimit(.minutes(5)))
struct OtherProtocolTests {
  private static func found(_ bytes: [UInt8]) -> OtherProtocol? {
    bytes.withUnsafeBytes { OtherProtocol(firstBytes: $0) }
  }

  @Test(
    "A protocol is found by its first bytes, and by the first of them alone",
    arguments: [
      (Preface.bytes, OtherProtocol.quiver), ([0x16, 3, 1, 2, 0, 1], .tls),
      ([0x15, 3, 3, 0, 2, 2, 10], .tls), (Array("GET / HTTP/1.1\r\n".utf8), .http1),
      (Array("HTTP/1.1 400 Bad Request\r\n".utf8), .http1),
      (Array("<!DOCTYPE HTML>\n<html>".utf8), .http1), (Array("<html><head>".utf8), .http1),
      (Array("OPTIONS * HTTP/1.1\r\n".utf8), .http1), (Array("SSH-2.0-OpenSSH_9\r\n".utf8), .ssh),
      (Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), .http2),
      ([0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3], .http2),
    ] as [([UInt8], OtherProtocol)])
  func known(_ bytes: [UInt8], _ expected: OtherProtocol) {
    #expect(Self.found(bytes) == expected)
    guard bytes[0] != 0 else { return }
    #expect(Self.found([bytes[0]])?.name.description != nil)
  }

  @Test(
    "Other bytes are no known protocol",
    arguments: [
      [], [0], [0, 0, 18, 4, 0, 0, 0, 0, 1], [0x16, 9], Array("EHLO a\r\n".utf8),
      Array("GETS".utf8), [0x91, 0x51, 0x56, 0],
    ] as [[UInt8]])
  func unknown(_ bytes: [UInt8]) {
    #expect(Self.found(bytes) == nil)
  }

  @Test("Each protocol has the reason in its own words, but TLS, which has an alert")
  func answers() throws {
    let reason = "this port has another protocol"
    for other in [OtherProtocol.http1, .http2, .ssh, .quiver] {
      let answer = other.answer(reason)
      #expect(String(decoding: answer, as: UTF8.self).contains(reason), "\(other)")
      if other != .ssh { #expect(Self.found(answer) == other) }
    }
    #expect(OtherProtocol.tls.answer(reason) == [0x15, 3, 3, 0, 2, 2, 10])
  }
}
