import Glibc
import QuiverDispatch

/// A socket that never waits.
final class AttackSocket {
  private(set) var descriptor: Int32
  private var output: [UInt8] = []
  private var sentCount = 0

  /// Begins to connect; nil if that fails at once.
  ///
  /// - Parameters:
  ///   - source: which of the loopback addresses the connection comes from; 0: the usual.
  ///   - receiveBytes: room for what is not read; 0: as much as the kernel gives.
  init?(_ endpoint: Endpoint, source: Int, receiveBytes: Int32 = 0) {
    switch endpoint.kind {
    case .unix(let path): descriptor = Self.unix(path)
    case .tcp(let host, let port): descriptor = Self.tcp(host, port, source, receiveBytes)
    }
    guard descriptor >= 0 else { return nil }
  }

  deinit { end() }

  var hasOutput: Bool { sentCount < output.count }

  private static func unix(_ path: String) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { return -1 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return opened(descriptor, result)
  }

  /// - Parameter host: an address, since a name would be looked up for each connection.
  private static func tcp(
    _ host: String, _ port: UInt16, _ source: Int, _ receiveBytes: Int32
  ) -> Int32 {
    var address = sockaddr_in()
    guard inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &address.sin_addr) == 1
    else { return -1 }
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_INET, type, 0)
    guard descriptor >= 0 else { return -1 }
    if receiveBytes > 0 {
      var bytes = receiveBytes
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
    if source > 0, UInt32(bigEndian: address.sin_addr.s_addr) >> 24 == 127 {
      var own = sockaddr_in()
      own.sin_family = sa_family_t(AF_INET)
      own.sin_addr.s_addr = (UInt32(0x7F00_0001) + UInt32(source)).bigEndian
      _ = withAddress(&own) { bind(descriptor, $0, $1) }
    }
    return opened(descriptor, withAddress(&address) { connect(descriptor, $0, $1) })
  }

  private static func withAddress(
    _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func opened(_ descriptor: Int32, _ result: Int32) -> Int32 {
    guard result != 0, errno != EINPROGRESS else { return descriptor }
    close(descriptor)
    return -1
  }

  /// Queues bytes; ``flush()`` sends them.
  func append(_ bytes: some Collection<UInt8>) { output.append(contentsOf: bytes) }

  /// Sends as much as the socket takes; false if the connection is lost.
  func flush() -> Bool {
    while sentCount < output.count {
      let count = output[sentCount...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      // A socket that is not connected yet cannot be written to yet.
      guard count > 0 || errno == EAGAIN || errno == ENOTCONN else { return false }
      guard count > 0 else { return true }
      sentCount += count
    }
    output.removeAll(keepingCapacity: output.count <= 65_536)
    sentCount = 0
    return true
  }

  /// Gives what has been received to `body`, as long as there is more; false if the connection is
  /// lost.
  func receive(_ room: UnsafeMutableRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void)
    -> Bool
  {
    while true {
      let count = recv(descriptor, room.baseAddress, room.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 && errno == EAGAIN }
      body(UnsafeRawBufferPointer(rebasing: room[..<count]))
      guard count == room.count else { return true }
    }
  }

  /// Closes it; does nothing the second time.
  func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
