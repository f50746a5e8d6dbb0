public import QuiverProtobuf

/// What the archers of a team have in common.
public struct TeamGroup: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Club.
  public static let club = Self(rawValue: 1)
  /// Country.
  public static let country = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.TeamGroup",
    [(0, "TEAM_GROUP_UNSPECIFIED"), (1, "TEAM_GROUP_CLUB"), (2, "TEAM_GROUP_COUNTRY")])
}

/// An archer of a team.
public struct TeamMember: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The shown name.
  public var displayName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TeamMember",
    .int64(1, "participant_id", \.participantID), .string(2, "display_name", \.displayName))
}

/// Requests the teams of an event by the sums of their qualification.
public struct GetTeamStandingsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the category.
  public var categoryID: Int64 = 0
  /// The id of the second category; of mixed teams the category of the other gender; else 0.
  public var secondCategoryID: Int64 = 0
  /// The system; of teams or mixed teams: it has the number of archers.
  public var system = MatchSystem.unspecified
  /// The group; what the archers of a team have in common.
  public var group = TeamGroup.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetTeamStandingsRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "category_id", \.categoryID),
    .int64(3, "second_category_id", \.secondCategoryID), .enum(4, "system", \.system),
    .enum(5, "group", \.group))
}

/// The teams of an event.
public struct GetTeamStandingsResponse: Message {
  /// The rows; best first; at most 500.
  public var rows: [TeamStandingsRow] = []
  /// The number of all teams.
  public var rowCount: UInt32 = 0
  /// The policy; of the category; without one that of the event.
  public var policy: TiePolicyInfo?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetTeamStandingsResponse",
    .messages(1, "rows", \.rows), .uint32(2, "row_count", \.rowCount),
    .message(3, "policy", \.policy))
}

/// A team with its sums.
public struct TeamStandingsRow: Message {
  /// The rank; from 1; equal teams share it.
  public var rank: UInt32 = 0
  /// The name; the club or the country.
  public var name = ""
  /// The members; best first; of a mixed team the woman first.
  public var members: [TeamMember] = []
  /// The total.
  public var total: UInt32 = 0
  /// The number of Xs.
  public var xCount: UInt32 = 0
  /// The number of tens, Xs included.
  public var tenCount: UInt32 = 0
  /// Whether a part of a member's card is typed from a paper.
  public var typed = false
  /// The count that a paper lacks, so that teams with equal keys share their rank; nil: none.
  public var missingKey: RankKey?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TeamStandingsRow",
    .uint32(1, "rank", \.rank), .string(2, "name", \.name), .messages(3, "members", \.members),
    .uint32(4, "total", \.total), .uint32(5, "x_count", \.xCount),
    .uint32(6, "ten_count", \.tenCount), .bool(7, "typed", \.typed),
    .message(8, "missing_key", \.missingKey))
}

/// Cuts the teams of a category, and draws their bracket.
public struct CutTeamsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the category.
  public var categoryID: Int64 = 0
  /// The id of the second category; of mixed teams the category of the other gender; else 0.
  public var secondCategoryID: Int64 = 0
  /// The size, 2 to 128: how many teams advance.
  public var size: UInt32 = 0
  /// The system; of teams or mixed teams.
  public var system = MatchSystem.unspecified
  /// The group; what the archers of a team have in common.
  public var group = TeamGroup.unspecified
  /// The no bronze match; the losers of the semifinals share rank 3.
  public var noBronzeMatch = false
  /// The seed; of the lots; 0: a new one.
  public var seed: UInt64 = 0
  /// The tie order; all teams that share the rank across the cut, best first, as the tie was
  /// decided; else none.
  public var tieOrder: [String] = []
  /// The tie decision; with tie_order.
  public var tieDecision = TieDecision.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CutTeamsRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "category_id", \.categoryID),
    .int64(3, "second_category_id", \.secondCategoryID), .uint32(4, "size", \.size),
    .enum(5, "system", \.system), .enum(6, "group", \.group),
    .bool(7, "no_bronze_match", \.noBronzeMatch), .uint64(8, "seed", \.seed),
    .strings(9, "tie_order", \.tieOrder), .enum(10, "tie_decision", \.tieDecision))
}

/// Replaces a member of a team.
public struct SubstituteTeamMemberRequest: Message {
  /// The id of the stage.
  public var stageID: Int64 = 0
  /// The seed; of the team.
  public var seed: UInt32 = 0
  /// The id of the participant; who leaves the team.
  public var participantID: Int64 = 0
  /// The id of the participant who replaces the member.
  public var substituteID: Int64 = 0
  /// The reason; 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SubstituteTeamMemberRequest",
    .int64(1, "stage_id", \.stageID), .uint32(2, "seed", \.seed),
    .int64(3, "participant_id", \.participantID), .int64(4, "substitute_id", \.substituteID),
    .string(5, "reason", \.reason))
}

/// Cuts a category to groups.
public struct DrawGroupsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the category.
  public var categoryID: Int64 = 0
  /// The size, 2 to 128: how many archers advance.
  public var size: UInt32 = 0
  /// The number of groups; each gets 2 to 16 archers.
  public var groupCount: UInt32 = 0
  /// The system; individual ones only.
  public var system = MatchSystem.unspecified
  /// The seed; of the lots; 0: a new one.
  public var seed: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DrawGroupsRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "category_id", \.categoryID),
    .uint32(3, "size", \.size), .uint32(4, "group_count", \.groupCount),
    .enum(5, "system", \.system), .uint64(6, "seed", \.seed))
}

/// Draws a bracket of the best of each group.
public struct CutGroupsRequest: Message {
  /// The id of the stage; of groups.
  public var stageID: Int64 = 0
  /// The number of archers of each group who advance, 1 to 16; 2 to 128 of all groups.
  public var perGroup: UInt32 = 0
  /// The system; individual ones only.
  public var system = MatchSystem.unspecified
  /// The no bronze match; the losers of the semifinals share rank 3.
  public var noBronzeMatch = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CutGroupsRequest",
    .int64(1, "stage_id", \.stageID), .uint32(2, "per_group", \.perGroup),
    .enum(3, "system", \.system), .bool(4, "no_bronze_match", \.noBronzeMatch))
}
