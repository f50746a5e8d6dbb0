import Synchronization

/// The clock of the database, which is that of all its servers.
///
/// The wall time is the system's with the difference that ``measure(on:)`` found last. Any thread
/// may use it.
final class DatabaseClock: Sendable {
  private let system: StoreClock
  private let differenceMilliseconds = Atomic<Int64>(0)

  private static let now = Query(
    onlyPostgreSQL: "SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)")

  init(_ system: StoreClock) { self.system = system }

  /// The same as a clock of the store.
  var clock: StoreClock {
    StoreClock(
      monotonicNanoseconds: system.monotonicNanoseconds,
      wallMilliseconds: { self.wallMilliseconds })
  }

  var wallMilliseconds: Int64 {
    system.wallMilliseconds() &+ differenceMilliseconds.load(ordering: .relaxed)
  }

  func monotonicNanoseconds() -> UInt64 { system.monotonicNanoseconds() }

  /// By how much the database is ahead of the system's clock.
  var difference: Int64 { differenceMilliseconds.load(ordering: .relaxed) }

  /// Compares both clocks; half of the time that the question took is the error at most.
  func measure(on session: Session) throws(StoreError) {
    let start = system.wallMilliseconds()
    let found = try session.first(Self.now, []) { row in row.int64(0) }
    let end = system.wallMilliseconds()
    guard let found, end >= start else { return }
    differenceMilliseconds.store(found - (start + (end - start) / 2), ordering: .relaxed)
  }
}
