import QuiverRules
import Synchronization

/// The rounds of a setup as one comparison has read them, and the ranges that have the same ones.
struct KeptRounds: Sendable {
  /// What a comparison asks of a setup besides its range.
  struct Scope: Sendable, Hashable {
    let setupID: Int64
    /// 0 for all versions.
    let version: Int64
    let includesUnfinished: Bool
    let withHandicaps: Bool
  }

  let rounds: [ComparedRound]
  /// Their passes, the latest first; all their arrows lie in the range.
  let passes: [PassInRange]
  /// Where a range may start, in milliseconds UTC; `Int64.min` without a start.
  let starts: ClosedRange<Int64>
  /// Where it may end.
  let ends: ClosedRange<Int64>
  /// The events that have rounds of the setup in the range, whatever the status of these is.
  let events: [Int64]
  /// What they count of the limits.
  let byteCount: Int

  init(
    rounds: [ComparedRound], passes: [PassInRange], starts: ClosedRange<Int64>,
    ends: ClosedRange<Int64>, events: [Int64]
  ) {
    self.rounds = rounds
    self.passes = passes.sorted { $0.isLater(than: $1) }
    self.starts = starts
    self.ends = ends
    self.events = events
    byteCount =
      Self.byteCount(rounds) + passes.count * MemoryLayout<PassInRange>.stride
      + events.count * MemoryLayout<Int64>.stride
  }

  /// Whether these are the rounds of the range.
  func have(_ span: ShotSpan) -> Bool {
    starts.contains(span.start ?? .min) && ends.contains(span.end)
  }

  private static func byteCount(_ rounds: [ComparedRound]) -> Int {
    rounds.reduce(StoreLimits.keptReplyOverheadBytes) { sum, round in
      let strata = round.stratumHandicaps.count * 2 * MemoryLayout<Stratum>.stride
      return round.parts.reduce(sum + MemoryLayout<ComparedRound>.stride + strata) { sum, part in
        sum + MemoryLayout<RoundPart>.stride + StoreLimits.keptPartOverheadBytes
          + part.stratum.conditions.place.utf8.count
      }
    }
  }
}

/// When events have changed, so that what depends on them can be kept without finding it again.
///
/// Any thread may use it.
final class ChangedEvents: Sendable {
  private struct State: Sendable {
    var count: UInt64 = 0
    /// The number of the latest change of each event.
    var latest: [Int64: UInt64] = [:]
    /// Changes up to this one are not known any more.
    var forgotten: UInt64 = 0
  }

  private let state = Mutex(State())

  /// The number of the latest change of any event.
  var latest: UInt64 { state.withLock { $0.count } }

  /// Notes the events that a commit changed.
  func note(_ effects: CommitEffects) {
    guard effects.changes.contains(where: { $0.topic != 0 }) else { return }
    state.withLock { state in
      state.count += 1
      for change in effects.changes where change.topic != 0 {
        state.latest[change.topic] = state.count
      }
      guard state.latest.count > StoreLimits.keptEventChanges else { return }
      state.latest.removeAll()
      state.forgotten = state.count
    }
  }

  /// Whether none of the events has changed after the change of that number.
  func areUnchanged(_ events: [Int64], since change: UInt64) -> Bool {
    guard !events.isEmpty else { return true }
    return state.withLock { state in
      change >= state.forgotten && events.allSatisfy { state.latest[$0] ?? 0 <= change }
    }
  }
}

extension Snapshot {
  private static let lastBefore = Query(
    "SELECT max(last_shot_ms) FROM arrow_rollup WHERE setup_id = ?1 AND last_shot_ms < ?2")
  private static let anyAfter = Query(
    "SELECT 1 FROM arrow_rollup WHERE setup_id = ?1 AND last_shot_ms >= ?2 LIMIT 1")
  private static let events = Query(
    """
    SELECT DISTINCT r.session_id
    FROM arrow_rollup a JOIN round r ON r.id = a.id / \(RollupKey.passesPerRound)
      JOIN tournament t ON t.id = r.session_id
    WHERE a.setup_id = ?1 AND a.last_shot_ms >= ?2 AND a.first_shot_ms < ?3
    """)

  /// The rounds of a setup in the range, none of which extends beyond it, with the ranges that have
  /// the same ones.
  ///
  /// The range may start after the last arrow before it, up to the first one in it. It may end
  /// after the last arrow in it, up to its end, or at any time if there is no later arrow.
  func keptRounds(
    _ rounds: [ComparedRound], _ passes: [PassInRange], of setupID: Int64, _ span: ShotSpan
  ) throws(StoreError) -> KeptRounds {
    var (first, last) = (Int64.max, Int64.min)
    for part in rounds.lazy.flatMap(\.parts) {
      first = min(first, part.rollup.firstShotAt ?? first)
      last = max(last, part.rollup.lastShotAt ?? last)
    }
    let start = span.start ?? .min
    let before = try self.first(Self.lastBefore, .integer(setupID), .integer(start)) { row in
      row.optionalInt64(0)
    }
    let after = try self.first(Self.anyAfter, .integer(setupID), .integer(span.end)) { _ in true }
    let events = try all(
      Self.events, .integer(setupID), .integer(start), .integer(span.end)
    ) { row in row.int64(0) }
    let earliest = (before ?? nil).map { $0 + 1 } ?? .min
    let latest = after == nil ? Int64.max : span.end
    return KeptRounds(
      rounds: rounds, passes: passes, starts: min(earliest, start)...max(first, start),
      ends: min(last < .max ? last + 1 : last, span.end)...latest, events: events)
  }
}
