package import QuiverRules

/// An event as one principal sees it.
package struct TournamentRecord: Sendable, Equatable {
  package let head: TournamentHead
  package let clientID: [UInt8]
  package let createdAtMilliseconds: Int64
  package let format: RoundFormatRecord
  package let organiserName: String

  /// The caller's own participant; 0 if there is none.
  package let ownParticipant: Int64

  /// Whether the caller organises it.
  package let isOrganiser: Bool

  /// The pause of its shooting; nil: there is none now.
  package let pause: ShootingPauseRecord?

  /// Whether only who holds the lease on a target scores it.
  package var demandsLeases: Bool { head.leaseSerial > 0 }
}

/// An event without its format.
package struct TournamentHead: Sendable, Equatable {
  package let id: Int64
  package let organiser: Int64
  package internal(set) var revision: UInt64
  package internal(set) var status: TournamentStatus
  package internal(set) var isPaused: Bool
  package internal(set) var visibility: EventVisibility
  /// Who must agree to corrections of full ends; nil: nobody.
  package internal(set) var consent: CorrectionConsent?
  /// Whether who scores an archer, but not the archer itself, types its sums on paper, too.
  package internal(set) var scorersTypePapers: Bool
  package let joinCode: String
  package internal(set) var maxParticipants: Int64
  package internal(set) var guestsPerUser: Int64
  package internal(set) var guestLimit: Int64
  package let participantCount: Int64
  package let guestCount: Int64
  package let lateCount: Int64
  package internal(set) var tiePolicy: TiePolicy

  /// The day that selects the version of the tie policy.
  package internal(set) var tiePolicyDay: Int32
  package internal(set) var startedAtMilliseconds: Int64?
  package internal(set) var finalisedAtMilliseconds: Int64?
  package internal(set) var name: String

  /// Above 0: the event demands leases of scoring devices.
  let leaseSerial: Int64

  /// The id of the pause of its shooting; 0: there is none now.
  package internal(set) var pause: Int64

  /// Whether it is public as a whole, as older clients know it.
  package var isPublic: Bool { visibility.isPublic }

  /// The order of its rows, under its own policy unless another is named.
  package func ranking(under policy: TiePolicy? = nil) -> Ranking {
    Ranking(form(of: policy ?? tiePolicy), inProgress: status == .inProgress)
  }

  /// The version of a policy that applies to it.
  package func form(of policy: TiePolicy) -> TiePolicyForm {
    TiePolicyForm.of(policy, onDay: tiePolicyDay)
  }
}

/// A scorer that the organiser appointed.
package struct ScorerRecord: Sendable, Equatable {
  package let tournament: Int64
  package let principal: Int64
  package let displayName: String
  package let assignedCount: Int64
}
