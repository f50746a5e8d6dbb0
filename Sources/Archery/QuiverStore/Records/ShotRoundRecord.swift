package import QuiverRules

/// An archer's own round as a training log shows it.
package struct ShotRoundRecord: Sendable, Equatable {
  package let sessionID: Int64
  package let participantID: Int64
  package let isTournament: Bool
  package let formatName: String
  package let formatArrowCount: Int

  /// The earliest time of an arrow, as clients told.
  package let firstShotAtMilliseconds: Int64
  package let tally: ScoreTally
}
