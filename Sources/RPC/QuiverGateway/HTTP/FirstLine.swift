import QuiverRPC

/// Finds by the first bytes of a connection what its peer speaks: HTTP/2 begins with its preface,
/// HTTP/1.1 with a request line.
struct FirstLine {
  enum Finding: Equatable {
    /// More bytes decide.
    case incomplete
    case http1, http2
    /// Neither; nil: no protocol that is known.
    case other(OtherProtocol?)
  }

  /// The first bytes of HTTP/2 (RFC 9113, section 3.4).
  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  private static let version = Array(" HTTP/".utf8)

  /// Longer lines are left to HTTP/1.1, which refuses them.
  private let mostBytes: Int
  private var bytes: [UInt8] = []
  /// The bytes that are known to belong to a line of text.
  private var scanned = 0

  init(mostBytes: Int) { self.mostBytes = mostBytes }

  /// The bytes so far, which are forgotten.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  mutating func receive(_ chunk: UnsafeRawBufferPointer) -> Finding {
    bytes += chunk
    let count = min(bytes.count, Self.preface.count)
    guard count > 0 else { return .incomplete }
    if bytes[..<count] == Self.preface[..<count] {
      return count == Self.preface.count ? .http2 : .incomplete
    }
    switch bytes.withUnsafeBytes({ OtherProtocol(firstBytes: $0) }) {
    case .quiver: return .other(.quiver)
    case .tls: return .other(.tls)
    case .ssh: return bytes.count < 4 ? .incomplete : .other(.ssh)
    case .http1, .http2, nil: break
    }
    // Empty lines before a request are allowed.
    if bytes[0] == 13 || bytes[0] == 10 { return .http1 }
    while scanned < bytes.count {
      let byte = bytes[scanned]
      if byte == 10 {
        let line = bytes[..<scanned]
        let isRequest = line.indices.contains { line[$0...].starts(with: Self.version) }
        return isRequest ? .http1 : .other(nil)
      }
      guard byte >= 32 && byte != 127 || byte == 13 || byte == 9 else { return .other(nil) }
      scanned += 1
    }
    return scanned > mostBytes ? .http1 : .incomplete
  }
}
