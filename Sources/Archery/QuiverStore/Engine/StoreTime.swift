import Synchronization

/// The store's time: the wall clock, and how much of it the store saw pass.
///
/// `nowMilliseconds` dates what is stored and never goes back. Rows age by the time that passes on
/// the monotonic clock while a store is open. What the wall clock gains beyond that, because the
/// store was closed or somebody set the clock, is a ``TimeGap``, in which no row grows older. So a
/// clock that is ahead expires nothing early. Any thread may use it.
final class StoreTime: Sendable {
  private let clock: StoreClock
  private let state: Mutex<State>

  /// What a store starts from; only the database survives a restart.
  struct Stored: Sendable, Equatable {
    /// The latest time that anything was dated with.
    var lastMilliseconds: Int64
    /// The latest time that a running store saw: earlier, where a backup was restored since.
    var seenMilliseconds: Int64
    /// In their order, without overlaps.
    var gaps: [TimeGap] = []
  }

  private struct State {
    /// The latest time that anything was dated with.
    var latest: Int64
    /// By how much that was ahead of the monotonic clock at least since the last gap.
    var leastLead: Int64
    var gaps: [TimeGap]
    var unsaved: [TimeGap] = []

    mutating func note(_ gap: TimeGap) {
      gaps = TimeGap.bounded(gaps + [gap])
      unsaved = TimeGap.bounded(unsaved + [gap])
    }
  }

  /// Starts from what is stored. Nothing is stored in a new database: nil.
  init(_ clock: StoreClock, stored: Stored?) {
    self.clock = clock
    let (wall, monotonic) = Self.read(clock)
    let latest = max(stored?.lastMilliseconds ?? .min, wall)
    var state = State(
      latest: latest, leastLead: latest &- monotonic, gaps: stored?.gaps ?? [])
    if let seen = stored?.seenMilliseconds, latest &- seen > StoreLimits.noticedGapMilliseconds {
      state.note(TimeGap(from: seen, to: latest))
    }
    self.state = Mutex(state)
  }

  /// Both clocks at one moment, in milliseconds: a thread that is suspended between them reads them
  /// again.
  private static func read(_ clock: StoreClock) -> (wall: Int64, monotonic: Int64) {
    func monotonic() -> Int64 { Int64(clamping: clock.monotonicNanoseconds() / 1_000_000) }
    var before = monotonic()
    for _ in 0..<3 {
      let (wall, after) = (clock.wallMilliseconds(), monotonic())
      if after &- before < StoreLimits.noticedGapMilliseconds { return (wall, after) }
      before = after
    }
    return (clock.wallMilliseconds(), before)
  }

  /// The time that new rows are dated with, in milliseconds since 1970-01-01.
  var nowMilliseconds: Int64 { advance { state, _ in state.latest } }

  /// The date before which rows are older than so much time that a store saw pass.
  func oldest(keptMilliseconds: Int64) -> Int64 {
    advance { state, gain in
      TimeGap.date(before: state.latest, by: keptMilliseconds &+ gain, gaps: state.gaps)
    }
  }

  /// The gaps that the database does not have yet. They must be there before a later row is.
  var unsavedGaps: [TimeGap] { advance { state, _ in state.unsaved } }

  /// Notes that the database has these gaps.
  func noteSaved(_ gaps: [TimeGap]) {
    state.withLock { state in state.unsaved.removeAll(where: gaps.contains) }
  }

  /// Reads the clocks, and runs `body` with how far the wall clock has gained on the monotonic one
  /// since the last gap.
  private func advance<Result>(_ body: (State, _ gain: Int64) -> Result) -> Result {
    state.withLock { state in
      let (wall, monotonic) = Self.read(clock)
      state.latest = max(state.latest, wall)
      let lead = state.latest &- monotonic
      // Behind the date of the latest row no time is seen to pass.
      state.leastLead = min(state.leastLead, lead)
      if lead &- state.leastLead > StoreLimits.noticedGapMilliseconds {
        state.note(TimeGap(from: state.latest &- (lead &- state.leastLead), to: state.latest))
        state.leastLead = lead
      }
      return body(state, lead &- state.leastLead)
    }
  }
}
