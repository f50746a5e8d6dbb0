package import QuiverDispatch

/// The address of a gateway without TLS, `http://HOST:PORT`.
package struct GatewayAddress: Sendable, CustomStringConvertible {
  package let endpoint: Endpoint

  private static let scheme = "http://"

  /// Reads `text`; nil if it is not of that form.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.scheme), let endpoint = Endpoint(String(text.dropFirst(7))),
      case .tcp = endpoint.kind, !endpoint.isSecure
    else { return nil }
    self.endpoint = endpoint
  }

  /// Whether the gateway is on this machine.
  package var isLoopback: Bool { endpoint.isLoopback }

  package var description: String { Self.scheme + endpoint.description }
}

extension Endpoint {
  /// Whether it is a Unix socket, or its host is `localhost` or an address of 127.0.0.0/8.
  package var isLoopback: Bool {
    guard case .tcp(let host, _) = kind, host != "localhost" else { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
