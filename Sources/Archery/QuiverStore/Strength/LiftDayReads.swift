package import QuiverRules

/// Reads daily maxima day by day along the index, so that the cost of a window does not depend on
/// the length of the log.
extension Snapshot {
  // The index has the day and the one-rep max; rows are read only if repetitions are requested.
  private static let counts = "one_rep_max_lb IS NOT NULL"
  private static let confident =
    "\(counts) AND repetitions <= \(OneRepMaxFormula.confidentRepetitions)"

  private static func neighbour(_ comparison: String, _ order: String, _ counts: String) -> Query {
    Query(
      """
      SELECT (
        SELECT day FROM lift_set l WHERE l.series_id = s.id AND day \(comparison) ?2 AND \(counts)
        ORDER BY day \(order) LIMIT 1) AS near
      FROM lift_series s WHERE s.exercise_id = ?1 AND s.import_id = 0 AND near IS NOT NULL
      ORDER BY near \(order) LIMIT 1
      """,
      postgreSQL: """
        SELECT near FROM (
          SELECT (
            SELECT day FROM lift_set l
            WHERE l.series_id = s.id AND day \(comparison) ?2 AND \(counts)
            ORDER BY day \(order) LIMIT 1) AS near
          FROM lift_series s WHERE s.exercise_id = ?1 AND s.import_id = 0) AS found
        WHERE near IS NOT NULL ORDER BY near \(order) LIMIT 1
        """)
  }

  private static let before = neighbour("<=", "DESC", counts)
  private static let confidentBefore = neighbour("<=", "DESC", confident)
  private static let after = neighbour(">=", "ASC", counts)
  private static let confidentAfter = neighbour(">=", "ASC", confident)

  private static func best(_ counts: String) -> Query {
    Query(
      """
      SELECT l.id FROM lift_series s JOIN lift_set l ON l.series_id = s.id
      WHERE s.exercise_id = ?1 AND s.import_id = 0 AND l.day = ?2 AND \(counts)
      ORDER BY one_rep_max_lb DESC, l.id LIMIT 1
      """)
  }

  private static let best = best(counts)
  private static let confidentBest = best(confident)

  // The best set of the latest day of a series that has one, by two seeks in the index by day.
  private static func latest(_ counts: String) -> Query {
    Query(
      """
      SELECT id, client_id, revision, created_at_ms, updated_at_ms, day, sets, repetitions, weight,
        unit, one_rep_max_lb
      FROM lift_set
      WHERE series_id = ?1 AND \(counts) AND day = (
        SELECT day FROM lift_set WHERE series_id = ?1 AND day <= ?2 AND \(counts)
        ORDER BY day DESC LIMIT 1)
      ORDER BY one_rep_max_lb DESC, id LIMIT 1
      """)
  }

  private static let latest = latest(counts)
  private static let confidentLatest = latest(confident)

  private static let records = Query(
    """
    SELECT record_id, confident_record_id FROM lift_series
    WHERE exercise_id = ?1 AND import_id = 0
    """)

  /// Which daily maxima of an exercise to read.
  package struct LiftQuery: Sendable {
    package var unit: WeightUnit
    package var leavesOutLowConfidence: Bool

    package init(unit: WeightUnit, leavesOutLowConfidence: Bool) {
      self.unit = unit
      self.leavesOutLowConfidence = leavesOutLowConfidence
    }
  }

  /// A range of daily maxima of an exercise.
  package enum LiftWindow: Sendable {
    /// The last daily maxima, at most this many.
    case last(Int)
    /// Those of this many days, up to the exercise's latest day.
    case days(Int32)
  }

  /// The daily maxima of a window, oldest first, with the record and the latest; throws `notFound`.
  package func liftSeries(
    of name: String, _ window: LiftWindow, _ query: LiftQuery, principal: Int64
  ) throws(StoreError) -> (days: [LiftDayRecord], record: LiftDayRecord?, latest: LiftDayRecord?) {
    let (exercise, series) = try exercise(name, principal: principal)
    var days: [LiftDayRecord] = []
    // The best set of the latest day of each series before the days that are read.
    let known = ExerciseName(name)
    var heads: [LiftHead] = []
    for one in series {
      if let head = try liftHead(one, atMost: .max, known, query) { heads.append(head) }
    }
    let first: Int64
    var count = StoreLimits.liftPointsPerWindow
    switch window {
    case .last(let points):
      first = .min
      count = min(count, points)
    case .days(let back):
      first = Int64(heads.map(\.record.set.day).max() ?? 0) - Int64(back) + 1
    }
    while days.count < count, let best = heads.max(by: { $1.precedes($0) }) {
      let day = best.record.set.day
      guard Int64(day) >= first, let point = best.record.point(in: query.unit) else { break }
      days.append(point)
      guard days.count < count else { break }
      var next: [LiftHead] = []
      for head in heads {
        if head.record.set.day != day {
          next.append(head)
        } else if day > .min, let head = try liftHead(head.series, atMost: day - 1, known, query) {
          next.append(head)
        }
      }
      heads = next
    }
    let record = try recordLift(exercise: exercise, query, principal: principal)
    if let latest = days.first { return (days.reversed(), record, latest) }
    return ([], record, try latestLift(exercise: exercise, query, principal: principal))
  }

