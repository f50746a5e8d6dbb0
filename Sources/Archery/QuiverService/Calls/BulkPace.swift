import QuiverStore

/// How fast a bulk of commands goes beside others.
///
/// Alone it goes as fast as it can. While single commands come, its groups are small, and it rests
/// after each for as long as the group took: a command that comes meets it in half of the cases,
/// and then waits for little.
struct BulkPace {
  private let store: Store
  private var seenCount: UInt64
  private var lastCommand: ContinuousClock.Instant?

  /// How long after a single command the next is expected.
  static let sharedDuration = Duration.milliseconds(200)
  /// The longest rest: who writes this slowly is not helped by more of it.
  private static let longestRest = Duration.milliseconds(20)

  init(_ store: Store) {
    self.store = store
    seenCount = store.singleCommandCount
  }

  /// Whether commands of others have come of late.
  mutating func isShared(at now: ContinuousClock.Instant = .now) -> Bool {
    let count = store.singleCommandCount
    if count != seenCount {
      seenCount = count
      lastCommand = now
    }
    return lastCommand.map { now - $0 < Self.sharedDuration } ?? false
  }

  /// Rests, where others have come, after a group that took so long.
  mutating func rest(after duration: Duration) async throws {
    guard isShared() else { return }
    try await Task.sleep(for: min(duration, Self.longestRest))
  }
}
