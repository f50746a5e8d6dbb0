/// Prevents a model from showing an earlier read of the local file after a later one.
struct ReadOrder {
  private var lastStarted = 0
  private var lastShown = 0

  /// Numbers a read that starts now.
  mutating func start() -> Int {
    lastStarted += 1
    return lastStarted
  }

  /// Whether to show the result of a read: no later one was shown before it.
  mutating func finish(_ read: Int) -> Bool {
    guard read > lastShown else { return false }
    lastShown = read
    return true
  }
}
