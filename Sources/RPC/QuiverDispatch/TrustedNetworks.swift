import QuiverPlatform

/// The networks whose connections come through a proxy and begin with a PROXY protocol header.
package struct TrustedNetworks: Sendable, Equatable {
  private struct Network: Equatable {
    var bytes: [UInt8]
    var prefixLength: Int
  }

  private var networks: [Network] = []
  private var hasUnix = false

  /// No network.
  package init() {}

  /// Reads a list such as `10.0.0.0/8,2001:db8::/32,127.0.0.1,unix`; nil: it is malformed.
  package init?(_ text: String) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      if part == "unix" {
        hasUnix = true
        continue
      }
      let halves = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let bytes = Self.bytes(String(halves[0])) else { return nil }
      var length = bytes.count * 8
      if halves.count == 2 {
        guard let given = Int(halves[1]), (0...length).contains(given) else { return nil }
        length = given
      }
      networks.append(Network(bytes: bytes, prefixLength: length))
    }
  }

  package var isEmpty: Bool { networks.isEmpty && !hasUnix }

  func contains(_ address: SocketAddress) -> Bool {
    guard !isEmpty else { return false }
    guard !address.isUnix else { return hasUnix }
    guard let bytes = Self.bytes(address.host) else { return false }
    return networks.contains { network in
      network.bytes.count == bytes.count && Self.matches(network, bytes)
    }
  }

  private static func matches(_ network: Network, _ bytes: [UInt8]) -> Bool {
    let whole = network.prefixLength / 8
    guard network.bytes[..<whole] == bytes[..<whole] else { return false }
    let rest = network.prefixLength % 8
    return rest == 0 || (network.bytes[whole] ^ bytes[whole]) >> UInt8(8 - rest) == 0
  }

  /// The 4 or 16 bytes of an address; IPv4 mapped into IPv6 counts as IPv4.
  static func bytes(_ host: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, host, &bytes) == 1 { return Array(bytes[..<4]) }
    guard inet_pton(AF_INET6, host, &bytes) == 1 else { return nil }
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    return bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
  }

  /// The network by which the connections of an address are counted: the address itself, of IPv6
  /// its first 64 bits.
  package static func counted(_ host: String) -> String {
    // An address of IPv4 has one form.
    guard host.utf8.contains(UInt8(ascii: ":")), let bytes = bytes(host) else { return host }
    guard bytes.count == 16 else { return bytes.map { "\($0)" }.joined(separator: ".") }
    let groups = stride(from: 0, to: 8, by: 2).map { index in
      String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
    }
    return groups.joined(separator: ":") + "::/64"
  }
}
