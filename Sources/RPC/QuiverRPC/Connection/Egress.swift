import QuiverWire

/// What a connection has framed and not written yet, and the positions in it that matter later.
///
/// A position counts all bytes that the connection has ever framed.
struct Egress: ~Copyable {
  /// Framed bytes that wait to be written.
  var output = ByteQueue()
  /// Bytes of output that were written.
  private(set) var writtenBytes: UInt64 = 0
  /// PING answers and STATUS frames in ``output``.
  var queuedAnswers = 0
  /// Where the connection's latest CREDIT begins.
  var creditPosition: UInt64?
  /// Where the latest two answers to PINGs end.
  private var pingAnswersEnd: (last: UInt64, before: UInt64) = (0, 0)
  /// When output was first blocked, in monotonic nanoseconds; 0: it is not.
  private(set) var stalledSince: UInt64 = 0

  /// Where the next frame begins.
  var position: UInt64 { writtenBytes &+ UInt64(output.count) }

  /// The offset in ``output`` of what begins at `position`; nil: it is being written or was.
  func offset(of position: UInt64) -> Int? {
    position >= writtenBytes ? Int(clamping: position &- writtenBytes) : nil
  }

  /// Whether two answers to the peer's PINGs wait to be written.
  var hasTwoPingAnswers: Bool { pingAnswersEnd.before > writtenBytes }

  /// Counts an answer to a PING that was just framed.
  mutating func pingAnswered() {
    queuedAnswers += 1
    pingAnswersEnd = (position, pingAnswersEnd.last)
  }

  mutating func wrote(_ byteCount: Int, now: UInt64) {
    output.consume(byteCount)
    writtenBytes &+= UInt64(truncatingIfNeeded: byteCount)
    stalledSince = output.isEmpty ? 0 : now
    if output.isEmpty { queuedAnswers = 0 }
  }

  mutating func blocked(now: UInt64) {
    if stalledSince == 0 { stalledSince = now }
  }
}