  /// The daily maximum nearest to a day, the earlier of two at the same distance; throws
  /// `notFound`.
  package func nearestLift(
    of name: String, to day: Int32, _ query: LiftQuery, principal: Int64
  ) throws(StoreError) -> LiftDayRecord {
    let (exercise, _) = try exercise(name, principal: principal)
    let before = try liftDay(exercise, atMost: day, query)
    let after = try first(
      query.leavesOutLowConfidence ? Self.confidentAfter : Self.after, .integer(exercise),
      .integer(Int64(day)), map: { row in row.int32(0) })
    let nearest: Int32? =
      switch (before, after) {
      case (let before?, let after?):
        Int64(day) - Int64(before) <= Int64(after) - Int64(day) ? before : after
      default: before ?? after
      }
    guard let nearest,
      let point = try liftPoint(exercise, on: nearest, query, principal: principal)
    else { throw StoreError(.notFound, "no set of this exercise has a one-rep max") }
    return point
  }

  /// The largest daily maximum, the earliest of equal ones.
  package func recordLift(
    exercise: Int64, _ query: LiftQuery, principal: Int64
  ) throws(StoreError) -> LiftDayRecord? {
    let ids = try all(Self.records, .integer(exercise)) { row in
      query.leavesOutLowConfidence ? row.optionalInt64(1) : row.optionalInt64(0)
    }
    var best: LiftSetRecord?
    for case let id? in ids {
      guard let record = try liftSet(id: id, principal: principal) else { continue }
      if best.map({ record.isRecord(over: $0) }) ?? true { best = record }
    }
    return best.flatMap { $0.point(in: query.unit) }
  }

  /// The daily maximum of the latest day that has one.
  package func latestLift(
    exercise: Int64, _ query: LiftQuery, principal: Int64
  ) throws(StoreError) -> LiftDayRecord? {
    guard let day = try liftDay(exercise, atMost: .max, query) else { return nil }
    return try liftPoint(exercise, on: day, query, principal: principal)
  }

  /// The daily maximum of one day; nil if no set of it has a one-rep max.
  func liftPoint(
    _ exercise: Int64, on day: Int32, _ query: LiftQuery, principal: Int64
  ) throws(StoreError) -> LiftDayRecord? {
    let id = try first(
      query.leavesOutLowConfidence ? Self.confidentBest : Self.best, .integer(exercise),
      .integer(Int64(day)), map: { row in row.int64(0) })
    guard let id, let record = try liftSet(id: id, principal: principal) else { return nil }
    return record.point(in: query.unit)
  }

  /// The best set of the latest day of a series, at most `day`; nil if there is none.
  private func liftHead(
    _ series: Int64, atMost day: Int32, _ exercise: ExerciseName?, _ query: LiftQuery
  ) throws(StoreError) -> LiftHead? {
    try first(
      query.leavesOutLowConfidence ? Self.confidentLatest : Self.latest, .integer(series),
      .integer(Int64(day))
    ) { (row) throws(StoreError) in
      LiftHead(
        series: series, oneRepMax: row.double(10),
        record: try LiftSetRecord(row: row, exercise: exercise))
    }
  }

  private func liftDay(
    _ exercise: Int64, atMost day: Int32, _ query: LiftQuery
  ) throws(StoreError) -> Int32? {
    try first(
      query.leavesOutLowConfidence ? Self.confidentBefore : Self.before, .integer(exercise),
      .integer(Int64(day)), map: { row in row.int32(0) })
  }
}

/// The best set of the latest day of a series.
private struct LiftHead {
  let series: Int64
  /// In pounds, by which sets are compared.
  let oneRepMax: Double
  let record: LiftSetRecord

  /// Whether it is of a later day, or better on the same one.
  func precedes(_ other: LiftHead) -> Bool {
    let (day, otherDay) = (record.set.day, other.record.set.day)
    guard day == otherDay else { return day > otherDay }
    guard oneRepMax == other.oneRepMax else { return oneRepMax > other.oneRepMax }
    return record.id < other.record.id
  }
}

extension LiftSetRecord {
  fileprivate func isRecord(over other: LiftSetRecord) -> Bool {
    let value = set.oneRepMax(.brzycki, in: .pound) ?? 0
    let otherValue = other.set.oneRepMax(.brzycki, in: .pound) ?? 0
    if value != otherValue { return value > otherValue }
    return (set.day, id) < (other.set.day, other.id)
  }

  func point(in unit: WeightUnit) -> LiftDayRecord? {
    set.oneRepMax(.brzycki, in: unit).map { LiftDayRecord(oneRepMax: $0, record: self) }
  }
}
