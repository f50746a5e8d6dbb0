import QuiverWire

/// How long a server does not read a connection whose calls it refuses for want of room.
///
/// A client that sends more calls at once costs the server a refusal for each. The first refusals
/// have no effect. Each further one doubles the pause, which ``resume(at:)`` ends. The count starts
/// again after twice the longest pause without a refusal. Times are monotonic nanoseconds.
struct RefusalPause {
  /// When input is read again; 0: it is read now.
  private(set) var until: UInt64 = 0
  /// Whether a reply found no room in this turn, so that ``note(at:)`` is due at its end.
  var isDue = false
  private var last: UInt64 = 0
  private var count: UInt64 = 0

  private static let longest = UInt64(Limits.longestRefusalPauseMilliseconds) * 1_000_000

  /// Notes that a call was refused.
  mutating func note(at now: UInt64) {
    isDue = false
    // Several refusals of what was read before the pause count once.
    guard until == 0 else { return }
    if now > last &+ 2 * Self.longest { count = 0 }
    last = now
    count += 1
    guard count > Limits.promptRefusals else { return }
    let doublings = min(count - UInt64(Limits.promptRefusals) - 1, 32)
    let pause = UInt64(Limits.firstRefusalPauseMilliseconds) * 1_000_000 << doublings
    until = now &+ min(pause, Self.longest)
  }

  /// Ends a pause whose time is up.
  mutating func resume(at now: UInt64) {
    guard until != 0, now >= until else { return }
    last = now
    until = 0
  }
}
