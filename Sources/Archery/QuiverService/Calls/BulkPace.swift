import QuiverStore

/// The pace of a series of bulk commands.
///
/// Alone it runs at full speed. While single commands arrive, its batches are small, and it pauses
/// after each for as long as the batch took: a single command waits in half of the cases, and then
/// briefly.
struct BulkPace {
  private let store: Store
  private var seenCount: UInt64
  private var lastCommand: ContinuousClock.Instant?

  /// The time after a single command in which another one is expected.
  static let sharedDuration = Duration.milliseconds(200)
  /// The longest pause: a longer one does not help slow writers.
  private static let longestRest = Duration.milliseconds(20)

  init(_ store: Store) {
    self.store = store
    seenCount = store.singleCommandCount
  }

  /// Whether other commands have arrived recently.
  mutating func isShared(at now: ContinuousClock.Instant = .now) -> Bool {
    let count = store.singleCommandCount
    if count != seenCount {
      seenCount = count
      lastCommand = now
    }
    return lastCommand.map { now - $0 < Self.sharedDuration } ?? false
  }

  /// Pauses after a batch that took `duration`, if other commands have arrived.
  mutating func rest(after duration: Duration) async throws {
    guard isShared() else { return }
    try await Task.sleep(for: min(duration, Self.longestRest))
  }
}
