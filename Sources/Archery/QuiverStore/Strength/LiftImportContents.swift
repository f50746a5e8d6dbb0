import QuiverRules

/// A summary of each series of an import whose sets are all stored.
package struct LiftImportContents: Sendable {
  let summaries: [LiftSeriesSummary]

  /// The number of sets that become readable.
  package var setCount: Int64 { summaries.reduce(0) { $0 + $1.setCount } }
}

/// The position up to which an import was compared with the stored sets.
package struct ImportedPlace: Sendable {
  fileprivate var series = Int64.min
  fileprivate var day = Int64.min

  package static let start = ImportedPlace()
}

extension Store {
  /// Sets of an import that are stored already: those of one series, for some days from a position,
  /// and the next position.
  ///
  /// The k-th of identical sets of a day equals the k-th stored one. Sets of days that were matched
  /// before they were stored are left out. Throws `resourceExhausted` if the import has more than
  /// `limit` different sets of such a day.
  package func doubleLifts(
    of importID: Int64, principal: Int64, from place: ImportedPlace,
    after matches: LiftMatches = LiftMatches(), limit: Int = StoreLimits.liftsMatchedPerImport
  ) throws(StoreError) -> (ids: [Int64], next: ImportedPlace?) {
    // One day may have all sets of an account, and a day is never cut.
    try readers.verify { (snapshot) throws(StoreError) in
      let series = try snapshot.importedSeries(importID)
      guard let (id, exercise) = series.first(where: { $0.id >= place.series }) else {
        return ([], nil)
      }
      let following = ImportedPlace(series: id + 1)
      guard try snapshot.hasSets(exercise: exercise) else { return ([], following) }
      let (ids, day) = try snapshot.doubleLifts(
        in: id, exercise: exercise, from: id == place.series ? place.day : .min, after: matches,
        limit: limit)
      return (ids, day.map { ImportedPlace(series: id, day: $0) } ?? following)
    }
  }

  /// Summarizes an import, one series at a time.
  package func contents(ofImport importID: Int64) throws(StoreError) -> LiftImportContents {
    let series = try read { (snapshot) throws(StoreError) in
      try snapshot.importedSeries(importID)
    }
    var summaries: [LiftSeriesSummary] = []
    for (id, _) in series {
      summaries.append(
        try readers.verify { (snapshot) throws(StoreError) in
          try snapshot.countedSummary(of: id)
        })
    }
    return LiftImportContents(summaries: summaries)
  }
}

extension LiftSeriesSummary {
  /// Both summaries together, under the name of this one.
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
    """
    SELECT id, exercise_id FROM lift_series WHERE import_id = ?1 AND principal_id = ?2 ORDER BY id
    """)
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
    LIMIT 1 OFFSET \(StoreLimits.setsPerImportBatch)
    """)
  private static let importedSets = Query(
    """
    SELECT day, repetitions, weight, unit, sets, id FROM lift_set
    WHERE series_id = ?1 AND day >= ?2 AND day <= ?3 ORDER BY id
    """)
  private static let storedSets = Query(
    """
    SELECT l.day, l.repetitions, l.weight, l.unit, l.sets
    FROM lift_series s JOIN lift_set l ON l.series_id = s.id
    WHERE s.exercise_id = ?1 AND s.import_id = 0 AND l.day >= ?2 AND l.day <= ?3
    """)

  func importedSeries(_ importID: Int64) throws(StoreError) -> [(id: Int64, exercise: Int64)] {
    guard let owner = try first(Self.owner, .integer(importID), map: { row in row.int64(0) }) else {
      return []
    }
    return try all(Self.imported, .integer(importID), .integer(owner)) { row in
      (row.int64(0), row.int64(1))
    }
  }

  /// Whether the exercise has readable sets, so that sets of an import may be duplicates.
  func hasSets(exercise: Int64) throws(StoreError) -> Bool {
    try first(Self.stored, .integer(exercise), map: { _ in true }) ?? false
  }

  /// The duplicates in about one batch of an import's series, from a day on, and the next position;
  /// it includes whole days only.
  func doubleLifts(
    in series: Int64, exercise: Int64, from first: Int64, after matches: LiftMatches, limit: Int
  ) throws(StoreError) -> (ids: [Int64], next: Int64?) {
    let end = try self.first(
      Self.end, .integer(series), .integer(first), map: { row in row.int64(0) })
    // Compared here and not by a join, for which SQLite would compare each imported set with each
    // stored one: neither side has an index. A day may have all sets of an account, so that only
    // sets that the import has are counted.
    let imported: [SQLValue] = [.integer(series), .integer(first), .integer(end ?? .max)]
    var counts: [StoredLift: Int] = [:]
    try session.forEach(Self.importedSets, imported) { (row) throws(StoreError) in
      guard !matches.covers(exercise: exercise, day: row.int64(0)) else { return }
      counts[LiftKey(row, exercise: exercise).lift] = 0
      guard counts.count <= limit + StoreLimits.setsPerImportBatch else {
        throw StoreError.reached(
          .liftsMatchedPerImport,
          "an import may have \(limit) different sets of an exercise on a day that has stored ones",
          notProcessed: false)
      }
    }
    try session.forEach(
      Self.storedSets, [.integer(exercise), .integer(first), .integer(end ?? .max)]
    ) { row in
      let key = LiftKey(row, exercise: exercise)
      if let count = counts[key.lift] {
        counts[key.lift] = count + 1
      } else if let near = key.near, let count = counts[near] {
        counts[near] = count + 1
      }
    }
    var ids: [Int64] = []
    try session.forEach(Self.importedSets, imported) { row in
      guard let lift = LiftKey(row, exercise: exercise).found(in: counts), let count = counts[lift]
      else { return }
      counts[lift] = count - 1
      ids.append(row.int64(5))
    }
    return (ids, end.map { $0 + 1 })
  }

  /// The better of two records: the larger one-rep max, then the earlier day.
  func better(_ left: Int64?, _ right: Int64?) throws(StoreError) -> Int64? {
    guard let left, let right else { return left ?? right }
    let place = try first(Self.value, .integer(right)) { row in
      (value: row.double(0), day: row.int32(1), id: right)
    }
    guard let place else { return left }
    return try isRecord(place, over: left) ? right : left
  }
}
