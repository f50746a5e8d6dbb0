import QuiverAPI
import QuiverProtobuf

/// The commands of Elimination that need no code of their own.
enum EliminationMethods {
  static let commands: [MethodCommand] = stages + matches + teams + groups

  private static let stages: [MethodCommand] = [
    MethodCommand(
      "event cut", "Elimination/CutCategory", summary: "cut a category and draw its bracket",
      details: """
        SYSTEM is individual-sets or individual-cumulative. A tie across the cut is decided with
        `quiver event tie` first. With --exempt 8, for 57 to 104 who advance, the first 8 seeds
        shoot from 1/16 on, as in World Archery's brackets; round 128 is then 1/48, and 64 is 1/24.
        """,
      [
        .operand("EVENT", "tournament_id", .named(.event)),
        .operand("CATEGORY", "category_id", .named(.category)),
        .operand("SIZE", "size"), .operand("SYSTEM", "system"),
        .switching("--no-bronze", "no_bronze_match", "the losers of the semifinals share rank 3"),
        .flag("--exempt", "exempt_seeds", "N", "how many first seeds start in 1/16: 0 or 8"),
        .flag("--seed", "seed", "N", "repeat the lots with this seed"),
      ], prints: bracket),
    MethodCommand(
      "event tie", "Elimination/DecideTie", summary: "record how a tie was decided",
      [
        .operand("EVENT", "tournament_id", .named(.event)),
        .operand("CATEGORY", "category_id", .named(.category)),
        .flag("--by", "decision", "DECISION", "shoot-off or coin-toss", isNeeded: true),
        .flag(
          "--shots", "shots", "ARROWS", "of each archer, the distance in mm behind @: X,9@12.5",
          .tieShots, repeats: true),
        .operands("ARCHER", "participant_ids", .named(.archer)),
      ], prints: .sentence("participants {request.participant_ids} are in this order")),
    MethodCommand(
      "event stages", "Elimination/ListStages", summary: "list the eliminations of an event",
      [.operand("EVENT", "tournament_id", .named(.event))],
      prints: .rows("stages", stageRows)),
    MethodCommand(
      "event rm-stage", "Elimination/DeleteStage",
      summary: "delete an elimination in which nothing was shot",
      [.operand("STAGE", "stage_id", .named(.stage))], destroys: "deletes elimination {STAGE}",
      prints: .sentence("stage {request.stage_id} is deleted")),
    MethodCommand(
      "event bracket", "Elimination/GetBracket",
      summary: "show the ranks of a bracket or of groups",
      details: "With --json also its matches.", [.operand("STAGE", "stage_id", .named(.stage))],
      prints: .list(
        "ranks",
        [
          "RANK=rank", "SEED=seed", "NAME=display_name", "ID=participant_id", "GROUP=group",
          "POINTS=points", "SET POINTS=set_points", "TOTAL=total",
        ])),
    MethodCommand(
      "event matches", "Elimination/GetBracket", summary: "list the matches of a stage",
      details: """
        MATCH is the code of a match, which commands take: RM-8-1 is the first quarterfinal.
        """,
      [.operand("STAGE", "stage_id", .named(.stage))], prints: bracket),
  ]

  private static let matches: [MethodCommand] = [
    MethodCommand(
      "event confirm", "Elimination/ConfirmMatchCard", summary: "confirm a card of a match",
      details: "SIDE is 1 or 2. When both cards are confirmed, the bracket advances.",
      [
        .operand("MATCH", "match_id", .named(.match)), .operand("SIDE", "side", .side),
        .optional("REVISION", "revision"),
      ], revision: RevisionSource("Elimination/GetMatch", id: "match_id"),
      prints: .sentence("match {id} is {state}")),
    MethodCommand(
      "event forfeit", "Elimination/ForfeitMatch", summary: "record that a side does not shoot",
      details: "SIDE is 1 or 2.",
      [
        .operand("MATCH", "match_id", .named(.match)), .operand("SIDE", "side", .side),
        .flag("--reason", "reason", "TEXT", "1 to 200 characters", isNeeded: true),
      ], destroys: "gives match {MATCH} to the opponent of side {SIDE}",
      prints: .sentence("match {id} is {state}")),
    MethodCommand(
      "event reopen", "Elimination/ReopenMatch", summary: "revoke the confirmations of a match",
      [
        .operand("MATCH", "match_id", .named(.match)),
        .flag("--reason", "reason", "TEXT", "1 to 200 characters", isNeeded: true),
        .switching("--void-later", "void_later", "void the scores of later matches that need it"),
      ], destroys: "revokes the confirmations of {MATCH}",
      prints: .sentence("match {id} is {state}")),
    MethodCommand(
      "event targets", "Elimination/PlaceMatches",
      summary: "give the matches of a round their targets",
      details: """
        ROUND is 8 for the quarterfinals, 2 for the medal matches, with exempt seeds 128 for 1/48;
        for groups it is 0, with --group-round. TARGET 0 removes the targets.
        """,
      [.operand("STAGE", "stage_id", .named(.stage)), .operand("ROUND", "round_size", .matchRound)]
        + places + [
          .flag("--group-round", "group_round", "N", "the round of all groups, from 1")
        ], prints: bracket),
    MethodCommand(
      "event target", "Elimination/PlaceMatch", summary: "give a match its targets",
      details: "TARGET 0 removes them.", [.operand("MATCH", "match_id", .named(.match))] + places,
      prints: .sentence("match {id} is {state}")),
  ]

