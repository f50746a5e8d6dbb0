import Foundation
import Synchronization

/// A relay in front of a server of PostgreSQL that can take its answers away: the connections of
/// the clients end, and the server goes on with what they have sent.
package final class DatabaseRelay: Sendable {
  /// The address of a database behind the relay, for libpq.
  package let address: String

  private let listener: Int32
  private let socketPath: String
  private let state = Mutex(State())

  private struct State {
    var clients: [Int32] = []
    var servers: [Int32] = []
    var refusesConnections = false
  }

  /// Listens on a free port of 127.0.0.1.
  package init(_ server: PostgresServer, database: String) throws {
    socketPath = server.socketPath
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
    self.listener = listener
    address =
      "host=127.0.0.1 port=\(UInt16(bigEndian: place.sin_port)) dbname=\(database) user=quiver"
      + " sslmode=disable gssencmode=disable"
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard let self else {
          close(client)
          return
        }
        serve(client)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    state.withLock { state in
      for descriptor in state.clients + state.servers { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// Ends the connections of all clients, and not those to the server.
  ///
  /// - Parameter refusesConnections: whether later connections end at once too.
  package func cut(refusesConnections: Bool) {
    state.withLock { state in
      state.refusesConnections = refusesConnections
      for client in state.clients { shutdown(client, Int32(SHUT_RDWR)) }
      state.clients.removeAll()
    }
  }

  private func serve(_ client: Int32) {
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let isServed = state.withLock { state in
      guard !state.refusesConnections, connectToServer(server) else { return false }
      state.clients.append(client)
      state.servers.append(server)
      return true
    }
    guard isServed else {
      close(client)
      close(server)
      return
    }
    // The server ends its connection itself where the client says that it ends.
    Thread.detachNewThread { Self.copy(client, server) }
    Thread.detachNewThread {
      Self.copy(server, client)
      shutdown(client, Int32(SHUT_RDWR))
    }
  }

  private func connectToServer(_ descriptor: Int32) -> Bool {
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { path in
      path.copyBytes(from: socketPath.utf8.prefix(path.count - 1))
    }
    return withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  /// Copies until one end is closed. The descriptors stay open, so that no other one gets their
  /// numbers meanwhile; a test has few of them.
  private static func copy(_ source: Int32, _ target: Int32) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(source, &bytes, bytes.count, 0)
      guard count > 0 else { return }
      var sent = 0
      while sent < count {
        let written = bytes[sent..<count].withUnsafeBytes { slice in
          send(target, slice.baseAddress, slice.count, Int32(MSG_NOSIGNAL))
        }
        // The answers to a client that has gone are dropped.
        guard written > 0 else { break }
        sent += written
      }
    }
  }
}
