/// The commands of Elimination that need no code of their own.
enum EliminationMethods {
  static let commands: [MethodCommand] = [
    MethodCommand(
      "event cut", "Elimination/CutCategory", summary: "cut a category and draw its bracket",
      details: """
        SYSTEM is individual-sets or individual-cumulative. A tie across the cut is decided with
        `quiver event tie` first.
        """,
      [
        .operand("ID", "tournament_id"), .operand("CATEGORY", "category_id"),
        .operand("SIZE", "size"), .operand("SYSTEM", "system"),
        .switching("--no-bronze", "no_bronze_match", "the losers of the semifinals share rank 3"),
        .flag("--seed", "seed", "N", "repeats the lots of this seed"),
      ], prints: bracket),
    MethodCommand(
      "event tie", "Elimination/DecideTie", summary: "record how equal archers were told apart",
      [
        .operand("ID", "tournament_id"), .operand("CATEGORY", "category_id"),
        .flag("--by", "decision", "DECISION", "shoot-off or coin-toss", isNeeded: true),
        .operands("PARTICIPANT", "participant_ids"),
      ], prints: .sentence("participants {request.participant_ids} are in this order")),
    MethodCommand(
      "event stages", "Elimination/ListStages", summary: "list the eliminations of an event",
      [.operand("ID", "tournament_id")],
      prints: .list(
        "stages",
        [
          "ID=id", "CATEGORY=category_code", "ENTRANTS=entrant_count", "SYSTEM=system",
          "BRONZE=bronze_match", "SEED=seed",
        ])),
    MethodCommand(
      "event rm-stage", "Elimination/DeleteStage",
      summary: "delete an elimination in which nothing was shot", [.operand("STAGE", "stage_id")],
      prints: .sentence("stage {request.stage_id} is deleted")),
    MethodCommand(
      "event bracket", "Elimination/GetBracket", summary: "show the ranks of a bracket",
      details: "With --json also its matches.", [.operand("STAGE", "stage_id")],
      prints: .list(
        "ranks", ["RANK=rank", "SEED=seed", "NAME=display_name", "ID=participant_id"])),
    MethodCommand(
      "event match", "Elimination/GetMatch", summary: "show a match with its cards",
      [.operand("MATCH", "match_id")], prints: .object),
    MethodCommand(
      "event confirm", "Elimination/ConfirmMatchCard", summary: "confirm a card of a match",
      details: "SIDE is 1 or 2. When both cards are confirmed, the bracket advances.",
      [
        .operand("MATCH", "match_id"), .operand("SIDE", "side"), .operand("REVISION", "revision"),
      ], prints: .sentence("match {id} is {state}")),
    MethodCommand(
      "event forfeit", "Elimination/ForfeitMatch", summary: "record that a side does not shoot",
      details: "SIDE is 1 or 2.",
      [
        .operand("MATCH", "match_id"), .operand("SIDE", "side"),
        .flag("--reason", "reason", "TEXT", "1 to 200 characters", isNeeded: true),
      ], prints: .sentence("match {id} is {state}")),
    MethodCommand(
      "event reopen", "Elimination/ReopenMatch", summary: "take confirmations of a match back",
      [
        .operand("MATCH", "match_id"),
        .flag("--reason", "reason", "TEXT", "1 to 200 characters", isNeeded: true),
        .switching("--void-later", "void_later", "empty the later matches that depend on it"),
      ], prints: .sentence("match {id} is {state}")),
    MethodCommand(
      "event targets", "Elimination/PlaceMatches",
      summary: "give the matches of a round their targets",
      details:
        "ROUND is 8 for the quarterfinals, 2 for the medal matches. TARGET 0 takes them away.",
      [.operand("STAGE", "stage_id"), .operand("ROUND", "round_size")] + places, prints: bracket),
    MethodCommand(
      "event target", "Elimination/PlaceMatch", summary: "give a match its targets",
      details: "TARGET 0 takes them away.", [.operand("MATCH", "match_id")] + places,
      prints: .sentence("match {id} is {state}")),
  ]

  /// The targets and the start of matches.
  private static let places: [MethodArgument] = [
    .operand("TARGET", "first_target"),
    .flag(
      "--targets", "targets_per_match", "N", "1: both sides on one target, 2: each on its own",
      isNeeded: true),
    .flag("--in", "starts_at_ms", "TIME", "when they start, from now: 2h", .fromNow),
  ]

  private static let bracket = MethodOutput.list(
    "matches",
    [
      "MATCH=id", "ROUND=round_size", "INDEX=index", "START=starts_at_ms", "STATE=state",
      "REVISION=revision",
    ])
}
