/// An address by which people reach pages, such as `https://scores.club.example`, with or without a
/// port.
package enum PublicAddress {
  /// Whether a text is one: it has a scheme and a host, no path, and nothing that means something
  /// in markup.
  package static func isValid(_ text: String) -> Bool {
    for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
      let rest = text.dropFirst(scheme.count)
      let isHost = rest.utf8.allSatisfy { byte in
        byte > 32 && byte < 127 && ![UInt8]("/?#@\"'<>&\\".utf8).contains(byte)
      }
      return isHost && !rest.isEmpty && !rest.hasPrefix(":")
    }
    return false
  }
}
