import Glibc

/// Reports the state of the server to the service manager (`sd_notify(3)`), by datagrams to the
/// socket in `NOTIFY_SOCKET`. Without that variable it does nothing. From any thread.
package struct ServiceNotifier: Sendable {
  private let path: String?
  /// The longest time between two signs of life that the service manager accepts; nil: any.
  package let watchdogMilliseconds: Int?

  /// - Parameter environment: of the process.
  package init(_ environment: [String: String]) {
    path = environment["NOTIFY_SOCKET"].flatMap { path in
      path.hasPrefix("/") || path.hasPrefix("@") ? path : nil
    }
    let isOwn = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    watchdogMilliseconds = environment["WATCHDOG_USEC"].flatMap { Int($0) }
      .flatMap { isOwn && $0 >= 1_000 ? $0 / 1_000 : nil }
  }

  /// The server accepts connections.
  package func ready() { send("READY=1\nSTATUS=serving\nMAINPID=\(getpid())\n") }

  /// The configuration is about to be read again; ``ready()`` follows.
  package func reloading() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let microseconds = time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)\n")
  }

  /// A drain has begun.
  package func stopping() { send("STOPPING=1\nSTATUS=draining\n") }

  /// All event loops run.
  package func alive() { send("WATCHDOG=1\n") }

  private func send(_ text: String) {
    guard let path else { return }
    let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    // A name that begins with @ is in the abstract namespace.
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    let message = Array(text.utf8)
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(
          descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0,
          socklen_t(offset + bytes.count))
      }
    }
  }
}
