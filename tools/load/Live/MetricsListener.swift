import Dispatch
import Glibc
import QuiverDispatch
import Synchronization

/// Answers each connection on an address of its own with the metrics, over HTTP/1.0.
///
/// One connection at a time, each for two seconds at most: a scraper is one program.
final class MetricsListener: Sendable {
  private let descriptor: Int32
  /// The address with the port that was chosen for port 0.
  let port: UInt16
  private let text = Mutex(MetricsText.text(Interval(number: 0), Summary()))
  private let queue = DispatchQueue(label: "quiver-load.metrics")
  private let isStopped = Mutex(false)

  private static let patienceSeconds = 2

  /// `HOST:PORT` with a numeric address of version 4, or `:PORT` for 127.0.0.1.
  init(address: String) throws(Failure) {
    let parts = address.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    let host = parts.first.flatMap { $0.isEmpty ? nil : $0 } ?? "127.0.0.1"
    guard parts.count == 2, let number = UInt16(parts[1]),
      inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &place.sin_addr) == 1
    else {
      throw Failure(.usage, "--metrics wants HOST:PORT with a numeric address, not \(address)")
    }
    place.sin_port = number.bigEndian
    let listening = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listening, address, length) == 0 && listen(listening, 16) == 0
          && getsockname(listening, address, &length) == 0
      }
    }
    guard listening >= 0, isBound else {
      let reason = String(cString: strerror(errno))
      if listening >= 0 { close(listening) }
      throw Failure(.usage, "--metrics cannot listen on \(address): \(reason)")
    }
    descriptor = listening
    port = UInt16(bigEndian: place.sin_port)
    if number == 0 { Output.complain("quiver-load: metrics on \(host):\(port)\n") }
    queue.async { self.serve() }
  }

  /// Stores what the next scrape gets.
  func show(_ last: Interval, _ total: Summary) {
    let shown = MetricsText.text(last, total)
    text.withLock { $0 = shown }
  }

  func stop() {
    isStopped.withLock { $0 = true }
    // Wakes the thread that accepts.
    shutdown(descriptor, Int32(SHUT_RDWR))
    // The next run of a search listens on the same port.
    queue.sync {}
  }

  private func serve() {
    while true {
      let connection = accept(descriptor, nil, nil)
      if isStopped.withLock({ $0 }) { break }
      guard connection >= 0 else {
        guard errno == EINTR || errno == ECONNABORTED else { break }
        continue
      }
      answer(connection)
      close(connection)
    }
    close(descriptor)
  }

  private func answer(_ connection: Int32) {
    var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    var request = [UInt8](repeating: 0, count: 4_096)
    guard recv(connection, &request, request.count, 0) > 0 else { return }
    let line = String(decoding: request.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    let isMetrics = line.hasPrefix("GET /metrics ") || line.hasPrefix("GET / ")
    let body = isMetrics ? text.withLock { $0 } : "GET /metrics\n"
    let head =
      "HTTP/1.0 \(isMetrics ? "200 OK" : "404 Not Found")\r\n"
      + "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
      + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
    let bytes = Array((head + body).utf8)
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      start += count
    }
  }
}
