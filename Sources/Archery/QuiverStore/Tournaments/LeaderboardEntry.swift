package import QuiverRules

/// One participant as a leaderboard shows it.
package struct LeaderboardEntry: Sendable, Equatable {
  package let contender: Ranking.Contender
  package let displayName: String
  package let kind: ParticipantRecord.Kind

  /// Of a user itself; else who added it.
  package let principal: Int64
  package let status: ParticipantStatus
  package let lastActiveAtMilliseconds: Int64

  /// Arrows by value, from 0, as rows tell them: made once, and shared by all who are told.
  package let counts: [UInt32]

  package init(_ record: ParticipantRecord) {
    contender = Ranking.Contender(
      id: record.id, standing: record.status.standing, tally: record.tally)
    displayName = record.displayName
    kind = record.kind
    principal = record.principal
    status = record.status
    lastActiveAtMilliseconds = record.lastActiveAtMilliseconds
    counts = Self.counts(record.tally)
  }

  /// The same with another status and tally, as of another time.
  init(_ record: ParticipantRecord, status: ParticipantStatus, tally: ScoreTally, active: Int64) {
    contender = Ranking.Contender(
      id: record.id, standing: status.standing, tally: tally)
    displayName = record.displayName
    kind = record.kind
    principal = record.principal
    self.status = status
    lastActiveAtMilliseconds = active
    counts = Self.counts(tally)
  }

  package var id: Int64 { contender.id }

  private static func counts(_ tally: ScoreTally) -> [UInt32] {
    tally.countsByValue.map { UInt32(clamping: $0) }
  }
}

/// Entries in their order, with their ranks: all of a leaderboard, or a window of it.
package struct LeaderboardRows: Sendable {
  package let entries: [LeaderboardEntry]

  /// From 1; 0: not ranked.
  package let ranks: [Int]

  /// The place of the first entry on the whole leaderboard, from 0.
  package let offset: Int

  /// Of the leaderboard's first row; 0 where there is none.
  package let firstTotal: Int

  /// How many rows the whole leaderboard has.
  package let count: Int
}
