import Glibc

/// Where a server listens.
struct SocketAddress: Sendable {
  var host = ""
  var port = ""
  var path = ""

  init(_ text: String) throws {
    if text.hasPrefix("unix:") {
      path = String(text.dropFirst(5))
      return
    }
    guard let colon = text.lastIndex(of: ":") else {
      throw UsageError("\(text) is no HOST:PORT")
    }
    host = String(text[..<colon]).replacing("[", with: "").replacing("]", with: "")
    port = String(text[text.index(after: colon)...])
  }
}

/// A blocking socket with a time for each wait.
final class Socket {
  private let descriptor: Int32

  init(_ address: SocketAddress) throws {
    descriptor =
      try address.path.isEmpty ? Self.tcp(address) : Self.unix(address.path)
  }

  deinit { close(descriptor) }

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

  /// Writes all; answers false where the peer has closed or takes nothing for the time.
  @discardableResult
  func write(_ bytes: [UInt8], milliseconds: Int32 = 5_000) -> Bool {
    var sent = 0
    while sent < bytes.count {
      guard waits(for: Int16(POLLOUT), milliseconds) else { return false }
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

  /// What comes within the time.
  func read(milliseconds: Int32) -> Read {
    guard waits(for: Int16(POLLIN), milliseconds) else { return .silence }
    var room = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &room, room.count, 0)
    return count > 0 ? .bytes(Array(room[..<count])) : .closed
  }

  /// Says that nothing more is written.
  func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the end of the socket a reset.
  func resetOnClose() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  private func waits(for events: Int16, _ milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: events, revents: 0)
    return poll(&watched, 1, milliseconds) > 0
  }
}
