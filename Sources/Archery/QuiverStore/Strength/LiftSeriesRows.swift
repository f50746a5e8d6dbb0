import QuiverRules

/// Finds the series of a set and updates its counts.
extension Transaction {
  private static let exercise = Query(
    "SELECT id FROM exercise WHERE principal_id = ?1 AND name = ?2")
  private static let exerciseCount = Query("SELECT count(*) FROM exercise WHERE principal_id = ?1")
  private static let insertExercise = Query(
    "INSERT INTO exercise (principal_id, name) VALUES (?1, ?2)", key: "id")
  private static let series = Query(
    "SELECT id FROM lift_series WHERE exercise_id = ?1 AND import_id = ?2 ORDER BY id LIMIT 1")
  private static let insertSeries = Query(
    """
    INSERT INTO lift_series (principal_id, exercise_id, import_id, set_count) VALUES (?1, ?2, ?3, 0)
    """, key: "id")
  private static let insertSet = Query(
    """
    INSERT INTO lift_set (series_id, client_id, revision, created_at_ms, updated_at_ms, day, sets,
      repetitions, weight, unit, one_rep_max_lb)
    VALUES (?1, ?2, 1, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """, key: "id")
  private static let changeSetCount = Query(
    """
    INSERT INTO lift_set_count (principal_id, sets) VALUES (?1, ?2)
    ON CONFLICT (principal_id) DO UPDATE SET sets = lift_set_count.sets + ?2
    """)

  /// The id of the exercise with this name, which is created if it is missing.
  func exerciseID(_ name: ExerciseName) throws(StoreError) -> Int64 {
    let principal = caller.principal
    let found = try snapshot.first(
      Self.exercise, .integer(principal), .text(name.text)
    ) { row in row.int64(0) }
    if let found { return found }
    let count = try snapshot.first(Self.exerciseCount, .integer(principal)) { row in row.int64(0) }
    guard count ?? 0 < StoreLimits.exercisesPerPrincipal else {
      throw StoreError.reached(
        .exercisesPerPrincipal, "an account may have \(StoreLimits.exercisesPerPrincipal) exercises"
      )
    }
    return try insert(Self.insertExercise, .integer(principal), .text(name.text))
  }

  /// The readable series of an exercise, or the one that an import hides; created if it is missing.
  func seriesID(of exercise: Int64, hiddenBy importID: Int64 = 0) throws(StoreError) -> Int64 {
    let found = try snapshot.first(
      Self.series, .integer(exercise), .integer(importID)
    ) { row in row.int64(0) }
    if let found { return found }
    return try insert(
      Self.insertSeries, .integer(caller.principal), .integer(exercise), .integer(importID))
  }

  /// Inserts a set without updating any count.
  func insertSet(
    _ set: LiftSet, in series: Int64, clientID: [UInt8] = []
  ) throws(StoreError) -> Int64 {
    try insert(
      Self.insertSet, .integer(series), clientID.isEmpty ? .null : .blob(clientID),
      .integer(nowMilliseconds), .integer(Int64(set.day)), .integer(Int64(set.sets)),
      .integer(Int64(set.repetitions)), .real(set.weight), .integer(Int64(set.unit.rawValue)),
      set.oneRepMax(.brzycki, in: .pound).map(SQLValue.real) ?? .null)
  }

  /// Adds to the count of readable sets; throws `resourceExhausted` above the limit.
  func countSets(adding added: Int64) throws(StoreError) {
    let count = try snapshot.liftSetCount(principal: caller.principal)
    guard added <= 0 || count + added <= StoreLimits.liftSetsPerPrincipal else {
      throw StoreError.reached(
        .liftSetsPerPrincipal, "an account may have \(StoreLimits.liftSetsPerPrincipal) sets")
    }
    try run(Self.changeSetCount, .integer(caller.principal), .integer(added))
  }
}

/// Updates the set count and the records that a series stores.
extension Transaction {
  private static let summary = Query(
    """
    UPDATE lift_series SET set_count = ?2, record_id = ?3, confident_record_id = ?4 WHERE id = ?1
    """)

  /// Stores the summary of a series.
  func keep(_ summary: LiftSeriesSummary) throws(StoreError) {
    try run(
      Self.summary, .integer(summary.series), .integer(summary.setCount),
      .optional(summary.recordID), .optional(summary.confidentRecordID))
  }

  /// Adds an inserted set to the summary of its series.
  func include(_ id: Int64, _ set: LiftSet, in series: Int64) throws(StoreError) {
    var summary = try snapshot.storedSummary(of: series)
    summary.setCount += 1
    if let value = set.oneRepMax(.brzycki, in: .pound) {
      let place = (value, set.day, id)
      if try snapshot.isRecord(place, over: summary.recordID) { summary.recordID = id }
      if !set.isLowConfidence, try snapshot.isRecord(place, over: summary.confidentRecordID) {
        summary.confidentRecordID = id
      }
    }
    try keep(summary)
  }