  private static let teams: [MethodCommand] = [
    MethodCommand(
      "event teams", "Events/GetTeamStandings", summary: "rank the teams of clubs or countries",
      details: "SYSTEM is the one of their matches, for example team-sets or mixed-team-sets.",
      [
        .operand("EVENT", "tournament_id", .named(.event)),
        .operand("CATEGORY", "category_id", .named(.category)),
      ] + team,
      prints: .list(
        "rows",
        [
          "RANK=rank", "TEAM=name", "TOTAL=total", "X=x_count", "10=ten_count", "TYPED=typed",
          "UNKNOWN=missing_key.kind",
        ])),
    MethodCommand(
      "event cut-teams", "Elimination/CutTeams",
      summary: "cut the teams of clubs or countries and draw their bracket",
      details: "Teams that share the rank across the cut are named with --tie, best first.",
      [
        .operand("EVENT", "tournament_id", .named(.event)),
        .operand("CATEGORY", "category_id", .named(.category)),
      ] + team + [
        .operand("SIZE", "size"),
        .switching("--no-bronze", "no_bronze_match", "the losers of the semifinals share rank 3"),
        .flag("--seed", "seed", "N", "repeat the lots with this seed"),
        .flag("--tie", "tie_order", "TEAM", "a team of the decided tie, best first", repeats: true),
        .flag("--by", "tie_decision", "DECISION", "with --tie: shoot-off or coin-toss"),
      ], prints: bracket),
    MethodCommand(
      "event substitute", "Elimination/SubstituteTeamMember",
      summary: "replace a member of a team before it shoots",
      details: "SEED is that of the team; OUT and IN are participants.",
      [
        .operand("STAGE", "stage_id", .named(.stage)), .operand("SEED", "seed"),
        .operand("OUT", "participant_id", .named(.archer)),
        .operand("IN", "substitute_id", .named(.archer)),
        .flag("--reason", "reason", "TEXT", "1 to 200 characters", isNeeded: true),
      ],
      prints: .sentence("participant {request.substitute_id} shoots in team {request.seed}")),
  ]

  private static let team: [MethodArgument] = [
    .operand("GROUP", "group"), .operand("SYSTEM", "system"),
    .flag(
      "--second", "second_category_id", "CATEGORY",
      "of mixed teams: the category of the other gender", .named(.category)),
  ]

  private static let groups: [MethodCommand] = [
    MethodCommand(
      "event groups", "Elimination/DrawGroups",
      summary: "cut a category into round-robin groups",
      details: "SYSTEM is individual-sets or individual-cumulative.",
      [
        .operand("EVENT", "tournament_id", .named(.event)),
        .operand("CATEGORY", "category_id", .named(.category)),
        .operand("SIZE", "size"), .operand("GROUPS", "group_count"), .operand("SYSTEM", "system"),
        .flag("--seed", "seed", "N", "repeat the lots with this seed"),
      ], prints: bracket),
    MethodCommand(
      "event cut-groups", "Elimination/CutGroups",
      summary: "draw a bracket from the best of each group",
      [
        .operand("STAGE", "stage_id", .named(.stage)), .operand("COUNT", "per_group"),
        .operand("SYSTEM", "system"),
        .switching("--no-bronze", "no_bronze_match", "the losers of the semifinals share rank 3"),
      ], prints: bracket),
  ]

  /// The targets and the start of matches.
  private static let places: [MethodArgument] =
    [
      .operand("TARGET", "first_target"),
      .flag(
        "--targets", "targets_per_match", "N", "1: both sides on one target, 2: each on its own",
        isNeeded: true),
    ] + MethodArgument.start("starts_at_ms")

  /// The stages with the codes that name them.
  private static let stageRows: @Sendable (DynamicMessage) -> [[String]] = { reply in
    let stages = (try? ListStagesResponse(serializedBytes: reply.serializedBytes()))?.stages ?? []
    return [
      [
        "STAGE", "CATEGORY", "ENTRANTS", "SYSTEM", "GROUPS", "EXEMPT", "BRONZE", "SEED", "ID",
      ]
    ]
      + stages.map { stage in
        [
          StageName.code(stage), Terminal.oneLine(stage.categoryCode), "\(stage.entrantCount)",
          EnumWord.text(of: stage.system.rawValue, MatchSystem.schema),
          stage.groupCount > 0 ? "\(stage.groupCount)" : "",
          stage.exemptSeeds > 0 ? "\(stage.exemptSeeds)" : "", stage.bronzeMatch ? "yes" : "no",
          "\(stage.seed)", "\(stage.id)",
        ]
      }
  }

  private static let bracket = MethodOutput.rows("matches") { reply in
    guard
      let bracket = try? QuiverAPI.EliminationBracket(serializedBytes: reply.serializedBytes())
    else { return [] }
    return MatchTable.rows(bracket)
  }
}
