public import QuiverProtobuf
public import QuiverRPC

/// How a match is scored.
public struct MatchSystem: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Sets of 3 arrows, at most 5; 6 set points win.
  public static let individualSets = Self(rawValue: 1)
  /// Sets of 6 arrows by 3 archers, at most 4; 5 set points win.
  public static let teamSets = Self(rawValue: 2)
  /// Sets of 4 arrows by 2 archers, at most 4; 5 set points win.
  public static let mixedTeamSets = Self(rawValue: 3)
  /// 15 arrows; the higher total wins.
  public static let individualCumulative = Self(rawValue: 4)
  /// 24 arrows by 3 archers.
  public static let teamCumulative = Self(rawValue: 5)
  /// 16 arrows by 2 archers.
  public static let mixedTeamCumulative = Self(rawValue: 6)

  public static let schema = EnumSchema(
    "quiver.v1.MatchSystem",
    [
      (0, "MATCH_SYSTEM_UNSPECIFIED"), (1, "MATCH_SYSTEM_INDIVIDUAL_SETS"),
      (2, "MATCH_SYSTEM_TEAM_SETS"), (3, "MATCH_SYSTEM_MIXED_TEAM_SETS"),
      (4, "MATCH_SYSTEM_INDIVIDUAL_CUMULATIVE"), (5, "MATCH_SYSTEM_TEAM_CUMULATIVE"),
      (6, "MATCH_SYSTEM_MIXED_TEAM_CUMULATIVE"),
    ])
}

/// Cuts a category and draws its bracket.
public struct CutCategoryRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the category.
  public var categoryID: Int64 = 0
  /// The size, 2 to 128: how many archers advance.
  public var size: UInt32 = 0
  /// The system; individual ones only.
  public var system = MatchSystem.unspecified
  /// The no bronze match; the losers of the semifinals share rank 3.
  public var noBronzeMatch = false
  /// The seed; of the lots; 0: a new one.
  public var seed: UInt64 = 0
  /// The number of first seeds that shoot from 1/16 on: 8 for 57 to 104 archers who advance, as in
  /// World Archery's brackets; 0: none.
  public var exemptSeeds: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CutCategoryRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "category_id", \.categoryID),
    .uint32(3, "size", \.size), .enum(4, "system", \.system),
    .bool(5, "no_bronze_match", \.noBronzeMatch), .uint64(6, "seed", \.seed),
    .uint32(7, "exempt_seeds", \.exemptSeeds))
}

/// How a tie was decided.
public struct TieDecision: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Shoot off.
  public static let shootOff = Self(rawValue: 1)
  /// Coin toss.
  public static let coinToss = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.TieDecision",
    [
      (0, "TIE_DECISION_UNSPECIFIED"), (1, "TIE_DECISION_SHOOT_OFF"), (2, "TIE_DECISION_COIN_TOSS"),
    ])
}

/// Records how a tie was decided.
public struct DecideTieRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the category.
  public var categoryID: Int64 = 0
  /// The participant ids; 2 to 128: all who share a rank, best first.
  public var participantIDs: [Int64] = []
  /// The decision.
  public var decision = TieDecision.unspecified
  /// Of a shoot-off what each participant shot, in their order; empty: only the order is known.
  public var shots: [TieShots] = []
  /// When the tie was decided, as it was read, 0 if it was not: another time is ABORTED; nil: any.
  public var expectedDecidedAtMilliseconds: Int64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DecideTieRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "category_id", \.categoryID),
    .int64s(3, "participant_ids", \.participantIDs), .enum(4, "decision", \.decision),
    .messages(5, "shots", \.shots),
    .optionalInt64(6, "expected_decided_at_ms", \.expectedDecidedAtMilliseconds))
}

/// What one archer shot in a shoot-off of the qualification.
public struct TieShots: Message {
  /// 1 to 20, in their order.
  public var arrows: [MatchArrow] = []
  /// From the centre, in tenths of a millimetre, of the arrows from the first on; 0: not measured.
  public var distances: [UInt32] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TieShots", .messages(1, "arrows", \.arrows), .uint32s(2, "distances", \.distances))
}

