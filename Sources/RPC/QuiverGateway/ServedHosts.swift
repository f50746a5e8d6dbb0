import QuiverWire

/// By which names callers may reach a gateway: IP addresses, `localhost` and those that are
/// configured.
///
/// A page of any other name whose address was changed to that of the gateway (DNS rebinding) is not
/// served.
package struct ServedHosts: Sendable {
  private let names: Set<HTTPText>

  /// - Parameter names: without ports; the letters A to Z have no case.
  package init(_ names: [String] = []) {
    self.names = Set(names.map { Self.plain(HTTPText($0)) } + ["localhost"])
  }

  /// The answer to a request for another name.
  static func refusal(of host: HTTPText) -> String {
    "this gateway is not configured to serve the host \"\(host.string.prefix(255))\"; its operator"
      + " can allow a name with --allow-host NAME"
  }

  /// Whether a name can be configured: it is one, without a port.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 253
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      }
  }

  /// Whether requests are answered whose field Host, or `:authority`, is `host`.
  func serves(_ host: HTTPText) -> Bool {
    if host.begins(with: "[") {
      let parts = host.dropping(1).split("]", most: 1)
      return parts.count == 2 && Self.isPort(parts[1].bytes[...])
        && parts[0].bytes.contains(UInt8(ascii: ":"))
        && CountedNetwork.bytes(parts[0].string) != nil
    }
    let name = HTTPText(decoding: host.bytes.prefix { $0 != UInt8(ascii: ":") })
    return Self.isPort(host.bytes.dropFirst(name.bytes.count))
      && (CountedNetwork.bytes(name.string) != nil || names.contains(Self.plain(name)))
  }

  /// Nothing, or a colon and digits.
  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    let isDigit = { (byte: UInt8) in UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    return text.isEmpty
      || text.first == UInt8(ascii: ":") && text.dropFirst().allSatisfy(isDigit)
  }

  /// In lower case, without the point of a complete name.
  private static func plain(_ name: HTTPText) -> HTTPText {
    let name = name.inLowerCase
    return name.ends(with: ".") ? HTTPText(decoding: name.bytes.dropLast()) : name
  }
}
