import Synchronization

/// How many further attempts a client may make: each call adds a share of one, each further attempt
/// takes one, so that attempts stay below a share of the calls while servers fail.
///
/// May be used from any thread.
final class CallBudget: Sendable {
  /// In thousandths of an attempt.
  private let available: Mutex<Int>
  private let capacity: Int
  private let gain: Int

  /// - Parameters:
  ///   - reserve: the attempts that may be made before a call has added to the budget.
  ///   - share: the part of an attempt that each call adds.
  init(reserve: Int, share: Double) {
    capacity = reserve * 1_000
    gain = Int(share * 1_000)
    available = Mutex(capacity)
  }

  /// A call begins.
  func add() { available.withLock { $0 = min($0 + gain, capacity) } }

  /// Takes one attempt; false: none is left.
  func take() -> Bool {
    available.withLock { available in
      guard available >= 1_000 else { return false }
      available -= 1_000
      return true
    }
  }
}
