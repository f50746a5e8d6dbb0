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

  /// The number of days and different sets that are remembered.
  var rememberedCount: Int { days.count + counts.count }

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
      guard isComplete, rememberedCount < limit, try read(day, snapshot) else {
        isComplete = false
        return false
      }
    }
    guard let lift = LiftKey(set, exercise: exercise).found(in: counts), let count = counts[lift]
    else { return false }
    counts[lift] = count > 1 ? count - 1 : nil
    return true
  }

  /// Counts what is stored of a day; false if that is more than may be remembered, and is not.
  private mutating func read(
    _ day: ComparedDay, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> Bool {
    let room = limit - rememberedCount - 1
    var found: [StoredLift: Int] = [:]
    try snapshot.session.walk(
      Self.stored, [.integer(day.exercise), .integer(day.day)]
    ) { row in
      found[LiftKey(row, exercise: day.exercise).lift, default: 0] += 1
      return found.count <= room
    }
    guard found.count <= room else { return false }
    days.insert(day)
    counts.merge(found) { $1 }
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

/// The key by which two sets are identical. Weights are compared in pounds, to about a billionth,
/// so that a weight equals its value in an export in the other unit.
struct StoredLift: Hashable {
  let exercise: Int64
  let day: Int64
  let repetitions: Int64
  let sets: Int64
  /// The 30 leading bits of the weight's fraction, with its exponent.
  var weightStep: UInt64
}

/// A set as it is compared with others.
struct LiftKey {
  let lift: StoredLift
  /// The same with the step beside the weight's, if the weight lies at the border of both: what a
  /// conversion has rounded may be on either side.
  let near: StoredLift?

  private static let droppedBits: UInt64 = 22
  /// In units of the last place; a conversion there and back errs by a few.
  private static let border: UInt64 = 4_096

  /// Reads the day, the repetitions, the weight, the unit and the sets: the first five columns.
  init(_ row: Row, exercise: Int64) {
    let unit = WeightUnit(rawValue: row.int32(3)) ?? .pound
    self.init(
      exercise: exercise, day: row.int64(0), repetitions: row.int64(1), sets: row.int64(4),
      pounds: unit.converted(row.double(2), to: .pound))
  }

  init(_ set: LiftSet, exercise: Int64) {
    self.init(
      exercise: exercise, day: Int64(set.day), repetitions: Int64(set.repetitions),
      sets: Int64(set.sets), pounds: set.unit.converted(set.weight, to: .pound))
  }

  private init(exercise: Int64, day: Int64, repetitions: Int64, sets: Int64, pounds: Double) {
    // Of doubles above zero the bits have the order of the values.
    let bits = max(0, pounds).bitPattern &+ 1 << (Self.droppedBits - 1)
    let step = bits >> Self.droppedBits
    lift = StoredLift(
      exercise: exercise, day: day, repetitions: repetitions, sets: sets, weightStep: step)
    let above = (bits &+ Self.border) >> Self.droppedBits
    let other = above == step ? (bits - Self.border) >> Self.droppedBits : above
    var near = lift
    near.weightStep = other
    self.near = other == step ? nil : near
  }

  /// The key of the counts that this set equals; nil if there is none above zero.
  func found(in counts: [StoredLift: Int]) -> StoredLift? {
    if let count = counts[lift], count > 0 { return lift }
    if let near, let count = counts[near], count > 0 { return near }
    return nil
  }
}
