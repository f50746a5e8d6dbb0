import QuiverPlatform

/// The network that an address counts as.
package enum CountedNetwork {
  /// The 4 or 16 bytes of an address; IPv4 mapped into IPv6 counts as IPv4.
  package static func bytes(_ host: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, host, &bytes) == 1 { return Array(bytes[..<4]) }
    guard inet_pton(AF_INET6, host, &bytes) == 1 else { return nil }
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    return bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
  }

  /// The network by which the connections of an address are counted: the address itself, of IPv6
  /// its first 64 bits.
  package static func name(of host: String) -> String {
    // An address of IPv4 has one form.
    guard host.utf8.contains(UInt8(ascii: ":")), let bytes = bytes(host) else { return host }
    guard bytes.count == 16 else { return bytes.map { "\($0)" }.joined(separator: ".") }
    let groups = stride(from: 0, to: 8, by: 2).map { index in
      // proved: a byte fits.
      String(Int(bytes[index]) << 8 | Int(bytes[index + 1]), radix: 16)
    }
    return groups.joined(separator: ":") + "::/64"
  }
}