/// The decision is recorded.
public struct DecideTieResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DecideTieResponse")
}

/// Requests the elimination stages of an event.
public struct ListStagesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListStagesRequest",
    .int64(1, "tournament_id", \.tournamentID))
}

/// The elimination stages of an event.
public struct ListStagesResponse: Message {
  /// The stages; by id.
  public var stages: [EliminationStage] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListStagesResponse",
    .messages(1, "stages", \.stages))
}

/// Deletes a stage in which nothing was recorded.
public struct DeleteStageRequest: Message {
  /// The id of the stage.
  public var stageID: Int64 = 0
  /// The revision of the bracket, as it was read: a bracket that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteStageRequest",
    .int64(1, "stage_id", \.stageID),
    .uint64(2, "expected_revision", \.expectedRevision))
}

/// The stage is deleted.
public struct DeleteStageResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteStageResponse")
}

/// An elimination of a category.
public struct EliminationStage: Message {
  /// The id, assigned by the server; from the server.
  public var id: Int64 = 0
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the category.
  public var categoryID: Int64 = 0
  /// The category code.
  public var categoryCode = ""
  /// The size; places of the bracket: a power of two.
  public var size: UInt32 = 0
  /// The entrant count.
  public var entrantCount: UInt32 = 0
  /// The system.
  public var system = MatchSystem.unspecified
  /// The rule day; the day whose rules apply: days since 1970-01-01.
  public var ruleDay: Int32 = 0
  /// The bronze match.
  public var bronzeMatch = false
  /// The seed; of the lots.
  public var seed: UInt64 = 0
  /// The created at ms.
  public var createdAtMilliseconds: Int64 = 0
  /// The id of the second category; of mixed teams; 0: none.
  public var secondCategoryID: Int64 = 0
  /// The team group; unspecified: single archers.
  public var teamGroup = TeamGroup.unspecified
  /// The number of groups; 0: a bracket.
  public var groupCount: UInt32 = 0
  /// The id of the stage of groups from which it was cut; 0: the qualification.
  public var fromStageID: Int64 = 0
  /// The number of first seeds that shoot from 1/16 on; 0: none. With 8 the size is 128: round size
  /// 128 is 1/48 and has 48 matches, and the exempt seeds have byes in round size 64, 1/24.
  public var exemptSeeds: UInt32 = 0
  /// The face on which the arrows of its matches are valid.
  public var face = Face.unspecified
  /// What both sides must have in a first shoot-off for it to be shot again; nil: nothing.
  public var repeatedMaximum: MatchArrow?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EliminationStage",
    .int64(1, "id", \.id), .int64(2, "tournament_id", \.tournamentID),
    .int64(3, "category_id", \.categoryID), .string(4, "category_code", \.categoryCode),
    .uint32(5, "size", \.size), .uint32(6, "entrant_count", \.entrantCount),
    .enum(7, "system", \.system), .int32(8, "rule_day", \.ruleDay),
    .bool(9, "bronze_match", \.bronzeMatch), .uint64(10, "seed", \.seed),
    .int64(11, "created_at_ms", \.createdAtMilliseconds),
    .int64(12, "second_category_id", \.secondCategoryID),
    .enum(13, "team_group", \.teamGroup), .uint32(14, "group_count", \.groupCount),
    .int64(15, "from_stage_id", \.fromStageID), .uint32(16, "exempt_seeds", \.exemptSeeds),
    .enum(20, "face", \.face),
    .message(21, "repeated_maximum", \.repeatedMaximum))
}

/// Requests a bracket.
public struct GetBracketRequest: Message {
  /// The id of the stage.
  public var stageID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetBracketRequest",
    .int64(1, "stage_id", \.stageID))
}

/// A stage with its matches.
public struct EliminationBracket: Message {
  /// The stage.
  public var stage: EliminationStage?
  /// The matches; the first rounds first; without cards.
  public var matches: [EliminationMatch] = []
  /// The ranks; of all entrants, by rank, then by seed.
  public var ranks: [EliminationRank] = []
  /// The revision of its entrants and matches: another one for another content; not 0.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EliminationBracket",
    .message(1, "stage", \.stage), .messages(2, "matches", \.matches),
    .messages(3, "ranks", \.ranks),
    .uint64(4, "revision", \.revision))
}