  /// Removes a deleted set from the summary of its series; finds the next record if this set was
  /// the record.
  func exclude(_ id: Int64, from series: Int64) throws(StoreError) {
    var summary = try snapshot.storedSummary(of: series)
    summary.setCount -= 1
    if summary.recordID == id {
      summary.recordID = try snapshot.recordID(of: series, isConfident: false)
    }
    if summary.confidentRecordID == id {
      summary.confidentRecordID = try snapshot.recordID(of: series, isConfident: true)
    }
    try keep(summary)
  }
}

extension Transaction {
  private static let forgetSeries = Query(
    "DELETE FROM lift_series WHERE id = ?1 AND set_count = 0 AND import_id = 0")
  private static let forgetExercise = Query(
    """
    DELETE FROM exercise WHERE id = ?1
      AND NOT EXISTS (SELECT 1 FROM lift_series s WHERE s.exercise_id = ?1)
    """)
  private static let exerciseOfSeries = Query("SELECT exercise_id FROM lift_series WHERE id = ?1")

  /// Deletes a series without sets, and its exercise if it has no other series.
  func forgetIfEmpty(_ series: Int64) throws(StoreError) {
    guard try snapshot.storedSummary(of: series).setCount == 0 else { return }
    let exercise = try snapshot.first(Self.exerciseOfSeries, .integer(series)) { row in
      row.int64(0)
    }
    guard let exercise else { return }
    try run(Self.forgetSeries, .integer(series))
    try run(Self.forgetExercise, .integer(exercise))
  }
}

/// The summary of a series.
struct LiftSeriesSummary: Sendable, Equatable {
  let series: Int64
  var setCount: Int64
  /// The set with the largest one-rep max; of equal ones the earliest day, then the first set.
  var recordID: Int64?
  /// The same among sets that do not have low confidence.
  var confidentRecordID: Int64?
}

extension Snapshot {
  private static let storedSummary = Query(
    "SELECT set_count, record_id, confident_record_id FROM lift_series WHERE id = ?1")
  private static let value = Query("SELECT one_rep_max_lb, day FROM lift_set WHERE id = ?1")
  private static let confidentRecord = Query(recordText("<="))
  private static let otherRecord = Query(recordText(">"))
  private static let size = Query("SELECT count(*) FROM lift_set WHERE series_id = ?1")
  private static let setCount = Query("SELECT sets FROM lift_set_count WHERE principal_id = ?1")

  /// Reads the first entry of an index of sets with or without enough confidence.
  private static func recordText(_ comparison: String) -> String {
    """
    SELECT one_rep_max_lb, day, id FROM lift_set
    WHERE series_id = ?1 AND one_rep_max_lb IS NOT NULL
      AND repetitions \(comparison) \(OneRepMaxFormula.confidentRepetitions)
    ORDER BY one_rep_max_lb DESC, day, id LIMIT 1
    """
  }

  func liftSetCount(principal: Int64) throws(StoreError) -> Int64 {
    try first(Self.setCount, .integer(principal)) { row in row.int64(0) } ?? 0
  }

  func storedSummary(of series: Int64) throws(StoreError) -> LiftSeriesSummary {
    let found = try first(Self.storedSummary, .integer(series)) { row in
      LiftSeriesSummary(
        series: series, setCount: row.int64(0), recordID: row.optionalInt64(1),
        confidentRecordID: row.optionalInt64(2))
    }
    return found ?? LiftSeriesSummary(series: series, setCount: 0)
  }

  /// The summary computed from the sets of a series.
  func countedSummary(of series: Int64) throws(StoreError) -> LiftSeriesSummary {
    LiftSeriesSummary(
      series: series,
      setCount: try first(Self.size, .integer(series)) { row in row.int64(0) } ?? 0,
      recordID: try recordID(of: series, isConfident: false),
      confidentRecordID: try recordID(of: series, isConfident: true))
  }

  /// The set with the largest one-rep max, the earliest of equal ones, by one or two seeks.
  func recordID(of series: Int64, isConfident: Bool) throws(StoreError) -> Int64? {
    let confident = try first(Self.confidentRecord, .integer(series)) { row in row.int64(2) }
    if isConfident { return confident }
    let other = try first(Self.otherRecord, .integer(series)) { row in
      (value: row.double(0), day: row.int32(1), id: row.int64(2))
    }
    guard let other else { return confident }
    return try isRecord(other, over: confident) ? other.id : confident
  }

  /// Whether a one-rep max precedes that of a set: larger, or equal and on an earlier day.
  func isRecord(
    _ place: (value: Double, day: Int32, id: Int64), over id: Int64?
  ) throws(StoreError) -> Bool {
    guard let id else { return true }
    let other = try first(Self.value, .integer(id)) { row in
      (value: row.double(0), day: row.int32(1))
    }
    guard let other else { return true }
    if place.value != other.value { return place.value > other.value }
    return (place.day, place.id) < (other.day, id)
  }
}
