public import QuiverAPI
public import QuiverRules

/// A participant whom this user may score.
public struct ScoringParticipant: Sendable, Equatable, Identifiable {
  /// The id of the participant on this device.
  public let id: LocalID
  /// The id that the server assigned; 0: the server does not know the participant yet.
  public let serverID: Int64
  /// The name to show.
  public let name: String
  /// Whether it is the user of the session.
  public let isCurrentUser: Bool
  /// Whether it is a user, a guest or an entry.
  public let kind: ParticipantKind
  /// The state of the participant.
  public let status: ParticipantStatus
  /// The state of the round of a practice session, as the server last sent it; unspecified in a
  /// tournament, and before the server knows the round.
  public let roundStatus: RoundStatus
  /// The sums of the arrows, including changes that wait.
  public let tally: ScoreTally
  /// Whether every slot is filled.
  public let isComplete: Bool
  /// The most serious mark of the participant's arrows.
  public let mark: SyncMark
}

/// One row of the leaderboard, from the data on this device.
public struct LeaderboardLine: Sendable, Equatable, Identifiable {
  /// The id of the participant on this device.
  public let id: LocalID
  /// The rank, from 1; full ties share a rank. 0: withdrawn or disqualified.
  public let rank: Int
  /// The name to show.
  public let name: String
  /// Whether it is the user of the session.
  public let isCurrentUser: Bool
  /// Whether the participant is a guest.
  public let isGuest: Bool
  /// Whether this user scores the participant, so that changes that wait are included.
  public let isScoredHere: Bool
  /// The state of the participant.
  public let status: ParticipantStatus
  /// The sums of the arrows.
  public let tally: ScoreTally
  /// The first row's total minus this one's.
  public let difference: Int
}

/// The slot of the next arrow.
public struct ScoringPosition: Sendable, Equatable {
  /// The id of the participant on this device.
  public let participant: LocalID
  /// The index of the end, from 0, through all passes.
  public let endIndex: Int
  /// The number of ends of the format.
  public let endCount: Int
  /// The index of the arrow within the end, from 0.
  public let arrowIndex: Int
  /// The number of arrows of the end.
  public let arrowCount: Int

  /// The position as an English text: "End 3 of 10, arrow 2 of 6".
  public var text: String {
    "End \(endIndex + 1) of \(endCount), arrow \(arrowIndex + 1) of \(arrowCount)"
  }
}

/// An arrow to enter into a slot.
public struct ArrowEntry: Sendable, Equatable {
  /// The value, and whether it is an X.
  public var score: ArrowScore
  /// The slot to fill.
  public var slot: ArrowSlot
  /// The id of the participant on this device.
  public var participant: LocalID
  /// The number of the arrow's shaft, 1 to 99; nil: not known.
  public var shaft: Int?

  /// An arrow with its slot, its participant and the number of its shaft.
  public init(
    _ score: ArrowScore, at slot: ArrowSlot, of participant: LocalID, shaft: Int? = nil
  ) {
    self.score = score
    self.slot = slot
    self.participant = participant
    self.shaft = shaft
  }
}
