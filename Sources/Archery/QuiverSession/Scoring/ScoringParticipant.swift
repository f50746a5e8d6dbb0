public import QuiverAPI
public import QuiverRules

/// One whom this user may score.
public struct ScoringParticipant: Sendable, Equatable, Identifiable {
  public let id: LocalID
  /// 0: the server does not know it yet.
  public let serverID: Int64
  public let name: String
  public let kind: ParticipantKind
  public let status: ParticipantStatus
  /// What stands and what waits, added up.
  public let tally: ScoreTally
  /// Whether every slot is filled.
  public let isComplete: Bool
  /// The gravest of its arrows' marks.
  public let mark: SyncMark
}

/// One row of the leaderboard as this device knows it.
public struct LeaderboardLine: Sendable, Equatable, Identifiable {
  public let id: LocalID
  /// From 1; full ties share one; 0: withdrawn or disqualified.
  public let rank: Int
  public let name: String
  public let isGuest: Bool
  /// Whether this user scores it, so that what waits here is counted.
  public let isScoredHere: Bool
  public let status: ParticipantStatus
  public let tally: ScoreTally
  /// The first row's total minus this one's.
  public let difference: Int
}

/// Where a scorer is.
public struct ScoringPosition: Sendable, Equatable {
  public let participant: LocalID
  /// From 0, through all passes.
  public let endIndex: Int
  public let endCount: Int
  /// From 0, within the end.
  public let arrowIndex: Int
  /// Of this end.
  public let arrowCount: Int

  /// "End 3 of 10, arrow 2 of 6".
  public var text: String {
    "End \(endIndex + 1) of \(endCount), arrow \(arrowIndex + 1) of \(arrowCount)"
  }
}

/// An arrow that goes into a slot.
public struct ArrowEntry: Sendable, Equatable {
  public var score: ArrowScore
  public var slot: ArrowSlot
  public var participant: LocalID

  public init(_ score: ArrowScore, at slot: ArrowSlot, of participant: LocalID) {
    self.score = score
    self.slot = slot
    self.participant = participant
  }
}
