package import QuiverRules

/// A stored set of a strength log.
package struct LiftSetRecord: Sendable, Equatable {
  package let id: Int64

  /// The id that its client chose; empty if it chose none.
  package let clientID: [UInt8]

  /// Starts at 1; each change adds 1.
  package let revision: UInt64

  package let createdAtMilliseconds: Int64
  package let updatedAtMilliseconds: Int64
  package let set: LiftSet
}

/// An exercise that has sets.
package struct ExerciseRecord: Sendable, Equatable {
  package let id: Int64
  package let name: ExerciseName
  package let setCount: Int64
}

/// A daily maximum with its set.
package struct LiftDayRecord: Sendable, Equatable {
  /// In the display unit, by Brzycki's formula.
  package let oneRepMax: Double
  package let record: LiftSetRecord
}
