package import QuiverRules

/// Reads entries as values of the rules, from the index only.
extension Snapshot {
  private static let ofDays = Query(
    """
    SELECT id, day, measured_at_ms, thousandths, unit, has_note FROM weight_entry
    WHERE principal_id = ?1 AND deleted_at_ms IS NULL AND day BETWEEN ?2 AND ?3
    ORDER BY day, measured_at_ms, id
    """)
  private static let dayBefore = Query(
    """
    SELECT max(day) FROM weight_entry
    WHERE principal_id = ?1 AND deleted_at_ms IS NULL AND day < ?2
      AND day >= \(CivilDate.dayRange.lowerBound)
    """)
  private static let nthDayBefore = Query(
    """
    SELECT DISTINCT day FROM weight_entry
    WHERE principal_id = ?1 AND deleted_at_ms IS NULL AND day < ?2
    ORDER BY day DESC LIMIT 1 OFFSET ?3
    """)
  private static let nthDayFrom = Query(
    """
    SELECT DISTINCT day FROM weight_entry
    WHERE principal_id = ?1 AND deleted_at_ms IS NULL AND day >= ?2
    ORDER BY day LIMIT 1 OFFSET ?3
    """)

  /// The entries of some days, in order.
  package func weighIns(
    ofDays days: ClosedRange<Int32>, principal: Int64
  ) throws(StoreError) -> [WeighIn] {
    try all(
      Self.ofDays, .integer(principal), .integer(Int64(days.lowerBound)),
      .integer(Int64(days.upperBound))
    ) { (row) throws(StoreError) in
      guard let unit = WeightUnit(rawValue: row.int32(4)) else {
        throw StoreError(.dataLoss, "a weight entry has an unknown unit")
      }
      return WeighIn(
        id: row.int64(0), day: row.int32(1), instantMilliseconds: row.int64(2),
        weight: BodyWeight(thousandths: row.int64(3), unit: unit), hasNote: row.bool(5))
    }
  }

  /// The latest day with entries before a day; nil if there is none in the years 1 to 9999.
  package func weighingDay(before day: Int32, principal: Int64) throws(StoreError) -> Int32? {
    let found = try first(Self.dayBefore, .integer(principal), .integer(Int64(day))) { row in
      row.optionalInt64(0)
    }
    return found.flatMap { $0 }.map(Int32.init(clamping:))
  }

  /// The day at which a fold must begin to be exact from `day` on: this many days with entries
  /// before it, or the first day.
  package func runIn(
    to day: Int32, _ average: MovingAverage, principal: Int64
  ) throws(StoreError) -> Int32 {
    // One more, so that the latest entry that is seven days older is included in any range.
    let found = try first(
      Self.nthDayBefore, .integer(principal), .integer(Int64(day)), .integer(average.runInCount)
    ) { row in row.int32(0) }
    return found ?? CivilDate.dayRange.lowerBound
  }

  /// The `count`-th day with entries from `day` on, counted from 0; nil if there are fewer.
  package func weighingDay(
    from day: Int32, count: Int64, principal: Int64
  ) throws(StoreError) -> Int32? {
    try first(
      Self.nthDayFrom, .integer(principal), .integer(Int64(day)), .integer(count)
    ) { row in row.int32(0) }
  }
}
