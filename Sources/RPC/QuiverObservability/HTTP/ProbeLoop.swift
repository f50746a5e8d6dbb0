import Glibc

/// The thread of a ``ProbeListener``: poll(2) over its sockets.
// Sendable because the thread that runs it is its only owner.
final class ProbeLoop: @unchecked Sendable {
  private let wake: Int32
  private let listeners: [Int32]
  private let handler: ProbeListener.Handler
  /// The oldest first.
  private var connections: [ProbeConnection] = []
  /// Until when nothing is accepted, because no descriptor is free; monotonic milliseconds.
  private var pausedUntil = 0

  private static let pauseMilliseconds = 100
  private static let idleMilliseconds = 60_000

  init(wake: Int32, listeners: [Int32], handler: @escaping ProbeListener.Handler) {
    self.wake = wake
    self.listeners = listeners
    self.handler = handler
  }

  /// Serves until the other end of `wake` is closed.
  func run() {
    while step() {}
    for descriptor in [wake] + listeners + connections.map(\.descriptor) { close(descriptor) }
  }

  private func step() -> Bool {
    let now = Self.nowMilliseconds
    let listens = now >= pausedUntil
    var entries = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
    entries += connections.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    if listens { entries += listeners.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } }
    let count = poll(&entries, nfds_t(entries.count), Int32(clamping: waitMilliseconds(now)))
    guard count >= 0 else { return errno == EINTR }
    if entries[0].revents != 0 { return false }
    for index in connections.indices where entries[index + 1].revents != 0 {
      connections[index].advance { self.reply(to: $0) }
    }
    let isReady = entries[(connections.count + 1)...].contains { $0.revents != 0 }
    removeClosed()
    if isReady { acceptAll() }
    return true
  }

  private func waitMilliseconds(_ now: Int) -> Int {
    var due = now + Self.idleMilliseconds
    if let first = connections.first { due = min(due, first.dueMilliseconds) }
    if pausedUntil > now { due = min(due, pausedUntil) }
    return max(0, due - now)
  }

  private func reply(to request: ProbeRequest) -> ProbeReply {
    switch request {
    case .get(let path): handler(path)
    case .refused(let status): ProbeReply(status, status.reason + "\n")
    case .incomplete: ProbeReply(.badRequest, ProbeStatus.badRequest.reason + "\n")
    }
  }

  private func removeClosed() {
    let now = Self.nowMilliseconds
    connections.removeAll { connection in
      guard connection.phase == .closed || now >= connection.dueMilliseconds else { return false }
      close(connection.descriptor)
      return true
    }
  }

  private func acceptAll() {
    for listener in listeners {
      while true {
        let descriptor = accept(listener, nil, nil)
        if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
        guard descriptor >= 0 else {
          if errno != EAGAIN { pausedUntil = Self.nowMilliseconds + Self.pauseMilliseconds }
          break
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        if connections.count >= ProbeListener.maxConnections {
          close(connections.removeFirst().descriptor)
        }
        connections.append(
          ProbeConnection(
            descriptor: descriptor,
            dueMilliseconds: Self.nowMilliseconds + ProbeListener.connectionMilliseconds))
      }
    }
  }

  private static var nowMilliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}
