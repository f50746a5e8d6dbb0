import Glibc

/// A socket whose connections the kernel accepts and that never sends a byte.
final class SilentListener: Sendable {
  let descriptor: Int32
  let address: String

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = descriptor
    let isBound = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && listen(socket, 8) == 0
          && getsockname(socket, $0, &length) == 0
      }
    }
    guard isBound else { throw Failure() }
    address = "127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
  }

  deinit { close(descriptor) }

  struct Failure: Error {}
}
