/// Counts what a peer does to streams of its connection that costs this side more than the peer:
/// resets and errors by a burst and a rate, refused streams by their number.
struct StreamFaults {
  enum Count: Equatable {
    case allowed
    /// The connection is to end. Said once; later ones do not count.
    case exceeded
  }

  private let burst: Double
  private let perNanosecond: Double
  /// How many more resets and errors are allowed now.
  private var left: Double
  private var countedAt: UInt64
  private var refusedLeft: Int
  private var isOver = false

  init(_ limits: GatewayLimits, now: UInt64) {
    burst = Double(limits.resetBurst)
    perNanosecond = Double(limits.resetsPerSecond) / 1e9
    left = burst
    countedAt = now
    refusedLeft = limits.maxRefusedStreams
  }

  /// A stream was reset by the peer, or by this side because of an error of the peer.
  mutating func count(now: UInt64) -> Count {
    let elapsed = now > countedAt ? now &- countedAt : 0
    countedAt = max(now, countedAt)
    left = min(burst, left + Double(elapsed) * perNanosecond) - 1
    return end(if: left < 0)
  }

  /// A stream was refused, because as many as may be are open.
  mutating func countRefused() -> Count {
    refusedLeft -= 1
    return end(if: refusedLeft < 0)
  }

  private mutating func end(if isExceeded: Bool) -> Count {
    guard isExceeded, !isOver else { return .allowed }
    isOver = true
    return .exceeded
  }
}
