import QuiverStore

/// The pace of a series of bulk commands.
///
/// Alone it runs at full speed. While single commands arrive, the rows of its batches take about
/// `StoreLimits.sharedBulkMicroseconds`, whatever a row costs, and it pauses after each for twice
/// as long as the batch took: a single command finds the writer free in most cases, and waits
/// briefly in the others.
///
/// On a database that servers share, commands do not wait for one another, and batches keep their
/// size.
struct BulkPace {
  private let store: Store
  private var seenCount: UInt64
  private var lastCommand: ContinuousClock.Instant?
  /// The rows that a batch writes in a microsecond, from the batches before; 0 before the first.
  private var rowsPerMicrosecond = 0.0

  /// The time after a single command in which another one is expected.
  static let sharedDuration = Duration.milliseconds(StoreLimits.sharedMilliseconds)
  /// A longer pause does not help slow writers.
  private static let longestRest = Duration.milliseconds(StoreLimits.longestBulkPauseMilliseconds)

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

  /// The number of rows for the next batch: `most` alone, and at least `fewest`, at most
  /// `mostShared` while other commands arrive.
  mutating func rowCount(fewest: Int, mostShared: Int, most: Int) -> Int {
    guard isShared(), !store.isShared else { return most }
    let count = rowsPerMicrosecond * Double(StoreLimits.sharedBulkMicroseconds)
    return min(max(Int(count), fewest), mostShared)
  }

  /// Notes how long the rows of a batch took, without its commit and what it waited for.
  mutating func note(rows: Int, nanoseconds: UInt64) {
    let speed = Double(rows) * 1_000 / Double(max(nanoseconds, 1))
    rowsPerMicrosecond = rowsPerMicrosecond == 0 ? speed : (rowsPerMicrosecond + speed) / 2
  }

  /// Pauses after a batch that took `duration`, if other commands have arrived.
  mutating func rest(after duration: Duration) async throws {
    guard isShared() else { return }
    try await Task.sleep(for: min(duration * 2, Self.longestRest))
  }
}
