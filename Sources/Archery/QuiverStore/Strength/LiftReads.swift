import QuiverRules

/// Reads one principal's sets and exercises in readable series. Sets of other principals and of
/// unfinished imports are not found.
extension Snapshot {
  private static let columns = """
    SELECT l.id, l.client_id, l.revision, l.created_at_ms, l.updated_at_ms, l.day, l.sets,
      l.repetitions, l.weight, l.unit, e.name
    FROM lift_set l JOIN lift_series s ON s.id = l.series_id JOIN exercise e ON e.id = s.exercise_id
    """
  private static let byID = Query(
    "\(columns) WHERE l.id = ?1 AND s.principal_id = ?2 AND s.import_id = 0")
  private static let newest = Query(
    """
    \(columns) WHERE l.series_id = ?1 AND l.day <= ?2 AND (l.day < ?2 OR l.id < ?3)
    ORDER BY l.day DESC, l.id DESC LIMIT ?4
    """)
  private static let oldest = Query(
    """
    \(columns) WHERE l.series_id = ?1 AND l.day >= ?2 AND (l.day > ?2 OR l.id > ?3)
    ORDER BY l.day, l.id LIMIT ?4
    """)
  private static let seriesOfExercise = Query(
    "SELECT id FROM lift_series WHERE exercise_id = ?1 AND import_id = 0 ORDER BY id")
  private static let exerciseByName = Query(
    "SELECT id FROM exercise WHERE principal_id = ?1 AND name = ?2")
  private static let exercises = Query(
    """
    SELECT e.id, e.name, (
      SELECT coalesce(sum(set_count), 0) FROM lift_series s
      WHERE s.exercise_id = e.id AND s.import_id = 0) AS sets
    FROM exercise e WHERE e.principal_id = ?1 AND e.name > ?2 AND sets > 0
    ORDER BY e.name LIMIT ?3
    """,
    postgreSQL: """
      SELECT id, name, sets FROM (
        SELECT e.id, e.name, (
          SELECT coalesce(sum(set_count), 0) FROM lift_series s
          WHERE s.exercise_id = e.id AND s.import_id = 0) AS sets
        FROM exercise e WHERE e.principal_id = ?1 AND e.name > ?2) AS counted
      WHERE sets > 0 ORDER BY name LIMIT ?3
      """)

