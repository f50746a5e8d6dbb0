import Glibc
import QuiverRPC

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
  /// What a peer of another protocol is told in its own.
  private static let protocolReason =
    "this port speaks HTTP, for metrics and probes; the server has ports of its own"

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
      if let refusal = Self.refusal(of: input) {
        input = []
        output = refusal
        phase = .writing
        return
      }
      let request = ProbeRequest(input)
      guard request != .incomplete else { continue }
      input = []
      output = answer(request).bytes
      phase = .writing
    }
  }

  /// The answer to a peer that does not speak HTTP/1.1; nil: it does, or more bytes decide.
  private static func refusal(of bytes: [UInt8]) -> [UInt8]? {
    let other = bytes.withUnsafeBytes { OtherProtocol(firstBytes: $0) }
    switch other {
    case .quiver, .tls: break
    // Fewer bytes can be the beginning of a method of HTTP/1.1.
    case .ssh, .http2: guard bytes.count >= 4 else { return nil }
    case .http1, nil: return nil
    }
    return other?.answer(protocolReason)
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
