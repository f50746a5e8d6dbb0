import Glibc
import QuiverDispatch

/// A blocking socket with a timeout for each wait, for peers that are not clients.
final class RawSocket {
  private var descriptor: Int32

  /// The timeout of a write in milliseconds.
  private static let writeMilliseconds: Int32 = 5_000

  /// Nil if the connection is refused.
  init?(_ endpoint: Endpoint) {
    switch endpoint.kind {
    case .unix(let path): descriptor = Self.unix(path)
    case .tcp(let host, let port): descriptor = Self.tcp(host, port)
    }
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private static func tcp(_ host: String, _ port: UInt16) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return -1 }
    defer { freeaddrinfo(list) }
    var next = list
    while let info = next?.pointee {
      let descriptor = socket(
        info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), info.ai_protocol)
      if descriptor >= 0 {
        if connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return descriptor }
        close(descriptor)
      }
      next = info.ai_next
    }
    return -1
  }

  private static func unix(_ path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return -1 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  /// Writes all bytes; returns false if the peer has closed or does not read.
  func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      guard waits(for: Int16(POLLOUT), Self.writeMilliseconds) else { return false }
      let count = bytes[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      guard count > 0 || errno == EAGAIN || errno == EINTR else { return false }
      sent += max(count, 0)
    }
    return true
  }

  /// Whether the peer closes within some milliseconds; discards what it sends until then.
  func isClosed(within milliseconds: Int32) -> Bool {
    let end = Clock.nanoseconds() &+ UInt64(milliseconds) * 1_000_000
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let now = Clock.nanoseconds()
      let left = now < end ? Int32(clamping: (end - now) / 1_000_000) : 0
      guard waits(for: Int16(POLLIN), left) else { return false }
      let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
      if count == 0 { return true }
      if count < 0, errno != EAGAIN, errno != EINTR { return true }
    }
  }

  /// Ends the connection with a reset.
  func reset() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
    descriptor = -1
  }

  private func waits(for events: Int16, _ milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: events, revents: 0)
    return poll(&watched, 1, milliseconds) > 0
  }
}
