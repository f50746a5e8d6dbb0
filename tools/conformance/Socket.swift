import Glibc
import QuiverRPC
import QuiverTLS

/// The address of a server, and the security of connections to it.
struct SocketAddress: Sendable {
  var host = ""
  var port = ""
  var path = ""
  /// Nil if connections are not encrypted.
  var security: TransportSecurity?

  private static let secureScheme = "tls://"

  init(_ text: String, _ tls: TLSConfiguration = TLSConfiguration()) throws {
    if text.hasPrefix("unix:") {
      path = String(text.dropFirst(5))
      return
    }
    let isSecure = text.hasPrefix(Self.secureScheme)
    let place = isSecure ? text.dropFirst(Self.secureScheme.utf8.count) : text[...]
    guard let colon = place.lastIndex(of: ":") else {
      throw UsageError("\(text) is no HOST:PORT")
    }
    host = String(place[..<colon]).replacing("[", with: "").replacing("]", with: "")
    port = String(place[place.index(after: colon)...])
    guard isSecure else { return }
    do throws(SecureChannelError) {
      security = try .tls(tls)
    } catch {
      throw UsageError(error.description)
    }
  }
}

/// A blocking socket with a timeout for each wait, encrypted if the address says so.
final class Socket {
  private let descriptor: Int32
  /// Nil if the connection is not encrypted.
  private let secured: SecuredStream?

  /// Connects, and completes the TLS handshake.
  init(_ address: SocketAddress) throws {
    descriptor =
      try address.path.isEmpty ? Self.tcp(address) : Self.unix(address.path)
    secured = try address.security.map { try SecuredStream($0, host: address.host) }
    guard let secured else { return }
    try writeAll(try secured.start())
    while secured.isInHandshake {
      switch receive(milliseconds: Peer.patience) {
      case .bytes(let bytes): try secured.receive(bytes)
      case .closed: try secured.endOfInput()
      case .silence: throw Failure("the TLS handshake was not answered")
      }
      try writeAll(secured.takeWire())
    }
  }

  deinit { close(descriptor) }

  private func writeAll(_ bytes: [UInt8]) throws {
    guard writeBytes(bytes, milliseconds: Peer.patience) else {
      throw Failure("the server closed the connection in the TLS handshake")
    }
  }

  private static func tcp(_ address: SocketAddress) throws -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address.host, address.port, &hints, &found) == 0, let first = found else {
      throw Failure("\(address.host) is not known")
    }
    defer { freeaddrinfo(first) }
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let one = next {
      let info = one.pointee
      let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
      if descriptor >= 0, connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 {
        var yes: Int32 = 1
        setsockopt(
          descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
      }
      if descriptor >= 0 { close(descriptor) }
      next = info.ai_next
    }
    throw Failure("nobody listens on \(address.host):\(address.port)")
  }

  private static func unix(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Failure("\(path) is too long for a socket")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else {
      close(descriptor)
      throw Failure("nobody listens on \(path)")
    }
    return descriptor
  }

  /// Writes all bytes; returns false if the peer has closed or does not read within the timeout.
  @discardableResult
  func write(_ bytes: [UInt8], milliseconds: Int32 = 5_000) -> Bool {
    guard secured != nil else { return writeBytes(bytes, milliseconds: milliseconds) }
    guard let encrypted = secured?.encrypt(bytes) else { return false }
    return writeBytes(encrypted, milliseconds: milliseconds)
  }

  @discardableResult
  private func writeBytes(_ bytes: [UInt8], milliseconds: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      guard waits(descriptor, for: Int16(POLLOUT), milliseconds) else { return false }
      let count = bytes[sent...].withUnsafeBytes {
        send(
          descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        )
      }
      guard count > 0 || errno == EAGAIN || errno == EINTR else { return false }
      sent += max(count, 0)
    }
    return true
  }

  enum Read {
    case bytes([UInt8])
    case closed
    case silence
  }

  /// Reads what arrives within the timeout. Throws if TLS fails, which includes an end of the
  /// connection without a close_notify.
  func read(milliseconds: Int32) throws -> Read {
    guard secured != nil else { return receive(milliseconds: milliseconds) }
    while true {
      if let plain = secured?.takePlain(), !plain.isEmpty { return .bytes(plain) }
      if secured?.isPeerClosed == true { return .closed }
      switch receive(milliseconds: milliseconds) {
      case .bytes(let bytes):
        try secured?.receive(bytes)
        writeBytes(secured?.takeWire() ?? [], milliseconds: milliseconds)
      case .closed:
        try secured?.endOfInput()
        return .closed
      case .silence: return .silence
      }
    }
  }

  private func receive(milliseconds: Int32) -> Read {
    guard waits(descriptor, for: Int16(POLLIN), milliseconds) else { return .silence }
    return received(descriptor, most: 65_536).map { .bytes(Array($0)) } ?? .closed
  }

  /// Ends this direction: a close_notify under TLS, and a half-close of the socket.
  func halfClose() {
    if let notice = secured?.close() { writeBytes(notice, milliseconds: Peer.patience) }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes the socket with a reset.
  func resetOnClose() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }
}
