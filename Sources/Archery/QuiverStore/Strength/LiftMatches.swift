package import QuiverRules

/// Matches the lines of an import with the sets that are stored, before anything is written.
///
/// The k-th of identical sets of a day equals the k-th stored one. What was stored of an exercise
/// on a day is read when the import has its first line of them. At most
/// `StoreLimits.liftsMatchedPerImport` days and different sets are remembered; lines of further
/// days are stored like new ones, and compared when the import ends.
package struct LiftMatches: Sendable {
  private let limit: Int
  private var exercises: [ExerciseName: Int64] = [:]
  private var days: Set<ComparedDay> = []
  /// How many stored sets were not matched yet; none: all were.
  private var counts: [StoredLift: Int] = [:]
  /// Whether every line was compared, so that none needs to be compared when the import ends.
  package private(set) var isComplete = true

  private static let exercise = Query(
    "SELECT id FROM exercise WHERE principal_id = ?1 AND name = ?2")
  private static let stored = Query(
    """
    SELECT l.day, l.repetitions, l.weight, l.unit, l.sets
    FROM lift_series s JOIN lift_set l ON l.series_id = s.id
    WHERE s.exercise_id = ?1 AND s.import_id = 0 AND l.day = ?2
    """)

  package init(limit: Int = StoreLimits.liftsMatchedPerImport) { self.limit = limit }

  /// Removes the sets from an index on that are stored.
  package mutating func removeStored(
    from sets: inout [LiftSet], after first: Int, principal: Int64, in store: Store
  ) throws(StoreError) {
    var kept = first
    var next = first
    while next < sets.count {
      let end = min(next + StoreLimits.setsPerImportBatch, sets.count)
      try store.readers.verify { (snapshot) throws(StoreError) in
        for index in next..<end where try !take(sets[index], principal, snapshot) {
          sets[kept] = sets[index]
          kept += 1
        }
      }
      next = end
      Processor.yield()
    }
    sets.removeSubrange(kept...)
  }

  /// Whether the sets of an exercise on a day were compared.
  func covers(exercise: Int64, day: Int64) -> Bool {
    days.contains(ComparedDay(exercise: exercise, day: day))
  }

  /// Whether a set is stored; it is matched then.
  private mutating func take(
    _ set: LiftSet, _ principal: Int64, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> Bool {
    guard let exercise = try exerciseID(set.exercise, principal, snapshot) else { return false }
    let day = ComparedDay(exercise: exercise, day: Int64(set.day))
    if !days.contains(day) {
      // A day whose first lines were not compared is not compared later either.
      guard isComplete, days.count + counts.count < limit else {
        isComplete = false
        return false
      }
      days.insert(day)
      try snapshot.session.forEach(
        Self.stored, [.integer(exercise), .integer(day.day)]
      ) { row in counts[StoredLift(row, exercise: exercise), default: 0] += 1 }
    }
    let lift = StoredLift(set, exercise: exercise)
    guard let count = counts[lift] else { return false }
    counts[lift] = count > 1 ? count - 1 : nil
    return true
  }

  /// The id of an exercise; nil if it has none. An exercise that gets its id while the import runs
  /// gets it from a command after the import's lines.
  private mutating func exerciseID(
    _ name: ExerciseName, _ principal: Int64, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> Int64? {
    if let known = exercises[name] { return known == 0 ? nil : known }
    let id =
      try snapshot.first(Self.exercise, .integer(principal), .text(name.text)) { row in
        row.int64(0)
      } ?? 0
    exercises[name] = id
    return id == 0 ? nil : id
  }
}

/// An exercise on a day.
private struct ComparedDay: Hashable {
  let exercise: Int64
  let day: Int64
}

/// What makes two sets identical.
struct StoredLift: Hashable {
  let exercise: Int64
  let day: Int64
  let repetitions: Int64
  let weight: Double
  let unit: Int64
  let sets: Int64

  /// Reads the day, the repetitions, the weight, the unit and the sets: the first five columns.
  init(_ row: Row, exercise: Int64) {
    self.exercise = exercise
    day = row.int64(0)
    repetitions = row.int64(1)
    weight = row.double(2)
    unit = row.int64(3)
    sets = row.int64(4)
  }

  init(_ set: LiftSet, exercise: Int64) {
    self.exercise = exercise
    day = Int64(set.day)
    repetitions = Int64(set.repetitions)
    weight = set.weight
    unit = Int64(set.unit.rawValue)
    sets = Int64(set.sets)
  }
}
