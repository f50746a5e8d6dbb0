/// Counts what a peer may do only so often within a window of time.
///
/// The window slides by halves: what was counted in the half before fades linearly, so that a burst
/// at the edge of two windows does not count for nothing.
struct AbuseBudget {
  let allowance: Int
  let windowNanoseconds: UInt64
  private var started: UInt64 = 0
  private var count = 0
  private var countBefore = 0

  init(allowance: Int, windowMilliseconds: Int) {
    self.allowance = allowance
    windowNanoseconds = UInt64(max(windowMilliseconds, 1)) * 1_000_000
  }

  /// Counts one, and answers whether the peer is still within its budget.
  mutating func spend(at now: UInt64) -> Bool {
    let now = max(now, started)
    let age = now &- started
    if age >= 2 * windowNanoseconds {
      countBefore = 0
      count = 0
      started = now
    } else if age >= windowNanoseconds {
      countBefore = count
      count = 0
      started &+= windowNanoseconds
    }
    count += 1
    let left = Double(windowNanoseconds &- (now &- started)) / Double(windowNanoseconds)
    let faded = (Double(countBefore) * max(0, left)).rounded(.down)
    return Double(count) + faded <= Double(allowance)
  }
}
