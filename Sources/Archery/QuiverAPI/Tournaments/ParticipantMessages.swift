public import QuiverProtobuf

/// The kind of a participant.
public struct ParticipantKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// A user with an account.
  public static let user = Self(rawValue: 1)
  /// A guest whom a user added.
  public static let guest = Self(rawValue: 2)
  /// A person without an account whom the organiser added.
  public static let entry = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.ParticipantKind",
    [
      (0, "PARTICIPANT_KIND_UNSPECIFIED"), (1, "PARTICIPANT_KIND_USER"),
      (2, "PARTICIPANT_KIND_GUEST"), (3, "PARTICIPANT_KIND_ENTRY"),
    ])
}

/// A person who is scored at an event.
public struct Participant: Message {
  /// The id of the participant, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the participant; empty if none.
  public var clientID: [UInt8] = []
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The kind of the participant.
  public var kind = ParticipantKind.unspecified
  /// The shown name of the participant.
  public var displayName = ""
  /// The id of the user; for guests and entries of the principal who added them.
  public var principalID: Int64 = 0
  /// The id of the assigned scorer's principal; 0: none.
  public var scorerID: Int64 = 0
  /// The state of the participant.
  public var status = ParticipantStatus.unspecified
  /// The time of joining, in milliseconds since 1970-01-01 UTC.
  public var joinedAtMilliseconds: Int64 = 0
  /// The sums of the arrows; nil in a watch.
  public var score: Score?
  /// Whether the caller may score for this participant.
  public var mayScore = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Participant", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .int64(3, "tournament_id", \.tournamentID), .enum(4, "kind", \.kind),
    .string(5, "display_name", \.displayName), .int64(6, "principal_id", \.principalID),
    .int64(7, "scorer_id", \.scorerID), .enum(8, "status", \.status),
    .int64(9, "joined_at_ms", \.joinedAtMilliseconds), .message(10, "score", \.score),
    .bool(11, "may_score", \.mayScore))
}

/// Joins an event as the caller.
public struct JoinTournamentRequest: Message {
  /// The join code; empty if ``tournamentID`` names a public event.
  public var joinCode = ""
  /// The id of a public event; 0 if ``joinCode`` names the event.
  public var tournamentID: Int64 = 0
  /// The UUIDv7 (16 bytes) of the participant; empty if none.
  public var clientID: [UInt8] = []
  /// The id of the caller's bow setup; 0 for none, or if ``setupClientID`` names it.
  public var setupID: Int64 = 0
  /// The client id of the caller's bow setup; empty if none, or if ``setupID`` names it.
  public var setupClientID: [UInt8] = []
  /// The version of the bow setup; 0: the latest.
  public var setupVersion: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.JoinTournamentRequest", .string(1, "join_code", \.joinCode),
    .int64(2, "tournament_id", \.tournamentID), .bytes(3, "client_id", \.clientID),
    .int64(4, "setup_id", \.setupID), .bytes(5, "setup_client_id", \.setupClientID),
    .uint32(6, "setup_version", \.setupVersion))
}

/// Adds a guest of the caller.
public struct AddGuestRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The UUIDv7 (16 bytes) of the guest as a participant; empty if none.
  public var clientID: [UInt8] = []
  /// The name of the guest; 1 to 50 characters.
  public var name = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AddGuestRequest", .int64(1, "tournament_id", \.tournamentID),
    .bytes(2, "client_id", \.clientID), .string(3, "name", \.name))
}

/// Adds participants without an account.
public struct AddEntriesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The entries, 1 to 1,000; either all or none are added.
  public var entries: [EntryDraft] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AddEntriesRequest", .int64(1, "tournament_id", \.tournamentID),
    .messages(2, "entries", \.entries))
}

/// An entry to add.
public struct EntryDraft: Message {
  /// The UUIDv7 (16 bytes) of the entry as a participant; empty if none.
  public var clientID: [UInt8] = []
  /// The name; 1 to 50 characters.
  public var name = ""
  /// The id of an appointed scorer's principal; 0: none.
  public var scorerID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EntryDraft", .bytes(1, "client_id", \.clientID), .string(2, "name", \.name),
    .int64(3, "scorer_id", \.scorerID))
}

/// The entries that were added.
public struct AddEntriesResponse: Message {
  /// The participants in the order of the entries.
  public var participants: [Participant] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AddEntriesResponse", .messages(1, "participants", \.participants))
}

