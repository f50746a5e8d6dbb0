import QuiverWire

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
      guard let bytes = CountedNetwork.bytes(String(halves[0])) else { return nil }
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
    guard let bytes = CountedNetwork.bytes(address.host) else { return false }
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
}
