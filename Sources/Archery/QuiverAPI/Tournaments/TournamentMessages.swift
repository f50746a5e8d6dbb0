public import QuiverProtobuf

/// The state of an event.
public struct TournamentStatus: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Participants can join; nobody shoots yet.
  public static let open = Self(rawValue: 1)
  /// Participants shoot.
  public static let inProgress = Self(rawValue: 2)
  /// The event is finalised. Later operations wait for a decision of the organiser.
  public static let completed = Self(rawValue: 3)
  /// The organiser cancelled the event.
  public static let cancelled = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.TournamentStatus",
    [
      (0, "TOURNAMENT_STATUS_UNSPECIFIED"), (1, "TOURNAMENT_STATUS_OPEN"),
      (2, "TOURNAMENT_STATUS_IN_PROGRESS"), (3, "TOURNAMENT_STATUS_COMPLETED"),
      (4, "TOURNAMENT_STATUS_CANCELLED"),
    ])
}

/// How the name of an archer is shown to who has no part in an event.
public struct PublicName: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Unspecified.
  public static let unspecified = Self(rawValue: 0)
  /// In full.
  public static let full = Self(rawValue: 1)
  /// As initials.
  public static let initials = Self(rawValue: 2)
  /// As the bib.
  public static let bib = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.PublicName",
    [
      (0, "PUBLIC_NAME_UNSPECIFIED"), (1, "PUBLIC_NAME_FULL"), (2, "PUBLIC_NAME_INITIALS"),
      (3, "PUBLIC_NAME_BIB"),
    ])
}

/// Who must agree to the correction or retraction of an arrow in an end that has all its arrows.
public struct CorrectionConsent: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Unspecified.
  public static let unspecified = Self(rawValue: 0)
  /// Nobody.
  public static let nobody = Self(rawValue: 1)
  /// Another archer, or an organiser or a judge, whom the correction names.
  public static let witness = Self(rawValue: 2)
  /// An organiser or a judge, who makes the correction.
  public static let judge = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.CorrectionConsent",
    [
      (0, "CORRECTION_CONSENT_UNSPECIFIED"), (1, "CORRECTION_CONSENT_NOBODY"),
      (2, "CORRECTION_CONSENT_WITNESS"), (3, "CORRECTION_CONSENT_JUDGE"),
    ])
}

