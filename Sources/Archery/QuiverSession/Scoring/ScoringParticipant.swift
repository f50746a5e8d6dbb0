public import QuiverAPI
public import QuiverRules

/// A participant that this user may score.
public struct ScoringParticipant: Sendable, Equatable, Identifiable {
  public let id: LocalID
  /// 0 if the server does not have it yet.
  public let serverID: Int64
  public let name: String
  public let kind: ParticipantKind
  public let status: ParticipantStatus
  /// The tally with pending changes.
  public let tally: ScoreTally
  /// Whether every slot is filled.
  public let isComplete: Bool
  /// The most severe mark of its arrows.
  public let mark: SyncMark
}

/// One row of this device's leaderboard.
public struct LeaderboardLine: Sendable, Equatable, Identifiable {
  public let id: LocalID
  /// Starts at 1; full ties share a rank; 0 for withdrawn or disqualified participants.
  public let rank: Int
  public let name: String
  public let isGuest: Bool
  /// Whether this user scores it, so that pending changes are included.
  public let isScoredHere: Bool
  public let status: ParticipantStatus
  public let tally: ScoreTally
  /// The first row's total minus this one's.
  public let difference: Int
}

/// A scorer's position.
public struct ScoringPosition: Sendable, Equatable {
  public let participant: LocalID
  /// Starts at 0 and counts through all passes.
  public let endIndex: Int
  public let endCount: Int
  /// Starts at 0 in each end.
  public let arrowIndex: Int
  /// The number of arrows of this end.
  public let arrowCount: Int

  /// "End 3 of 10, arrow 2 of 6".
  public var text: String {
    "End \(endIndex + 1) of \(endCount), arrow \(arrowIndex + 1) of \(arrowCount)"
  }
}

/// An arrow to enter in a slot.
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