/// An entrant of a stage with its rank.
public struct EliminationRank: Message {
  /// The seed.
  public var seed: UInt32 = 0
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The shown name.
  public var displayName = ""
  /// The rank; 0: not decided; in groups that of the group so far.
  public var rank: UInt32 = 0
  /// The members; of a team.
  public var members: [TeamMember] = []
  /// The group, from 1; 0: a bracket.
  public var group: UInt32 = 0
  /// The number of confirmed matches; in groups.
  public var playedCount: UInt32 = 0
  /// The number of matches won; in groups.
  public var wonCount: UInt32 = 0
  /// The points: 2 for each match won; in groups.
  public var points: UInt32 = 0
  /// The set points of all matches; in groups.
  public var setPoints: UInt32 = 0
  /// The sum of the arrows of all matches; in groups.
  public var total: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EliminationRank",
    .uint32(1, "seed", \.seed), .int64(2, "participant_id", \.participantID),
    .string(3, "display_name", \.displayName), .uint32(4, "rank", \.rank),
    .messages(5, "members", \.members), .uint32(6, "group", \.group),
    .uint32(7, "played_count", \.playedCount), .uint32(8, "won_count", \.wonCount),
    .uint32(9, "points", \.points), .uint32(10, "set_points", \.setPoints),
    .uint32(11, "total", \.total))
}

/// Watches a bracket.
public struct WatchBracketRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the stage.
  public var stageID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchBracketRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "stage_id", \.stageID))
}

/// A bracket, or what changed in it.
public struct WatchBracketResponse: WatchMessage {
  /// The span.
  public var span: WatchSpan?
  /// The bracket; at first: all matches; then the changed ones and all ranks.
  public var bracket: EliminationBracket?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchBracketResponse",
    .message(1, "span", \.span), .message(2, "bracket", \.bracket))
}

/// Gives the matches of a round their targets.
public struct PlaceMatchesRequest: Message {
  /// The id of the stage.
  public var stageID: Int64 = 0
  /// The round size; 8: quarterfinals, 2: medal matches.
  public var roundSize: UInt32 = 0
  /// The first target; of the first side of the first match; 0: no targets.
  public var firstTarget: UInt32 = 0
  /// The targets per match; 1: both sides shoot on one target, 2: each on its own.
  public var targetsPerMatch: UInt32 = 0
  /// The start of all, in milliseconds since 1970-01-01 UTC; 0: not known.
  public var startsAtMilliseconds: Int64 = 0
  /// The round of the groups, from 1, instead of a round of a bracket; 0: a bracket.
  public var groupRound: UInt32 = 0
  /// The revision of the bracket, as it was read: a bracket that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PlaceMatchesRequest",
    .int64(1, "stage_id", \.stageID), .uint32(2, "round_size", \.roundSize),
    .uint32(3, "first_target", \.firstTarget),
    .uint32(4, "targets_per_match", \.targetsPerMatch),
    .int64(5, "starts_at_ms", \.startsAtMilliseconds),
    .uint32(6, "group_round", \.groupRound),
    .uint64(7, "expected_revision", \.expectedRevision))
}

/// Gives a match its targets.
public struct PlaceMatchRequest: Message {
  /// The id of the match.
  public var matchID: Int64 = 0
  /// The first target; of the first side; 0: no targets.
  public var firstTarget: UInt32 = 0
  /// The targets of the match; 1: both sides shoot on one target, 2: each on its own.
  public var targetsPerMatch: UInt32 = 0
  /// The start, in milliseconds since 1970-01-01 UTC; 0: not known.
  public var startsAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PlaceMatchRequest",
    .int64(1, "match_id", \.matchID), .uint32(2, "first_target", \.firstTarget),
    .uint32(3, "targets_per_match", \.targetsPerMatch),
    .int64(4, "starts_at_ms", \.startsAtMilliseconds))
}
