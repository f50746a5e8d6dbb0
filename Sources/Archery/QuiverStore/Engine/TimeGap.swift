/// A time that the wall clock showed and no running store saw pass, in milliseconds since
/// 1970-01-01: the store was closed, or somebody set the clock.
struct TimeGap: Sendable, Equatable {
  var from: Int64
  var to: Int64

  private static let select = Query("SELECT from_ms, to_ms FROM time_gap ORDER BY from_ms")
  private static let insert = Query(
    """
    INSERT INTO time_gap (from_ms, to_ms) VALUES (?1, ?2)
    ON CONFLICT (from_ms) DO UPDATE SET to_ms = max(time_gap.to_ms, ?2)
    """)
  private static let removeAll = Query("DELETE FROM time_gap")
  private static let removeLater = Query("DELETE FROM time_gap WHERE from_ms >= ?1")
  private static let cut = Query("UPDATE time_gap SET to_ms = ?1 WHERE to_ms > ?1")

  /// Goes back from a date by so much time outside of gaps, which are in their order.
  static func date(before date: Int64, by milliseconds: Int64, gaps: [TimeGap]) -> Int64 {
    var (date, left) = (date, milliseconds)
    for gap in gaps.reversed() where gap.from < date {
      let seen = max(0, date &- gap.to)
      if seen >= left { break }
      left &-= seen
      date = gap.from
    }
    return date &- left
  }

  /// The gaps in their order, without overlaps, at most `StoreLimits.timeGaps`.
  ///
  /// If there are more, the two oldest become one at the place of the later one: rows between them
  /// are taken for younger than they are, never for older.
  static func bounded(_ gaps: [TimeGap]) -> [TimeGap] {
    var bounded: [TimeGap] = []
    for gap in gaps.sorted(by: { $0.from < $1.from }) {
      if let last = bounded.last, gap.from <= last.to {
        bounded[bounded.count - 1].to = max(last.to, gap.to)
      } else {
        bounded.append(gap)
      }
    }
    while bounded.count > StoreLimits.timeGaps {
      StoreLimit.timeGaps.reach()
      let oldest = bounded.removeFirst()
      bounded[0].from &-= oldest.to &- oldest.from
    }
    return bounded
  }

  /// The gaps that are stored, bounded.
  static func all(in session: Session) throws(StoreError) -> [TimeGap] {
    bounded(try stored(in: session))
  }

  private static func stored(in session: Session) throws(StoreError) -> [TimeGap] {
    var gaps: [TimeGap] = []
    try session.forEach(select, []) { row in
      gaps.append(TimeGap(from: row.int64(0), to: row.int64(1)))
    }
    return gaps
  }

  /// Saves the gaps of a store that are not saved yet, in a transaction of its own, and notes those
  /// of more than a day in the audit.
  static func save(of time: StoreTime, in session: Session) throws(StoreError) {
    let gaps = time.unsavedGaps
    guard !gaps.isEmpty else { return }
    try session.inTransaction { (session) throws(StoreError) in
      for gap in gaps {
        try gap.insert(in: session)
        guard gap.to &- gap.from > StoreLimits.refusedClockDifferenceMilliseconds else { continue }
        try ClockCheck.audit("store.skip-time", gap.from, gap.to, at: gap.to, in: session)
      }
      let stored = try stored(in: session)
      let bounded = bounded(stored)
      guard bounded != stored else { return }
      try session.run(removeAll, [])
      for gap in bounded { try gap.insert(in: session) }
    }
    time.noteSaved(gaps)
  }

  private func insert(in session: Session) throws(StoreError) {
    try session.run(Self.insert, [.integer(from), .integer(to)])
  }

  /// Removes what lies after a date, to which stored time is set back.
  static func removeAll(after date: Int64, in session: Session) throws(StoreError) {
    try session.run(removeLater, [.integer(date)])
    try session.run(cut, [.integer(date)])
  }
}