/// Requests a page of participants.
public struct ListParticipantsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page.
  public var pageToken = ""
  /// Whether only those are listed that the caller is, has added, or scores by assignment or by a
  /// lease. A scorer of the event scores all.
  public var mineOnly = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListParticipantsRequest", .int64(1, "tournament_id", \.tournamentID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken),
    .bool(4, "mine_only", \.mineOnly))
}

/// A page of participants, by id.
public struct ListParticipantsResponse: Message {
  /// The participants of the page.
  public var participants: [Participant] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListParticipantsResponse", .messages(1, "participants", \.participants),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Withdraws a participant.
public struct WithdrawParticipantRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The reason; at most 200 characters.
  public var reason = ""
  /// The revision of the ``EventEntry``, as it was read: an entry that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WithdrawParticipantRequest", .int64(1, "participant_id", \.participantID),
    .string(2, "reason", \.reason),
    .uint64(3, "expected_revision", \.expectedRevision))
}

/// Disqualifies a participant.
public struct DisqualifyParticipantRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The reason; 1 to 200 characters.
  public var reason = ""
  /// The revision of the ``EventEntry``, as it was read: an entry that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DisqualifyParticipantRequest", .int64(1, "participant_id", \.participantID),
    .string(2, "reason", \.reason),
    .uint64(3, "expected_revision", \.expectedRevision))
}

/// Makes a withdrawn or disqualified participant active again.
public struct ReinstateParticipantRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The reason; 1 to 200 characters.
  public var reason = ""
  /// The revision of the ``EventEntry``, as it was read: an entry that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ReinstateParticipantRequest", .int64(1, "participant_id", \.participantID),
    .string(2, "reason", \.reason),
    .uint64(3, "expected_revision", \.expectedRevision))
}

/// Allows a principal to score for participants.
public struct AppointScorerRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the principal.
  public var principalID: Int64 = 0
  /// The ids of the participants, at most 1,000, in addition to those already assigned.
  public var participantIDs: [Int64] = []
  /// The id of a session: the entries that have places on ``targets`` are assigned too; 0: none.
  public var sessionID: Int64 = 0
  /// The numbers of targets of the session, with it 1 to 200. They stay assigned when they are
  /// moved.
  public var targets: [UInt32] = []
  /// The code that the principal shows, instead of its id.
  public var principalCode = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AppointScorerRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64(2, "principal_id", \.principalID), .int64s(3, "participant_ids", \.participantIDs),
    .int64(4, "session_id", \.sessionID), .uint32s(5, "targets", \.targets),
    .string(6, "principal_code", \.principalCode))
}

/// A principal whom the organiser allows to score.
public struct Scorer: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the principal.
  public var principalID: Int64 = 0
  /// The shown name of the principal.
  public var displayName = ""
  /// The number of participants assigned to it.
  public var assignedCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Scorer", .int64(1, "tournament_id", \.tournamentID),
    .int64(2, "principal_id", \.principalID), .string(3, "display_name", \.displayName),
    .uint32(4, "assigned_count", \.assignedCount))
}

/// Ends the permission of a principal to score for assigned participants.
public struct DismissScorerRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the principal.
  public var principalID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DismissScorerRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64(2, "principal_id", \.principalID))
}

/// The principal is no longer a scorer.
public struct DismissScorerResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DismissScorerResponse")
}

/// Requests all scorers of an event.
public struct ListScorersRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListScorersRequest", .int64(1, "tournament_id", \.tournamentID))
}

/// All scorers of an event.
public struct ListScorersResponse: Message {
  /// The scorers by principal id; at most 500.
  public var scorers: [Scorer] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListScorersResponse", .messages(1, "scorers", \.scorers))
}

/// Requests a token to watch a public event.
public struct GetSpectatorTokenRequest: Message {
  /// The join code of the event.
  public var joinCode = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSpectatorTokenRequest", .string(1, "join_code", \.joinCode))
}

/// A token for connections that only watch one event.
public struct GetSpectatorTokenResponse: Message {
  /// The token, to be sent as the token of a connection.
  public var token = ""
  /// The time of expiry, in milliseconds since 1970-01-01 UTC.
  public var expiresAtMilliseconds: Int64 = 0
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The name of the tournament.
  public var name = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSpectatorTokenResponse", .string(1, "token", \.token),
    .int64(2, "expires_at_ms", \.expiresAtMilliseconds), .int64(3, "tournament_id", \.tournamentID),
    .string(4, "name", \.name))
}
