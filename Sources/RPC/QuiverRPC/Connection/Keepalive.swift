import QuiverWire

/// The PINGs of a connection and the silence that makes one due. Times are monotonic nanoseconds.
struct Keepalive {
  var lastReceived: UInt64
  /// When a client opened a call while it had none: silence counts from then.
  var quietSince: UInt64 = 0
  /// When the PING was sent whose answer is awaited; 0: none is.
  var pingSentAt: UInt64 = 0
  /// The highest number of a PING sent, and of one answered.
  private(set) var pingNumber: UInt64 = 0
  private(set) var pingAnswered: UInt64 = 0

  init(now: UInt64) { lastReceived = now }

  /// Whether as many PINGs are unanswered as may be.
  private var isFull: Bool { pingNumber &- pingAnswered >= UInt64(Limits.maxUnansweredPings) }

  /// The number of the PING to send; nil: as many are unanswered as may be.
  mutating func nextPing() -> UInt64? {
    guard !isFull else { return nil }
    pingNumber += 1
    return pingNumber
  }

  /// Records any input, which counts as a sign of life.
  mutating func received(at now: UInt64) {
    lastReceived = now
    pingSentAt = 0
  }

  /// Records an answer and returns whether it answers a PING that was unanswered.
  mutating func answered(_ number: UInt64) -> Bool {
    guard number > pingAnswered, number <= pingNumber else { return false }
    pingAnswered = number
    pingSentAt = 0
    return true
  }

  /// When a PING is due after `interval` of silence, or its answer overdue after `timeout`.
  func due(interval: UInt64, timeout: UInt64) -> UInt64 {
    pingSentAt != 0 ? pingSentAt &+ timeout : max(lastReceived, quietSince) &+ interval
  }
}
