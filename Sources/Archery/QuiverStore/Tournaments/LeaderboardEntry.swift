package import QuiverRules

/// One participant's row of a leaderboard.
package struct LeaderboardEntry: Sendable, Equatable {
  package let contender: Ranking.Contender
  package internal(set) var displayName: String

  /// What is shown to who has no part in the event; empty: the name itself.
  package let publicName: String
  package let kind: ParticipantRecord.Kind

  /// The user itself, or the user who added the participant.
  package let principal: Int64
  package let status: ParticipantStatus
  package let lastActiveAtMilliseconds: Int64

  /// Whether a part of its card is typed from a paper.
  package let isTyped: Bool

  /// The number of arrows by value, from 0; computed once and shared by all subscribers.
  package let counts: [UInt32]

  package init(_ record: ParticipantRecord) {
    contender = Ranking.Contender(
      id: record.id, standing: record.status.standing, tally: record.tally)
    displayName = record.displayName
    publicName = record.publicName
    kind = record.kind
    principal = record.principal
    status = record.status
    lastActiveAtMilliseconds = record.lastActiveAtMilliseconds
    isTyped = !record.typedPasses.isEmpty
    counts = Self.counts(record.tally)
  }

  /// A copy with the status and the tally of another time.
  init(
    _ record: ParticipantRecord, status: ParticipantStatus, tally: ScoreTally, active: Int64,
    isTyped: Bool
  ) {
    contender = Ranking.Contender(
      id: record.id, standing: status.standing, tally: tally)
    displayName = record.displayName
    publicName = record.publicName
    kind = record.kind
    principal = record.principal
    self.status = status
    lastActiveAtMilliseconds = active
    self.isTyped = isTyped
    counts = Self.counts(tally)
  }

  package var id: Int64 { contender.id }

  /// Whether a count of its card is not known.
  var isIncomplete: Bool { !contender.tally.missing.isEmpty }

  private static func counts(_ tally: ScoreTally) -> [UInt32] {
    tally.countsByValue.map { UInt32(clamping: $0) }
  }
}

/// Ordered entries with their ranks: a whole leaderboard, or a window of it.
package struct LeaderboardRows: Sendable {
  package let entries: [LeaderboardEntry]

  /// Ranks start at 1; 0 stands for not ranked.
  package let ranks: [Int]

  /// The index of the first entry in the whole leaderboard.
  package let offset: Int

  /// The total of the leaderboard's first row; 0 if there is none.
  package let firstTotal: Int

  /// The number of rows of the whole leaderboard.
  package let count: Int
}
