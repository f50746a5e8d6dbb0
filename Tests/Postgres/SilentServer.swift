import Foundation
import Synchronization

/// A server that lets clients of PostgreSQL connect over TCP, and then says nothing: it answers no
/// statement, and takes no request to cancel one. It stands for a server that is frozen.
package final class SilentServer: Sendable {
  /// The address for libpq, without a password.
  package let address: String

  private let listener: Int32
  private let clients = Mutex<[Int32]>([])

  /// AuthenticationOk, BackendKeyData with a process and its key, and ReadyForQuery.
  private static let greeting: [UInt8] =
    [0x52, 0, 0, 0, 8, 0, 0, 0, 0] + [0x4B, 0, 0, 0, 12, 0, 0, 0, 7, 0, 0, 0, 9]
    + [0x5A, 0, 0, 0, 5, 0x49]

  /// The length of a request to cancel, which nothing else has that a client begins with.
  private static let cancellationByteCount = 16

  /// Listens on a free port of 127.0.0.1.
  package init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard isListening else { throw PostgresServer.Failure(description: "cannot listen") }
    address =
      "host=127.0.0.1 port=\(UInt16(bigEndian: place.sin_port)) dbname=silent user=robin"
      + " sslmode=disable gssencmode=disable"
    self.listener = listener
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { return }
        greet(client)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    for client in clients.withLock({ $0 }) { close(client) }
  }

  private func greet(_ client: Int32) {
    clients.withLock { $0.append(client) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = read(client, &bytes, bytes.count)
    guard count > Self.cancellationByteCount else { return }
    _ = Self.greeting.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
  }
}
