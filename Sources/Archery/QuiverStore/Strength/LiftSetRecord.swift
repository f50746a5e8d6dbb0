package import QuiverRules

/// One line of a strength log as it is stored.
package struct LiftSetRecord: Sendable, Equatable {
  package let id: Int64

  /// The id that its client made; empty where it made none.
  package let clientID: [UInt8]

  /// From 1; each change of it is one more.
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

/// A daily maximum with the set that it is of.
package struct LiftDayRecord: Sendable, Equatable {
  /// In the shown unit, by Brzycki.
  package let oneRepMax: Double
  package let record: LiftSetRecord
}