  /// One set; throws `notFound`.
  package func liftSet(
    _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> LiftSetRecord {
    let id = try objectID(reference, kind: .liftSet, principal: principal)
    guard let id, let set = try liftSet(id: id, principal: principal) else {
      throw StoreError(.notFound, "there is no such set")
    }
    return set
  }

  /// The same by id; nil if the principal has no such set.
  package func liftSet(id: Int64, principal: Int64) throws(StoreError) -> LiftSetRecord? {
    try first(Self.byID, .integer(id), .integer(principal), map: LiftSetRecord.init(row:))
  }

  /// The id of an exercise that has sets; throws `notFound`.
  func exercise(_ name: String, principal: Int64) throws(StoreError) -> (id: Int64, series: [Int64])
  {
    if let name = ExerciseName(name),
      let id = try first(
        Self.exerciseByName, .integer(principal), .text(name.text), map: { row in row.int64(0) })
    {
      let series = try all(Self.seriesOfExercise, .integer(id)) { row in row.int64(0) }
      if !series.isEmpty { return (id, series) }
    }
    throw StoreError(.notFound, "there are no sets of such an exercise", field: "exercise")
  }

  /// A page of the sets of one exercise, newest first: by day, then by id.
  package func liftSets(
    of name: String, principal: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<LiftSetRecord> {
    let (id, series) = try exercise(name, principal: principal)
    let token = PageToken(scope: [.text("lift_sets"), .integer(principal), .integer(id)])
    let place = try LiftPlace(
      token.textPlace(in: pageToken, key: pageTokenKey), otherwise: .max)
    let size = StoreLimits.pageSize(pageSize)
    var rows: [LiftSetRecord] = []
    for one in series {
      rows += try all(
        Self.newest, .integer(one), .integer(place.day), .integer(place.id), .integer(size + 1),
        map: LiftSetRecord.init(row:))
    }
    rows.sort { ($0.set.day, $0.id) > ($1.set.day, $1.id) }
    return token.page(
      Array(rows.prefix(Int(clamping: size + 1))), size: size, key: pageTokenKey
    ) { LiftPlace.bytes($0) }
  }

  /// Sets of one series after a position, oldest first.
  func liftSets(
    ofSeries series: Int64, afterDay day: Int64, id: Int64, limit: Int64
  ) throws(StoreError) -> [LiftSetRecord] {
    try all(
      Self.oldest, .integer(series), .integer(day), .integer(id), .integer(limit),
      map: LiftSetRecord.init(row:))
  }

  /// A page of all sets, exercise by exercise in the order of their ids, each oldest first.
  package func liftSetsForExport(
    principal: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<LiftSetRecord> {
    let token = PageToken(scope: [.text("lift_export"), .integer(principal)])
    let place = try LiftPlace(
      token.textPlace(in: pageToken, key: pageTokenKey), otherwise: .min)
    let size = StoreLimits.pageSize(pageSize)
    var rows: [(exercise: Int64, record: LiftSetRecord)] = []
    for (exercise, series) in try readableSeries(principal: principal)
    where exercise >= place.exercise {
      let day = exercise == place.exercise ? place.day : .min
      let id = exercise == place.exercise ? place.id : .min
      var found: [LiftSetRecord] = []
      for one in series {
        found += try liftSets(
          ofSeries: one, afterDay: day, id: id, limit: size + 1 - Int64(rows.count))
      }
      found.sort { ($0.set.day, $0.id) < ($1.set.day, $1.id) }
      rows += found.map { (exercise, $0) }
      if rows.count > size { break }
    }
    let page = token.page(
      Array(rows.prefix(Int(clamping: size + 1))).map { LiftExportRow(exercise: $0, record: $1) },
      size: size, key: pageTokenKey
    ) { LiftPlace.bytes($0.record, exercise: $0.exercise) }
    return Page(items: page.items.map(\.record), nextPageToken: page.nextPageToken)
  }

  /// A page of the exercises that have sets, by the bytes of their names.
  package func exercises(
    principal: Int64, scope: String, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<ExerciseRecord> {
    let token = PageToken(scope: [.text("exercises"), .integer(principal), .text(scope)])
    let after = try token.textPlace(in: pageToken, key: pageTokenKey)?.text ?? ""
    let size = StoreLimits.pageSize(pageSize)
    let rows = try all(
      Self.exercises, .integer(principal), .text(after), .integer(size + 1)
    ) { (row) throws(StoreError) in
      guard let name = ExerciseName(row.text(1)) else {
        throw StoreError(.dataLoss, "an exercise has no name")
      }
      return ExerciseRecord(id: row.int64(0), name: name, setCount: row.int64(2))
    }
    return token.page(rows, size: size, key: pageTokenKey) {
      PageToken.place($0.name.text, id: $0.id)
    }
  }
}

private struct LiftExportRow: Sendable {
  let exercise: Int64
  let record: LiftSetRecord
}

/// The position after which a list of sets continues.
struct LiftPlace {
  let exercise: Int64
  let day: Int64
  let id: Int64

  /// The position in a token; without a token, the start of the list.
  init(
    _ place: (text: String, id: Int64)?, otherwise end: Int64
  ) throws(StoreError) {
    guard let place else {
      (exercise, day, id) = (end, end, end)
      return
    }
    let numbers = place.text.split(separator: ":").compactMap { Int64($0) }
    guard numbers.count == 2 else {
      throw .invalid("page_token", "belongs to another list; begin again without it")
    }
    (exercise, day, id) = (numbers[0], numbers[1], place.id)
  }

  static func bytes(_ record: LiftSetRecord, exercise: Int64 = 0) -> [UInt8] {
    PageToken.place("\(exercise):\(record.set.day)", id: record.id)
  }
}

extension LiftSetRecord {
  init(row: Row) throws(StoreError) {
    try self.init(row: row, exercise: ExerciseName(row.text(10)))
  }

  /// The set of a row whose exercise is known.
  init(row: Row, exercise: ExerciseName?) throws(StoreError) {
    guard let unit = WeightUnit(rawValue: row.int32(9)), let name = exercise
    else { throw StoreError(.dataLoss, "a set has an unknown unit or no exercise") }
    self.init(
      id: row.int64(0), clientID: row.bytes(1), revision: row.uint64(2),
      createdAtMilliseconds: row.int64(3), updatedAtMilliseconds: row.int64(4),
      set: LiftSet(
        day: row.int32(5), exercise: name, sets: row.int32(6), repetitions: row.int32(7),
        weight: row.double(8), unit: unit))
  }
}
