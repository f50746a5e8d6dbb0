public import QuiverProtobuf

/// Who a participant is.
public struct ParticipantKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  public static let user = Self(rawValue: 1)
  /// Added by a user.
  public static let guest = Self(rawValue: 2)
  /// Without an account, added by the organiser.
  public static let entry = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.ParticipantKind",
    [
      (0, "PARTICIPANT_KIND_UNSPECIFIED"), (1, "PARTICIPANT_KIND_USER"),
      (2, "PARTICIPANT_KIND_GUEST"), (3, "PARTICIPANT_KIND_ENTRY"),
    ])
}

/// One who is scored at an event.
public struct Participant: Message {
  /// The id of the participant, assigned by the server.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made for the participant; empty if none.
  public var clientID: [UInt8] = []
  public var tournamentID: Int64 = 0
  public var kind = ParticipantKind.unspecified
  public var displayName = ""
  /// Of USER: the user; else: who added it.
  public var principalID: Int64 = 0
  /// The assigned scorer's principal; 0: none.
  public var scorerID: Int64 = 0
  public var status = ParticipantStatus.unspecified
  public var joinedAtMilliseconds: Int64 = 0
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

/// Asks to take part.
public struct JoinTournamentRequest: Message {
  /// Or the next, of a public event.
  public var joinCode = ""
  public var tournamentID: Int64 = 0
  /// Of the participant; optional.
  public var clientID: [UInt8] = []
  /// The setup; its latest version unless one is named.
  public var setupID: Int64 = 0
  public var setupClientID: [UInt8] = []
  public var setupVersion: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.JoinTournamentRequest", .string(1, "join_code", \.joinCode),
    .int64(2, "tournament_id", \.tournamentID), .bytes(3, "client_id", \.clientID),
    .int64(4, "setup_id", \.setupID), .bytes(5, "setup_client_id", \.setupClientID),
    .uint32(6, "setup_version", \.setupVersion))
}

/// Asks for a guest of the caller's.
public struct AddGuestRequest: Message {
  public var tournamentID: Int64 = 0
  /// The client id of the guest; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// 1 to 50 characters.
  public var name = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AddGuestRequest", .int64(1, "tournament_id", \.tournamentID),
    .bytes(2, "client_id", \.clientID), .string(3, "name", \.name))
}

/// Asks for entries without an account.
public struct AddEntriesRequest: Message {
  public var tournamentID: Int64 = 0
  /// 1 to 1,000.
  public var entries: [EntryDraft] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AddEntriesRequest", .int64(1, "tournament_id", \.tournamentID),
    .messages(2, "entries", \.entries))
}

/// An entry to add.
public struct EntryDraft: Message {
  /// The UUIDv7 (16 bytes) that the client made for the entry draft; empty if none.
  public var clientID: [UInt8] = []
  /// 1 to 50 characters.
  public var name = ""
  /// An appointed scorer; 0: none.
  public var scorerID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EntryDraft", .bytes(1, "client_id", \.clientID), .string(2, "name", \.name),
    .int64(3, "scorer_id", \.scorerID))
}

/// The entries that were added.
public struct AddEntriesResponse: Message {
  /// In the order of the entries.
  public var participants: [Participant] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AddEntriesResponse", .messages(1, "participants", \.participants))
}

/// Asks for a page of participants.
public struct ListParticipantsRequest: Message {
  public var tournamentID: Int64 = 0
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page.
  public var pageToken = ""
  /// Only those that the caller is, has added, or is assigned to.
  public var mineOnly = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListParticipantsRequest", .int64(1, "tournament_id", \.tournamentID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken),
    .bool(4, "mine_only", \.mineOnly))
}

/// A page of participants, by id.
public struct ListParticipantsResponse: Message {
  public var participants: [Participant] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListParticipantsResponse", .messages(1, "participants", \.participants),
    .string(2, "next_page_token", \.nextPageToken))
}

/// Asks to withdraw a participant.
public struct WithdrawParticipantRequest: Message {
  public var participantID: Int64 = 0
  /// At most 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WithdrawParticipantRequest", .int64(1, "participant_id", \.participantID),
    .string(2, "reason", \.reason))
}

/// Asks to disqualify a participant.
public struct DisqualifyParticipantRequest: Message {
  public var participantID: Int64 = 0
  /// 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DisqualifyParticipantRequest", .int64(1, "participant_id", \.participantID),
    .string(2, "reason", \.reason))
}

/// Asks to take a participant back.
public struct ReinstateParticipantRequest: Message {
  public var participantID: Int64 = 0
  /// 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ReinstateParticipantRequest", .int64(1, "participant_id", \.participantID),
    .string(2, "reason", \.reason))
}

/// Asks to let a principal score.
public struct AppointScorerRequest: Message {
  public var tournamentID: Int64 = 0
  public var principalID: Int64 = 0
  /// At most 1,000, in addition to those already assigned.
  public var participantIDs: [Int64] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AppointScorerRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64(2, "principal_id", \.principalID), .int64s(3, "participant_ids", \.participantIDs))
}

/// One whom the organiser lets score.
public struct Scorer: Message {
  public var tournamentID: Int64 = 0
  public var principalID: Int64 = 0
  public var displayName = ""
  public var assignedCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Scorer", .int64(1, "tournament_id", \.tournamentID),
    .int64(2, "principal_id", \.principalID), .string(3, "display_name", \.displayName),
    .uint32(4, "assigned_count", \.assignedCount))
}

/// Asks to let a principal score no more.
public struct DismissScorerRequest: Message {
  public var tournamentID: Int64 = 0
  public var principalID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DismissScorerRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64(2, "principal_id", \.principalID))
}

/// The principal scores for nobody any more.
public struct DismissScorerResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DismissScorerResponse")
}

/// Asks for all scorers.
public struct ListScorersRequest: Message {
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListScorersRequest", .int64(1, "tournament_id", \.tournamentID))
}

/// All scorers of an event.
public struct ListScorersResponse: Message {
  /// By principal id; at most 500.
  public var scorers: [Scorer] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListScorersResponse", .messages(1, "scorers", \.scorers))
}

/// Asks for a token to watch an event with.
public struct GetSpectatorTokenRequest: Message {
  public var joinCode = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSpectatorTokenRequest", .string(1, "join_code", \.joinCode))
}

/// A token to watch one event with.
public struct GetSpectatorTokenResponse: Message {
  /// Sent as the token of a connection.
  public var token = ""
  /// The time of expiry, in milliseconds since 1970-01-01 UTC.
  public var expiresAtMilliseconds: Int64 = 0
  public var tournamentID: Int64 = 0
  public var name = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetSpectatorTokenResponse", .string(1, "token", \.token),
    .int64(2, "expires_at_ms", \.expiresAtMilliseconds), .int64(3, "tournament_id", \.tournamentID),
    .string(4, "name", \.name))
}
