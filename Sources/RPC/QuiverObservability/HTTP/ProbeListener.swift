import Glibc
import Synchronization

/// Answers GET requests for metrics and probes over HTTP/1.1, on a dedicated thread.
///
/// It takes ``maxConnections`` at once, of which a new one replaces the oldest, each for one
/// request of limited size and for ``connectionMilliseconds`` at most. Nothing of it runs on the
/// threads that serve.
package final class ProbeListener: Sendable {
  /// Answers the request for a path. Called on the listener's thread, for one request at a time.
  package typealias Handler = @Sendable (_ path: String) -> ProbeReply

  /// Connections that are open at once.
  package static let maxConnections = 32
  /// How long a connection may take.
  package static let connectionMilliseconds = 5_000

  /// Where it listens, as `ADDRESS:PORT`.
  package let addresses: [String]
  private let wakeDescriptor: Int32
  private let hasStopped = Mutex(false)

  /// Listens on all addresses of `host`; port 0 lets the system choose.
  package init(
    host: String, port: UInt16, handler: @escaping Handler
  ) throws(ProbeListenerError) {
    let listeners = try Self.listen(host, port)
    addresses = listeners.map(Self.address)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw ProbeListenerError("no pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wakeDescriptor = ends[1]
    let loop = ProbeLoop(wake: ends[0], listeners: listeners, handler: handler)
    guard DetachedThread.start({ loop.run() }) else {
      throw ProbeListenerError("no thread for metrics")
    }
  }

  deinit { stop() }

  /// Closes the listener and its connections, soon.
  package func stop() {
    hasStopped.withLock { hasStopped in
      if !hasStopped { close(wakeDescriptor) }
      hasStopped = true
    }
  }

  private static func listen(_ host: String, _ port: UInt16) throws(ProbeListenerError) -> [Int32] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(host, String(port), &hints, &list)
    guard failure == 0 else {
      throw ProbeListenerError("\(host): \(String(cString: gai_strerror(failure)))")
    }
    defer { freeaddrinfo(list) }
    var listeners: [Int32] = []
    var next = list
    while let info = next?.pointee {
      next = info.ai_next
      let type = info.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      let descriptor = socket(info.ai_family, type, 0)
      guard descriptor >= 0 else { continue }
      var yes: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
      if info.ai_family == AF_INET6 {
        setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
      }
      guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0,
        Glibc.listen(descriptor, 64) == 0
      else {
        let reason = String(cString: strerror(errno))
        for descriptor in listeners + [descriptor] { close(descriptor) }
        throw ProbeListenerError("cannot listen on \(host):\(port): \(reason)")
      }
      listeners.append(descriptor)
    }
    guard !listeners.isEmpty else { throw ProbeListenerError("\(host) has no address") }
    return listeners
  }

  private static func address(of descriptor: Int32) -> String {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: 64)
    var port = [CChar](repeating: 0, count: 16)
    withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getsockname(descriptor, address, &size)
        getnameinfo(
          address, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
          NI_NUMERICHOST | NI_NUMERICSERV)
      }
    }
    let name = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let number = String(
      decoding: port.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.contains(":") ? "[\(name)]:\(number)" : "\(name):\(number)"
  }
}

/// Why metrics cannot be served.
package struct ProbeListenerError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
