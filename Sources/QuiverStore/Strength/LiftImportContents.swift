import QuiverRules

/// What an import holds when all of it is stored: a summary of each of its series.
package struct LiftImportContents: Sendable {
  let summaries: [LiftSeriesSummary]

  /// Sets that will be there to be read.
  package var setCount: Int64 { summaries.reduce(0) { $0 + $1.setCount } }
}

extension Store {
  /// The sets of an import that are stored already, one series and some days at a time: `body`
  /// takes at most `StoreLimits.setsPerImportGroup` of their ids.
  ///
  /// The k-th identical set of a day is the k-th that is stored.
  package func doubleLifts(
    of importID: Int64, principal: Int64,
    _ body: ([Int64]) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    let series = try read { (snapshot) throws(StoreError) in
      try snapshot.importedSeries(importID)
    }
    for (id, exercise) in series {
      let hasSets = try read { (snapshot) throws(StoreError) in
        try snapshot.hasSets(exercise: exercise)
      }
      guard hasSets else { continue }
      var first = Int64.min
      while true {
        let (ids, next) = try read { (snapshot) throws(StoreError) in
          try snapshot.doubleLifts(in: id, exercise: exercise, from: first)
        }
        var rest = ids[...]
        while !rest.isEmpty {
          try await body(Array(rest.prefix(StoreLimits.setsPerImportGroup)))
          rest = rest.dropFirst(StoreLimits.setsPerImportGroup)
        }
        guard let next else { break }
        first = next
      }
    }
  }

  /// Counts what an import holds, a series at a time.
  package func contents(ofImport importID: Int64) throws(StoreError) -> LiftImportContents {
    let series = try read { (snapshot) throws(StoreError) in
      try snapshot.importedSeries(importID)
    }
    var summaries: [LiftSeriesSummary] = []
    for (id, _) in series {
      summaries.append(
        try read { (snapshot) throws(StoreError) in try snapshot.countedSummary(of: id) })
    }
    return LiftImportContents(summaries: summaries)
  }
}

extension LiftSeriesSummary {
  /// Both together, under the name of this one.
  func joined(
    with other: LiftSeriesSummary, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> LiftSeriesSummary {
    var joined = self
    joined.setCount += other.setCount
    joined.recordID = try snapshot.better(recordID, other.recordID)
    joined.confidentRecordID = try snapshot.better(confidentRecordID, other.confidentRecordID)
    return joined
  }
}

extension Snapshot {
  private static let imported = Query(
    "SELECT id, exercise_id FROM lift_series WHERE import_id = ?1 AND principal_id = ?2")
  private static let stored = Query(
    """
    SELECT 1 FROM lift_series s WHERE s.exercise_id = ?1 AND s.import_id = 0
      AND EXISTS (SELECT 1 FROM lift_set l WHERE l.series_id = s.id) LIMIT 1
    """)
  private static let owner = Query("SELECT principal_id FROM lift_import WHERE id = ?1")
  private static let value = Query("SELECT one_rep_max_lb, day FROM lift_set WHERE id = ?1")
  private static let end = Query(
    """
    SELECT day FROM lift_set WHERE series_id = ?1 AND day >= ?2 ORDER BY day
    LIMIT 1 OFFSET \(StoreLimits.setsPerImportGroup)
    """)
  private static let doubles = Query(
    """
    WITH imported AS (
      SELECT id, day, repetitions, weight, unit, sets, row_number() OVER (
        PARTITION BY day, repetitions, weight, unit, sets ORDER BY id) AS ordinal
      FROM lift_set WHERE series_id = ?1 AND day >= ?3 AND day <= ?4
    ), stored AS (
      SELECT day, repetitions, weight, unit, sets, count(*) AS copies
      FROM lift_set WHERE series_id IN (
        SELECT id FROM lift_series WHERE exercise_id = ?2 AND import_id = 0)
        AND day >= ?3 AND day <= ?4
      GROUP BY day, repetitions, weight, unit, sets
    )
    SELECT i.id FROM imported i JOIN stored s ON s.day = i.day AND s.repetitions = i.repetitions
      AND s.weight = i.weight AND s.unit = i.unit AND s.sets = i.sets
    WHERE i.ordinal <= s.copies
    """)

  func importedSeries(_ importID: Int64) throws(StoreError) -> [(id: Int64, exercise: Int64)] {
    guard let owner = try first(Self.owner, .integer(importID), map: { row in row.int64(0) }) else {
      return []
    }
    return try all(Self.imported, .integer(importID), .integer(owner)) { row in
      (row.int64(0), row.int64(1))
    }
  }

  /// Whether sets of the exercise can be read, so that some of an import may be double.
  func hasSets(exercise: Int64) throws(StoreError) -> Bool {
    try first(Self.stored, .integer(exercise), map: { _ in true }) ?? false
  }

  /// What is double in about a group of an import's series, from a day on, and where the next one
  /// begins; a day is never cut.
  func doubleLifts(
    in series: Int64, exercise: Int64, from first: Int64
  ) throws(StoreError) -> (ids: [Int64], next: Int64?) {
    let end = try self.first(
      Self.end, .integer(series), .integer(first), map: { row in row.int64(0) })
    let ids = try all(
      Self.doubles, .integer(series), .integer(exercise), .integer(first), .integer(end ?? .max),
      map: { row in row.int64(0) })
    return (ids, end.map { $0 + 1 })
  }

  /// The better of two records: larger, or as large and earlier.
  func better(_ left: Int64?, _ right: Int64?) throws(StoreError) -> Int64? {
    guard let left, let right else { return left ?? right }
    let place = try first(Self.value, .integer(right)) { row in
      (value: row.double(0), day: row.int32(1), id: right)
    }
    guard let place else { return left }
    return try isRecord(place, over: left) ? right : left
  }
}