/// One event.
public struct TournamentEvent: Message {
  /// The id of the tournament, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made; empty if none.
  public var clientID: [UInt8] = []
  /// The name; 1 to 200 characters.
  public var name = ""
  /// The format that all participants shoot.
  public var format: RoundFormat?
  /// The state of the event.
  public var status = TournamentStatus.unspecified
  /// Whether `PauseTournament` has paused the event; operations are then ``Verdict/notYet``.
  public var paused = false
  /// Whether everyone can see and join the event without the code.
  public var isPublic = false
  /// The join code, 16 characters of Crockford's base32 in four groups; empty for everyone but the
  /// organiser.
  public var joinCode = ""
  /// The largest number of participants, 1 to 20,000.
  public var maxParticipants: UInt32 = 0
  /// The number of participants.
  public var participantCount: UInt32 = 0
  /// The policy that ranks participants.
  public var tiePolicy = TiePolicy.unspecified
  /// The day whose form of the policy applies, in days since 1970-01-01.
  public var tiePolicyDay: Int32 = 0
  /// The id of the organiser's principal.
  public var organiserID: Int64 = 0
  /// The shown name of the organiser.
  public var organiserName = ""
  /// The largest number of guests of one user.
  public var guestsPerUser: UInt32 = 0
  /// The largest number of guests of all users together.
  public var guestLimit: UInt32 = 0
  /// The number of operations that wait for a decision of the organiser.
  public var lateCount: UInt32 = 0
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0
  /// The time of the start, in milliseconds since 1970-01-01 UTC; 0: not started.
  public var startedAtMilliseconds: Int64 = 0
  /// The time of finalising, in milliseconds since 1970-01-01 UTC; 0: not finalised, or reopened.
  public var finalisedAtMilliseconds: Int64 = 0
  /// The revision of the event, from 1; joins, arrows and pauses of the shooting do not change it.
  /// An update names the revision that it read.
  public var revision: UInt64 = 0
  /// The id of the caller as a participant; 0: none.
  public var participantID: Int64 = 0
  /// The pause of the shooting; nil: there is none now.
  public var shootingPause: ShootingPause?
  /// Whether the event is in the list of public events.
  public var listed = false
  /// Whether everybody may watch the event; who has its code may then join only if it is joinable.
  public var watchable = false
  /// Whether everybody who sees or knows the event may join without the code.
  public var joinable = false
  /// How names are shown to who has no part in the event; unspecified: in full.
  public var publicNames = PublicName.unspecified
  /// How names of archers under 18 are shown, unless `publicNames` shows less; unspecified: as
  /// initials.
  public var juniorNames = PublicName.unspecified
  /// The last day on which everybody may watch, in days since 1970-01-01; it ends when it has ended
  /// everywhere. 0: it does not end.
  public var lastBoardDay: Int32 = 0
  /// Who must agree to corrections and retractions of arrows in an end that has all its arrows;
  /// unspecified: nobody. Organisers and judges correct without others.
  public var correctionConsent = CorrectionConsent.unspecified
  /// Whether who scores an archer, but not the archer itself, types its sums on paper, too.
  public var scorersTypePapers = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TournamentEvent", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .string(3, "name", \.name), .message(4, "format", \.format), .enum(5, "status", \.status),
    .bool(6, "paused", \.paused), .bool(7, "is_public", \.isPublic),
    .string(8, "join_code", \.joinCode), .uint32(9, "max_participants", \.maxParticipants),
    .uint32(10, "participant_count", \.participantCount), .enum(11, "tie_policy", \.tiePolicy),
    .int32(12, "tie_policy_day", \.tiePolicyDay), .int64(13, "organiser_id", \.organiserID),
    .string(14, "organiser_name", \.organiserName), .uint32(15, "guests_per_user", \.guestsPerUser),
    .uint32(16, "guest_limit", \.guestLimit), .uint32(17, "late_count", \.lateCount),
    .int64(18, "created_at_ms", \.createdAtMilliseconds),
    .int64(19, "started_at_ms", \.startedAtMilliseconds),
    .int64(20, "finalised_at_ms", \.finalisedAtMilliseconds), .uint64(21, "revision", \.revision),
    .int64(22, "participant_id", \.participantID),
    .message(23, "shooting_pause", \.shootingPause), .bool(24, "listed", \.listed),
    .bool(25, "watchable", \.watchable), .bool(26, "joinable", \.joinable),
    .enum(27, "public_names", \.publicNames), .enum(28, "junior_names", \.juniorNames),
    .int32(29, "last_board_day", \.lastBoardDay),
    .enum(30, "correction_consent", \.correctionConsent),
    .bool(31, "scorers_type_papers", \.scorersTypePapers))
}

/// Requests a new event.
public struct CreateTournamentRequest: Message {
  /// The UUIDv7 (16 bytes) of the event; empty if none.
  public var clientID: [UInt8] = []
  /// The name; 1 to 200 characters.
  public var name = ""
  /// The format that all participants shoot.
  public var format: FormatReference?
  /// Whether everyone can see and join the event without the code.
  public var isPublic = false
  /// The largest number of participants, at most 20,000; 0: 50.
  public var maxParticipants: UInt32 = 0
  /// The policy that ranks participants; unspecified: ``TiePolicy/xFirst``.
  public var tiePolicy = TiePolicy.unspecified
  /// The largest number of guests of one user; nil: 2.
  public var guestsPerUser: UInt32?
  /// The largest number of guests of all users together; nil: 10.
  public var guestLimit: UInt32?
  /// Whether the organiser participates too.
  public var joins = false
  /// Whether the event is in the list of public events; nil: as `isPublic` says.
  public var listed: Bool?
  /// Whether everybody may watch the event; nil: as `isPublic` says.
  public var watchable: Bool?
  /// Whether everybody may join without the code; nil: as `isPublic` says.
  public var joinable: Bool?
  /// How names are shown to who has no part in the event; unspecified: in full.
  public var publicNames = PublicName.unspecified
  /// How names of archers under 18 are shown; unspecified: as initials.
  public var juniorNames = PublicName.unspecified
  /// The last day on which everybody may watch, in days since 1970-01-01; 0: it does not end.
  public var lastBoardDay: Int32 = 0
  /// Who must agree to corrections of ends that have all their arrows; unspecified: nobody.
  public var correctionConsent = CorrectionConsent.unspecified
  /// Whether who scores an archer, but not the archer itself, types its sums on paper, too.
  public var scorersTypePapers = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateTournamentRequest", .bytes(1, "client_id", \.clientID),
    .string(2, "name", \.name), .message(3, "format", \.format), .bool(4, "is_public", \.isPublic),
    .uint32(5, "max_participants", \.maxParticipants), .enum(6, "tie_policy", \.tiePolicy),
    .optionalUint32(7, "guests_per_user", \.guestsPerUser),
    .optionalUint32(8, "guest_limit", \.guestLimit), .bool(9, "joins", \.joins),
    .optionalBool(10, "listed", \.listed), .optionalBool(11, "watchable", \.watchable),
    .optionalBool(12, "joinable", \.joinable), .enum(13, "public_names", \.publicNames),
    .enum(14, "junior_names", \.juniorNames), .int32(15, "last_board_day", \.lastBoardDay),
    .enum(16, "correction_consent", \.correctionConsent),
    .bool(17, "scorers_type_papers", \.scorersTypePapers))
}

