package import QuiverRules

/// The log of one day.
package struct TrainingDayRecord: Sendable, Equatable {
  package let day: Int32
  package internal(set) var weightEntryCount = 0
  /// In thousandths of the display unit; nil without entries.
  package internal(set) var meanWeight: Double?
  /// By the bytes of their names.
  package internal(set) var exercises: [Exercise] = []
  /// By their first arrows.
  package internal(set) var rounds: [ShotRoundRecord] = []

  /// An exercise on one day.
  package struct Exercise: Sendable, Equatable {
    package let name: ExerciseName
    package internal(set) var setCount = 0
    /// Nil if no set has a one-rep max.
    package internal(set) var best: LiftDayRecord?
  }

  init(day: Int32) { self.day = day }
}

extension Snapshot {
  private static let readable = Query(
    """
    SELECT exercise_id, id FROM lift_series WHERE principal_id = ?1 AND import_id = 0
    ORDER BY exercise_id, id
    """)
  private static let ofDays = Query(
    """
    SELECT l.id, l.client_id, l.revision, l.created_at_ms, l.updated_at_ms, l.day, l.sets,
      l.repetitions, l.weight, l.unit, e.name
    FROM lift_set l JOIN lift_series s ON s.id = l.series_id JOIN exercise e ON e.id = s.exercise_id
    WHERE l.series_id = ?1 AND l.day BETWEEN ?2 AND ?3 ORDER BY l.day, l.id
    """)

  /// The readable series, by exercise.
  func readableSeries(
    principal: Int64
  ) throws(StoreError) -> [(exercise: Int64, series: [Int64])] {
    var found: [(exercise: Int64, series: [Int64])] = []
    for (exercise, series) in try all(
      Self.readable, .integer(principal), map: { row in (row.int64(0), row.int64(1)) })
    {
      if found.last?.exercise == exercise {
        found[found.count - 1].series.append(series)
      } else {
        found.append((exercise, [series]))
      }
    }
    return found
  }

  /// The days of a range that have entries or rounds, newest first; `dayOfInstant` converts the
  /// time of a round's first arrow to a day. Without `showsWeight` the days are those of somebody
  /// who has no weight entries.
  package func trainingDays(
    _ days: ClosedRange<Int32>, in unit: WeightUnit, principal: Int64, showsWeight: Bool = true,
    dayOfInstant: (Int64) -> Int32
  ) throws(StoreError) -> [TrainingDayRecord] {
    var found: [Int32: TrainingDayRecord] = [:]
    for round in try shotRounds(days, principal: principal) {
      let day = dayOfInstant(round.firstShotAtMilliseconds)
      guard days.contains(day) else { continue }
      found[day, default: TrainingDayRecord(day: day)].rounds.append(round)
    }
    let entries = showsWeight ? try weighIns(ofDays: days, principal: principal) : []
    for entry in entries {
      found[entry.day, default: TrainingDayRecord(day: entry.day)].weightEntryCount += 1
    }
    for mean in DailyMean.all(of: entries, in: unit) {
      found[mean.day]?.meanWeight = mean.thousandths
    }
    for (_, series) in try readableSeries(principal: principal) {
      var ofExercise: [Int32: TrainingDayRecord.Exercise] = [:]
      for one in series {
        // A day may have all sets of an account, of which the best is kept.
        try session.forEach(
          Self.ofDays,
          [.integer(one), .integer(Int64(days.lowerBound)), .integer(Int64(days.upperBound))]
        ) { (row) throws(StoreError) in
          let record = try LiftSetRecord(row: row)
          let empty = TrainingDayRecord.Exercise(name: record.set.exercise)
          ofExercise[record.set.day, default: empty].include(record, in: unit)
        }
      }
      for (day, exercise) in ofExercise {
        found[day, default: TrainingDayRecord(day: day)].exercises.append(exercise)
      }
    }
    return found.values.sorted { $0.day > $1.day }.map { day in
      var day = day
      day.exercises.sort { $0.name < $1.name }
      return day
    }
  }
}

extension TrainingDayRecord.Exercise {
  fileprivate mutating func include(_ record: LiftSetRecord, in unit: WeightUnit) {
    setCount += 1
    guard let point = record.point(in: unit) else { return }
    if let best {
      guard
        point.oneRepMax > best.oneRepMax
          || (point.oneRepMax == best.oneRepMax && record.id < best.record.id)
      else { return }
    }
    best = point
  }
}
