/// The first lines of an HTTP/1.1 request for metrics or a probe, as far as they matter here.
package enum ProbeRequest: Equatable, Sendable {
  /// More bytes are needed.
  case incomplete
  /// A GET of this path, its query left out.
  case get(path: String)
  /// The request is answered with this status.
  case refused(ProbeStatus)

  /// The largest request line with headers, in bytes.
  package static let maxByteCount = 8 * 1024
  private static let maxPathByteCount = 1_024

  /// Reads what has come so far. A body is not expected and not read.
  package init(_ bytes: [UInt8]) {
    guard let end = Self.end(of: bytes) else {
      self = bytes.count < Self.maxByteCount ? .incomplete : .refused(.headersTooLarge)
      return
    }
    guard end <= Self.maxByteCount else {
      self = .refused(.headersTooLarge)
      return
    }
    self = Self.requestLine(bytes.prefix { $0 != 0x0A && $0 != 0x0D })
  }

  /// Where the empty line behind the headers ends; nil: it has not come.
  private static func end(of bytes: [UInt8]) -> Int? {
    var lineByteCount = 0
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 0x0A:
        // The first line must not be empty.
        if lineByteCount == 0 { return index + 1 }
        lineByteCount = 0
      case 0x0D where index + 1 < bytes.count && bytes[index + 1] == 0x0A: break
      case 0x0D where index + 1 == bytes.count: break
      default: lineByteCount += 1
      }
    }
    return nil
  }

  private static func requestLine(_ line: ArraySlice<UInt8>) -> Self {
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }),
      line.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }), parts[1].first == UInt8(ascii: "/"),
      parts[1].count <= maxPathByteCount
    else { return .refused(.badRequest) }
    let version = String(decoding: parts[2], as: UTF8.self)
    guard version.hasPrefix("HTTP/") else { return .refused(.badRequest) }
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      return .refused(.versionNotSupported)
    }
    guard parts[0].elementsEqual("GET".utf8) else { return .refused(.methodNotAllowed) }
    let path = parts[1].prefix { $0 != UInt8(ascii: "?") }
    return .get(path: String(decoding: path, as: UTF8.self))
  }
}

/// A status of HTTP.
package enum ProbeStatus: Int, Sendable {
  case ok = 200
  case badRequest = 400
  case notFound = 404
  case methodNotAllowed = 405
  case headersTooLarge = 431
  case unavailable = 503
  case versionNotSupported = 505

  var reason: String {
    switch self {
    case .ok: "OK"
    case .badRequest: "Bad Request"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .headersTooLarge: "Request Header Fields Too Large"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }
}

/// What a probe is answered with.
package struct ProbeReply: Sendable {
  package var status: ProbeStatus
  package var contentType: String
  package var body: String

  package init(
    _ status: ProbeStatus, _ body: String, contentType: String = "text/plain; charset=utf-8"
  ) {
    self.status = status
    self.body = body
    self.contentType = contentType
  }

  /// The whole response.
  var bytes: [UInt8] {
    let body = Array(body.utf8)
    var head = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n"
    head += "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n"
    if status == .methodNotAllowed { head += "Allow: GET\r\n" }
    head += "Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    return Array(head.utf8) + body
  }
}
