import Synchronization

/// The remaining calls of a run. Any thread may use it.
final class CallBudget: Sendable {
  private let left: Atomic<UInt64>

  init(_ count: UInt64) { left = Atomic(count) }

  /// Whether no calls remain.
  var isSpent: Bool { left.load(ordering: .relaxed) == 0 }

  /// Takes one call; returns false if none remains.
  func take() -> Bool {
    var count = left.load(ordering: .relaxed)
    while count > 0 {
      let (exchanged, now) = left.weakCompareExchange(
        expected: count, desired: count - 1, ordering: .relaxed)
      if exchanged { return true }
      count = now
    }
    return false
  }
}
