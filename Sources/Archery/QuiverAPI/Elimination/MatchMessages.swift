public import QuiverProtobuf

/// How far a match is.
public struct MatchState: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// For its archers.
  public static let waiting = Self(rawValue: 1)
  /// One archer has no opponent.
  public static let bye = Self(rawValue: 2)
  /// Scheduled.
  public static let scheduled = Self(rawValue: 3)
  /// Shooting.
  public static let shooting = Self(rawValue: 4)
  /// Shoot off.
  public static let shootOff = Self(rawValue: 5)
  /// A shoot-off is tied: a distance or a judge's mark is needed.
  public static let measuring = Self(rawValue: 6)
  /// Finished.
  public static let finished = Self(rawValue: 7)
  /// Confirmed.
  public static let confirmed = Self(rawValue: 8)

  public static let schema = EnumSchema(
    "quiver.v1.MatchState",
    [
      (0, "MATCH_STATE_UNSPECIFIED"), (1, "MATCH_STATE_WAITING"), (2, "MATCH_STATE_BYE"),
      (3, "MATCH_STATE_SCHEDULED"), (4, "MATCH_STATE_SHOOTING"), (5, "MATCH_STATE_SHOOT_OFF"),
      (6, "MATCH_STATE_MEASURING"), (7, "MATCH_STATE_FINISHED"), (8, "MATCH_STATE_CONFIRMED"),
    ])
}

/// What decided a match.
public struct MatchDecision: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Arrows.
  public static let arrows = Self(rawValue: 1)
  /// Shoot off.
  public static let shootOff = Self(rawValue: 2)
  /// Distance.
  public static let distance = Self(rawValue: 3)
  /// Judges mark.
  public static let judgesMark = Self(rawValue: 4)
  /// Forfeit.
  public static let forfeit = Self(rawValue: 5)
  /// Bye.
  public static let bye = Self(rawValue: 6)

  public static let schema = EnumSchema(
    "quiver.v1.MatchDecision",
    [
      (0, "MATCH_DECISION_UNSPECIFIED"), (1, "MATCH_DECISION_ARROWS"),
      (2, "MATCH_DECISION_SHOOT_OFF"), (3, "MATCH_DECISION_DISTANCE"),
      (4, "MATCH_DECISION_JUDGES_MARK"), (5, "MATCH_DECISION_FORFEIT"), (6, "MATCH_DECISION_BYE"),
    ])
}

/// A match of a bracket.
public struct EliminationMatch: Message {
  /// The id, assigned by the server; from the server.
  public var id: Int64 = 0
  /// The id of the stage.
  public var stageID: Int64 = 0
  /// The round size; 8: quarterfinals, 2: medal matches; 0: a match of a group.
  public var roundSize: UInt32 = 0
  /// The index; from 0; of the medal matches 0 is for gold, 1 for bronze.
  public var index: UInt32 = 0
  /// The state.
  public var state = MatchState.unspecified
  /// The sides; two.
  public var sides: [MatchSideCard] = []
  /// The winner; 1 or 2; 0: none.
  public var winner: UInt32 = 0
  /// The decision.
  public var decision = MatchDecision.unspecified
  /// The next end; while it is shot: the index of the next end or shoot-off.
  public var nextEnd: UInt32 = 0
  /// The revision, from 1.
  public var revision: UInt64 = 0
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The start, in milliseconds since 1970-01-01 UTC; 0: not known.
  public var startsAtMilliseconds: Int64 = 0
  /// The group, from 1; 0: a match of a bracket.
  public var group: UInt32 = 0
  /// The round of the group, from 1.
  public var groupRound: UInt32 = 0
  /// Who must agree to its corrections; unspecified where the cards are not shown.
  public var correctionConsent = CorrectionConsent.unspecified
  /// Its stage; only where the cards are shown.
  public var stage: EliminationStage?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EliminationMatch",
    .int64(1, "id", \.id), .int64(2, "stage_id", \.stageID), .uint32(3, "round_size", \.roundSize),
    .uint32(4, "index", \.index), .enum(5, "state", \.state), .messages(6, "sides", \.sides),
    .uint32(7, "winner", \.winner), .enum(8, "decision", \.decision),
    .uint32(9, "next_end", \.nextEnd), .uint64(10, "revision", \.revision),
    .int64(11, "tournament_id", \.tournamentID),
    .int64(12, "starts_at_ms", \.startsAtMilliseconds), .uint32(13, "group", \.group),
    .uint32(14, "group_round", \.groupRound),
    .enum(15, "correction_consent", \.correctionConsent), .message(20, "stage", \.stage))
}

