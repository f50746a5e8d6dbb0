package import QuiverRules

/// Rounds that are shot together.
package struct SessionRecord: Sendable, Equatable {
  package let id: Int64
  package let clientID: [UInt8]
  package let isTournament: Bool
  package let notes: String
  package let conditions: ShootingConditions
  package let createdAtMilliseconds: Int64
  package let format: RoundFormatRecord

  /// In a tournament, the rounds of the caller and its guests.
  package let rounds: [RoundRecord]
}

/// A participant's round of the session's format.
package struct RoundRecord: Sendable, Equatable {
  package let id: Int64
  package internal(set) var participant: ParticipantRecord
  package let status: RoundStatus
  package let setupID: Int64
  package let setupVersion: Int64

  /// Nil: it is not known, or the round is a guest's.
  package let bow: BowDivision?
  package let revision: UInt64
  package let startedAtMilliseconds: Int64?
  package let completedAtMilliseconds: Int64?
  /// What a round without arrows was shot in; nil: not known.
  package let shootStatus: ShootStatus?
}

/// The status of a round; the raw values are those of `quiver.v1.RoundStatus` and are stored.
package enum RoundStatus: Int32, Sendable, CaseIterable {
  case planned = 1
  case inProgress = 2
  case paused = 3
  case completed = 4
  case cancelled = 5
}

/// A participant of a session.
package struct ParticipantRecord: Sendable, Equatable {
  package let id: Int64
  package let sessionID: Int64
  package let clientID: [UInt8]
  package let kind: Kind

  /// The user itself, or the user who added the participant.
  package let principal: Int64

  /// The scorer that the organiser assigned; 0 if none.
  package let scorer: Int64
  package let status: ParticipantStatus
  package internal(set) var displayName: String
  package let joinedAtMilliseconds: Int64
  package internal(set) var lastActiveAtMilliseconds: Int64
  package internal(set) var tally: ScoreTally

  /// The first end with an open slot.
  package internal(set) var nextEnd: Int

  /// The passes whose sums are typed from a paper: their arrows do not count.
  package var typedPasses: PassSet = []

  /// What is shown to who has no part in the event; empty: the name itself.
  package var publicName = ""

  /// The raw values are those of `quiver.v1.ParticipantKind`, and stored.
  package enum Kind: Int32, Sendable {
    case user = 1
    case guest = 2
    case entry = 3
  }
}

/// Whether a participant is ranked; the raw values are those of `quiver.v1.ParticipantStatus`, and
/// stored.
package enum ParticipantStatus: Int32, Sendable {
  case active = 1
  case withdrawn = 2
  case disqualified = 3
  case completed = 4

  package var standing: Ranking.Standing {
    switch self {
    case .active, .completed: .ranked
    case .withdrawn: .withdrawn
    case .disqualified: .disqualified
    }
  }
}

/// A stored format; it never changes.
package struct RoundFormatRecord: Sendable, Equatable {
  /// 0 for a library format that is not stored.
  package let id: Int64

  /// Empty if its creator sent none.
  package let clientID: [UInt8]
  package let format: RoundFormat
  package let createdAtMilliseconds: Int64

  package init(
    id: Int64, clientID: [UInt8], format: RoundFormat, createdAtMilliseconds: Int64
  ) {
    self.id = id
    self.clientID = clientID
    self.format = format
    self.createdAtMilliseconds = createdAtMilliseconds
  }
}

/// How a request names a format.
package enum FormatChoice: Sendable, Equatable {
  /// A format of the library.
  case codename(String)
  /// A stored format.
  case own(ObjectReference)
}