/// Requests one event.
public struct GetTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetTournamentRequest", .int64(1, "id", \.id))
}

/// Requests a page of events.
public struct ListTournamentsRequest: Message {
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same filter and principal.
  public var pageToken = ""
  /// Whether all public events are listed instead of the caller's events.
  public var publicOnly = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTournamentsRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken), .bool(3, "public_only", \.publicOnly))
}

/// A page of events, newest first.
public struct ListTournamentsResponse: Message {
  /// The events of the page.
  public var tournaments: [TournamentEvent] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTournamentsResponse", .messages(1, "tournaments", \.tournaments),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Changes the fields of an event that the mask names.
public struct UpdateTournamentRequest: Message {
  /// The new values, with the id and the revision that was read.
  public var tournament: TournamentEvent?
  /// The proto names of the fields to change: `name`, `is_public`, `listed`, `watchable`,
  /// `joinable`, `public_names`, `junior_names`, `last_board_day`, `max_participants`,
  /// `guests_per_user`, `guest_limit`, and `tie_policy` while the event is open. `is_public` sets
  /// the three that follow it.
  public var updateMask: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateTournamentRequest", .message(1, "tournament", \.tournament),
    .strings(2, "update_mask", \.updateMask))
}

/// Deletes an event without scores.
public struct DeleteTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteTournamentRequest", .int64(1, "id", \.id))
}

/// The event was deleted.
public struct DeleteTournamentResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DeleteTournamentResponse")
}

/// Starts an event, or resumes a paused one.
public struct StartTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0
  /// Whether it is started although nobody takes part.
  public var anyway = false
  /// The revision of the event, as it was read: an event that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.StartTournamentRequest", .int64(1, "id", \.id), .bool(2, "anyway", \.anyway),
    .uint64(3, "expected_revision", \.expectedRevision))
}

/// Pauses an event.
public struct PauseTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0
  /// The revision of the event, as it was read: an event that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PauseTournamentRequest", .int64(1, "id", \.id),
    .uint64(2, "expected_revision", \.expectedRevision))
}

/// Finalises an event.
public struct FinaliseTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0
  /// Whether it is finalised although steps are open.
  public var anyway = false
  /// The revision of the event, as it was read: an event that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FinaliseTournamentRequest", .int64(1, "id", \.id), .bool(2, "anyway", \.anyway),
    .uint64(3, "expected_revision", \.expectedRevision))
}

/// Reopens a finalised event.
public struct ReopenTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0
  /// The reason; 1 to 200 characters.
  public var reason = ""
  /// The revision of the event, as it was read: an event that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ReopenTournamentRequest", .int64(1, "id", \.id), .string(2, "reason", \.reason),
    .uint64(3, "expected_revision", \.expectedRevision))
}

/// Cancels an event.
public struct CancelTournamentRequest: Message {
  /// The id of the tournament.
  public var id: Int64 = 0
  /// The reason; at most 200 characters.
  public var reason = ""
  /// The revision of the event, as it was read: an event that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CancelTournamentRequest", .int64(1, "id", \.id), .string(2, "reason", \.reason),
    .uint64(3, "expected_revision", \.expectedRevision))
}