/// One side of a match with its card.
public struct MatchSideCard: Message {
  /// The seed; 0: nobody, or not known yet.
  public var seed: UInt32 = 0
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The shown name.
  public var displayName = ""
  /// The set points.
  public var setPoints: UInt32 = 0
  /// The total; of the ends that count.
  public var total: UInt32 = 0
  /// The confirmed.
  public var confirmed = false
  /// The forfeited.
  public var forfeited = false
  /// The entries; not in a bracket: by end, then by shoot-off.
  public var entries: [MatchCardEntry] = []
  /// Whether the caller may score it; of GetMatch and WatchMatch only.
  public var mayScore = false
  /// The target; 0: none.
  public var target: UInt32 = 0
  /// The members; of a team; of GetMatch only.
  public var members: [TeamMember] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.MatchSideCard",
    .uint32(1, "seed", \.seed), .int64(2, "participant_id", \.participantID),
    .string(3, "display_name", \.displayName), .uint32(4, "set_points", \.setPoints),
    .uint32(5, "total", \.total), .bool(6, "confirmed", \.confirmed),
    .bool(7, "forfeited", \.forfeited), .messages(8, "entries", \.entries),
    .bool(9, "may_score", \.mayScore), .uint32(10, "target", \.target),
    .messages(11, "members", \.members))
}

/// The arrows of an end or of a shoot-off.
public struct MatchCardEntry: Message {
  /// The shoot off.
  public var shootOff = false
  /// The index; from 0.
  public var index: UInt32 = 0
  /// The arrows.
  public var arrows: [MatchArrow] = []
  /// The distances; of a shoot-off: from the centre, in tenths of a millimetre.
  public var distances: [UInt32] = []
  /// The is closer; of a shoot-off: the mark of a judge.
  public var isCloser = false
  /// The operation id; that stored it; from the server.
  public var operationID: Int64 = 0
  /// The operation client id; from the server.
  public var operationClientID: [UInt8] = []
  /// The participant who agreed to the correction that it has; from the server; 0: none.
  public var witnessID: Int64 = 0
  /// The organiser or judge who agreed instead; from the server; 0: none.
  public var judgeID: Int64 = 0
  /// Who agreed, as the caller may see it; from the server; at most 200 characters.
  public var witnessName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.MatchCardEntry",
    .bool(1, "shoot_off", \.shootOff), .uint32(2, "index", \.index),
    .messages(3, "arrows", \.arrows), .uint32s(4, "distances", \.distances),
    .bool(5, "is_closer", \.isCloser), .int64(6, "operation_id", \.operationID),
    .bytes(7, "operation_client_id", \.operationClientID), .int64(8, "witness_id", \.witnessID),
    .int64(9, "judge_id", \.judgeID), .string(10, "witness_name", \.witnessName))
}

/// One arrow of a match.
public struct MatchArrow: Message {
  /// The value.
  public var value: UInt32 = 0
  /// The is x.
  public var isX = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.MatchArrow",
    .uint32(1, "value", \.value), .bool(2, "is_x", \.isX))
}

/// Requests a match.
public struct GetMatchRequest: Message {
  /// The id of the match.
  public var matchID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetMatchRequest",
    .int64(1, "match_id", \.matchID))
}
