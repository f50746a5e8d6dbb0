/// The receiver of spans: OTLP in protobuf over HTTP.
package struct TraceEndpoint: Sendable, Equatable, CustomStringConvertible {
  package let host: String
  package let port: UInt16
  package let path: String

  private static let scheme = "http://"
  private static let standardPort: UInt16 = 4_318
  private static let standardPath = "/v1/traces"

  /// Reads `http://HOST[:PORT][/PATH]`; the port is 4318 and the path /v1/traces if there is none.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.scheme), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return nil
    }
    let rest = text.dropFirst(Self.scheme.count)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    self.path = path.isEmpty || path == "/" ? Self.standardPath : String(path)
    var name = authority
    var number: Substring?
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      name = authority[authority.index(after: authority.startIndex)..<end]
      let after = authority[authority.index(after: end)...]
      guard after.isEmpty || after.hasPrefix(":") else { return nil }
      number = after.isEmpty ? nil : after.dropFirst()
    } else if let colon = authority.lastIndex(of: ":") {
      name = authority[..<colon]
      number = authority[authority.index(after: colon)...]
    }
    let port = number.map { UInt16($0) } ?? Self.standardPort
    guard let port, port > 0, !name.isEmpty, !name.contains("@") else { return nil }
    host = String(name)
    self.port = port
  }

  /// The host and the port, for a header.
  var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

  package var description: String { Self.scheme + authority + path }
}
