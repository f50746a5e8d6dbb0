package import QuiverRules

/// Rounds that are shot together.
package struct SessionRecord: Sendable, Equatable {
  package let id: Int64
  package let clientID: [UInt8]
  package let isTournament: Bool
  package let notes: String
  package let createdAtMilliseconds: Int64
  package let format: RoundFormatRecord

  /// Of a tournament, those of the caller and its guests.
  package let rounds: [RoundRecord]
}

/// One participant's shooting of its session's format.
package struct RoundRecord: Sendable, Equatable {
  package let id: Int64
  package let participant: ParticipantRecord
  package let status: RoundStatus
  package let setupID: Int64
  package let setupVersion: Int64
  package let revision: UInt64
  package let startedAtMilliseconds: Int64?
  package let completedAtMilliseconds: Int64?
}

/// How far a round is; the raw values are those of `quiver.v1.RoundStatus`, and stored.
package enum RoundStatus: Int32, Sendable, CaseIterable {
  case planned = 1
  case inProgress = 2
  case paused = 3
  case completed = 4
  case cancelled = 5
}

/// One who is scored.
package struct ParticipantRecord: Sendable, Equatable {
  package let id: Int64
  package let sessionID: Int64
  package let clientID: [UInt8]
  package let kind: Kind

  /// Of a user itself; else who added it.
  package let principal: Int64

  /// Whom the organiser assigned; 0 is nobody.
  package let scorer: Int64
  package let status: ParticipantStatus
  package let displayName: String
  package let joinedAtMilliseconds: Int64
  package let lastActiveAtMilliseconds: Int64
  package let tally: ScoreTally

  /// The first end with an open slot.
  package let nextEnd: Int

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

/// A format as it is kept; it never changes.
package struct RoundFormatRecord: Sendable, Equatable {
  /// 0: of the library, and not kept yet.
  package let id: Int64

  /// Empty where its maker gave none.
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

/// What a request names a format by.
package enum FormatChoice: Sendable, Equatable {
  /// One of the library.
  case codename(String)
  /// One that is kept.
  case own(ObjectReference)
}
