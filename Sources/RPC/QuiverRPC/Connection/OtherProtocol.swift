import QuiverProtobuf
import QuiverWire

/// The protocol of a peer by the first bytes that it sends.
package enum OtherProtocol: Sendable, Equatable {
  case quiver, tls, http1, http2, ssh

  /// As texts for people name it.
  package var name: StaticString {
    switch self {
    case .quiver: "Quiver"
    case .tls: "TLS"
    case .http1, .http2: "HTTP"
    case .ssh: "SSH"
    }
  }

  /// How a connection begins in a protocol.
  private static let beginnings: [(Self, [UInt8])] =
    [(.quiver, Array(Preface.bytes.prefix(7))), (.tls, [0x16, 3]), (.tls, [0x15, 3])]
    + [
      (.ssh, "SSH-"), (.http1, "HTTP/"),
      // Some servers answer what is no request with a page alone.
      (.http1, "<!DOCTYPE"), (.http1, "<html"), (.http1, "GET "), (.http1, "HEAD "),
      (.http1, "POST "), (.http1, "PUT "), (.http1, "DELETE "), (.http1, "OPTIONS "),
      (.http1, "PATCH "), (.http1, "CONNECT "), (.http1, "TRACE "), (.http2, "PRI * HTTP/2"),
    ].map { ($0, Array(($1 as String).utf8)) }

  /// Finds the protocol of a client or a server by its first bytes, also by a part of its
  /// beginning; nil: it is none of these.
  package init?(firstBytes bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return nil }
    if Self.isSettings(bytes) {
      self = .http2
      return
    }
    let known = Self.beginnings.first { _, beginning in
      bytes.prefix(beginning.count).elementsEqual(beginning.prefix(bytes.count))
    }
    guard let known else { return nil }
    self = known.0
  }

  /// Whether the bytes begin with a SETTINGS frame, the first one of a server of HTTP/2.
  private static func isSettings(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 9 && bytes[0] == 0 && bytes[1] == 0 && bytes[2] % 6 == 0 && bytes[3] == 4
      && bytes[4] <= 1 && bytes[5..<9].allSatisfy { $0 == 0 }
  }

  /// What a server of another protocol sends before it closes: `reason` in the words of this one, a
  /// fatal alert `unexpected_message` to a peer with TLS.
  ///
  /// - Parameter reason: one line, at most 1024 bytes.
  package func answer(_ reason: String) -> [UInt8] {
    switch self {
    case .tls: [0x15, 3, 3, 0, 2, 2, Self.unexpectedMessage]
    case .ssh: Array((reason + "\r\n").utf8)
    case .http1:
      Array(
        ("HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n"
          + "content-length: \(reason.utf8.count + 1)\r\nconnection: close\r\n\r\n\(reason)\n").utf8
      )
    case .http2: Self.http2Answer(reason)
    case .quiver: Self.quiverAnswer(reason)
    }
  }

  /// The alert of a server that does not use TLS on its port.
  package static let unexpectedMessage: UInt8 = 10

  /// Empty SETTINGS and a GOAWAY with PROTOCOL_ERROR.
  private static func http2Answer(_ reason: String) -> [UInt8] {
    let text = Array(reason.utf8)
    let length = 8 + text.count
    return [0, 0, 0, 4, 0, 0, 0, 0, 0]
      + [0, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length), 7, 0]
      + [0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 1] + text
  }

  /// Preface, HELLO and GOAWAY with PROTOCOL_ERROR.
  private static func quiverAnswer(_ reason: String) -> [UInt8] {
    var hello = Hello()
    hello.versionMin = UInt32(truncatingIfNeeded: Preface.majorVersion)
    hello.versionMax = hello.versionMin
    var goAway = GoAwayMessage()
    goAway.code = ConnectionErrorCode.protocolError.rawValue
    goAway.reason = reason
    return Preface.bytes + frame(.hello, hello.serializedBytes())
      + frame(.goAway, goAway.serializedBytes())
  }

  private static func frame(_ type: FrameType, _ payload: [UInt8]) -> [UInt8] {
    let header = FrameHeader(
      payloadByteCount: payload.count, type: type, flags: [], stream: 0)
    return withUnsafeBytes(of: header.bits.bigEndian, Array.init) + payload
  }
}
