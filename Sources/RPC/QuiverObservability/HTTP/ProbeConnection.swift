import Glibc

/// One connection of a ``ProbeListener``: a request, its response, the end.
struct ProbeConnection {
  enum Phase: Equatable {
    /// The request is still coming.
    case reading
    /// The response is being sent.
    case writing
    /// All is sent; input is discarded until the peer closes, so that it reads the response.
    case lingering
    case closed
  }

  let descriptor: Int32
  /// When it is closed whatever it does, in monotonic milliseconds.
  let dueMilliseconds: Int
  private(set) var phase = Phase.reading
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  private var written = 0
  private var discarded = 0

  private static let maxDiscardedByteCount = 256 * 1024

  init(descriptor: Int32, dueMilliseconds: Int) {
    self.descriptor = descriptor
    self.dueMilliseconds = dueMilliseconds
  }

  /// What poll(2) waits for.
  var events: Int16 { Int16(phase == .writing ? POLLOUT : POLLIN) }

  /// The descriptor is ready: reads, answers or writes as much as possible without waiting.
  mutating func advance(_ answer: (ProbeRequest) -> ProbeReply) {
    if phase == .reading { read(answer) }
    if phase == .writing { write() }
    if phase == .lingering { discard() }
  }

  private mutating func read(_ answer: (ProbeRequest) -> ProbeReply) {
    while phase == .reading {
      guard let bytes = receive() else { return }
      input += bytes
      let request = ProbeRequest(input)
      guard request != .incomplete else { continue }
      input = []
      output = answer(request).bytes
      phase = .writing
    }
  }

  private mutating func write() {
    while written < output.count {
      let count = output[written...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 0 else {
        phase = .closed
        return
      }
      written += count
    }
    output = []
    shutdown(descriptor, Int32(SHUT_WR))
    phase = .lingering
  }

  private mutating func discard() {
    while phase == .lingering, let bytes = receive() {
      discarded += bytes.count
      if discarded > Self.maxDiscardedByteCount { phase = .closed }
    }
  }

  /// The bytes that have come; nil: none have, or the connection is over.
  private mutating func receive() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 2_048)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { return Array(buffer[..<count]) }
      if count < 0, errno == EINTR { continue }
      if count == 0 || errno != EAGAIN { phase = .closed }
      return nil
    }
  }
}
