import QuiverPlatform
import QuiverWire

/// The address of one end of a socket, as the kernel has it.
package struct SocketAddress: Sendable, CustomStringConvertible {
  private let storage: sockaddr_storage
  private let length: socklen_t

  init(_ storage: sockaddr_storage, _ length: socklen_t) {
    self.storage = storage
    self.length = length
  }

  init(unixPath: String) {
    var (address, length) = Platform.unixAddress(unixPath)
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { room in
      withUnsafeBytes(of: &address) { room.copyMemory(from: $0) }
    }
    self.init(storage, length)
  }

  var family: Int32 { Int32(storage.ss_family) }
  package var isUnix: Bool { family == AF_UNIX }

  /// Whether only this machine can be at the other end.
  package var isLoopback: Bool {
    switch family {
    case AF_UNIX: true
    case AF_INET: ipv4.map { $0 >> 24 == 127 } ?? false
    case AF_INET6: description.hasPrefix("[::1]") || description.hasPrefix("[::ffff:127.")
    default: false
    }
  }

  private var ipv4: UInt32? {
    withUnsafeBytes(of: storage) {
      guard $0.count >= MemoryLayout<sockaddr_in>.size else { return nil }
      return UInt32(bigEndian: $0.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr)
    }
  }

  /// The port; 0 for a Unix socket.
  package var port: UInt16 {
    withUnsafeBytes(of: storage) {
      switch family {
      case AF_INET: UInt16(bigEndian: $0.loadUnaligned(as: sockaddr_in.self).sin_port)
      case AF_INET6: UInt16(bigEndian: $0.loadUnaligned(as: sockaddr_in6.self).sin6_port)
      default: 0
      }
    }
  }

  /// The address without its port, as one counts peers by it.
  package var host: String {
    withUnsafeBytes(of: storage) { bytes in
      switch family {
      case AF_INET:
        var address = bytes.loadUnaligned(as: sockaddr_in.self).sin_addr
        return Self.text(AF_INET, &address)
      case AF_INET6:
        var address = bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr
        return Self.text(AF_INET6, &address)
      default: return "unix"
      }
    }
  }

  /// An address in the usual form (inet_ntop).
  private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      text.initialize(repeating: 0)
      guard let start = text.baseAddress else { return "" }
      inet_ntop(family, address, start, socklen_t(text.count))
      return String(cString: start)
    }
  }

  /// The address that a PROXY header names, in the form of ``host``; nil: it names none.
  static func host(of header: ProxyHeader) -> String? {
    switch header {
    case .local: nil
    case .unix: "unix"
    case .ipv4(let bytes, _): text(AF_INET, bytes)
    case .ipv6(let bytes, _): text(AF_INET6, bytes)
    }
  }

  package var description: String {
    switch family {
    case AF_INET: "\(host):\(port)"
    case AF_INET6: "[\(host)]:\(port)"
    default: "unix"
    }
  }

  /// Gives the address to a system call.
  func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// The address that a socket is bound to.
  static func bound(to descriptor: Int32) -> SocketAddress {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    _ = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    return SocketAddress(storage, length)
  }
}
