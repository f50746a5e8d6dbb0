import QuiverPlatform

/// Where a server listens, or is to be found: `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`,
/// with `tls://` before the first two where the connections are encrypted.
package struct Endpoint: Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    case tcp(host: String, port: UInt16)
    case unix(path: String)
  }

  package let kind: Kind
  /// Whether it was written with `tls://`.
  package let isSecure: Bool

  package static let secureScheme = "tls://"

  /// The forms of an address, as errors name them.
  package static let forms = "HOST:PORT, [IPv6]:PORT, tls://HOST:PORT or unix:PATH"

  /// The longest path of a Unix socket, its closing zero left out.
  package static let maxPathBytes = Platform.maxUnixPathBytes

  /// Reads `text`; nil if it is none of the forms.
  package init?(_ text: String) {
    isSecure = text.hasPrefix(Self.secureScheme)
    let text = isSecure ? String(text.dropFirst(Self.secureScheme.count)) : text
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !isSecure, !path.isEmpty, path.utf8.count <= Self.maxPathBytes else { return nil }
      kind = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    kind = .tcp(host: host, port: port)
  }

  package var description: String {
    switch kind {
    case .tcp(let host, let port):
      (isSecure ? Self.secureScheme : "")
        + (host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
    case .unix(let path): "unix:\(path)"
    }
  }

  /// The host of a TCP endpoint; empty for a Unix socket.
  package var host: String {
    if case .tcp(let host, _) = kind { host } else { "" }
  }

  /// The addresses of the endpoint; a host name is looked up, which can take long.
  package func resolve(passive: Bool) throws(EndpointError) -> [SocketAddress] {
    switch kind {
    case .unix(let path): return [SocketAddress(unixPath: path)]
    case .tcp(let host, let port):
      var hints = addrinfo()
      hints.ai_family = AF_UNSPEC
      hints.ai_socktype = Platform.streamType
      hints.ai_flags = passive ? AI_PASSIVE : 0
      var list: UnsafeMutablePointer<addrinfo>?
      let failure = getaddrinfo(host, String(port), &hints, &list)
      guard failure == 0 else {
        throw EndpointError("\(host): \(String(cString: gai_strerror(failure)))")
      }
      defer { freeaddrinfo(list) }
      var addresses: [SocketAddress] = []
      var next = list
      while let info = next?.pointee {
        if let address = info.ai_addr {
          var storage = sockaddr_storage()
          withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(
              from: UnsafeRawBufferPointer(
                start: address, count: min(Int(info.ai_addrlen), $0.count)))
          }
          addresses.append(SocketAddress(storage, info.ai_addrlen))
        }
        next = info.ai_next
      }
      return addresses
    }
  }
}

/// Why an endpoint cannot be used, in words that name it.
package struct EndpointError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
