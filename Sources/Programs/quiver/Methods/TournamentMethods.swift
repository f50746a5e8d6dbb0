/// The commands of Tournament that need no code of their own.
enum TournamentMethods {
  static let commands: [MethodCommand] = events + participants + scorers

  private static let events: [MethodCommand] = [
    MethodCommand(
      "tournament list", "Tournament/ListTournaments",
      summary: "list your tournaments, newest first",
      [.switching("--public", "public_only", "list all public tournaments instead of yours")],
      prints: .list(
        "tournaments",
        [
          "ID=id", "NAME=name", "STATUS=status", "PAUSED=paused", "ROUND=format",
          "ARCHERS=participant_count", "ORGANISER=organiser_name",
        ])),
    MethodCommand(
      "tournament show", "Tournament/GetTournament", summary: "show a tournament",
      details: "`quiver tournament archers` lists who takes part.",
      [.operand("EVENT", "id", .named(.event))],
      prints: .object),
    MethodCommand(
      "tournament edit", "Tournament/UpdateTournament", summary: "change a tournament",
      details: "Fields that are not named keep their values. The policy is fixed after the start.",
      [
        .operand("EVENT", "tournament.id", .named(.event)),
        .flag("--name", "tournament.name", "TEXT", "1 to 200 characters"),
        .flag(
          "--public", "tournament.is_public", "yes|no", "--listed, --watchable and --joinable"),
        .flag("--listed", "tournament.listed", "yes|no", "whether it is in the public list"),
        .flag("--watchable", "tournament.watchable", "yes|no", "whether everybody may watch it"),
        .flag("--joinable", "tournament.joinable", "yes|no", "whether everybody may join it"),
        .flag(
          "--names", "tournament.public_names", "FORM",
          "names for others than who takes part: full, initials, bib"),
        .flag(
          "--junior-names", "tournament.junior_names", "FORM",
          "those of archers under 18: full, initials, bib"),
        .flag("--boards-until", "tournament.last_board_day", "DAY", "the last day to watch it"),
        .flag(
          "--corrections", "tournament.correction_consent", "WHO",
          "who must agree to them in full ends: nobody, witness, judge"),
        .flag(
          "--papers", "tournament.scorers_type_papers", "yes|no",
          "whether who scores an archer types its sums on paper"),
        .flag("--max", "tournament.max_participants", "N", "the maximum number of participants"),
        .flag("--policy", "tournament.tie_policy", "POLICY", "how ties are broken"),
        .flag("--guests", "tournament.guests_per_user", "N", "how many guests a user may add"),
        .flag("--guest-limit", "tournament.guest_limit", "N", "how many guests all users may add"),
        .flag("--revision", "tournament.revision", "N", "change it only at this revision"),
      ],
      changes: "tournament", read: "Tournament/GetTournament",
      prints: .sentence("tournament {id} is changed")),
    MethodCommand(
      "tournament pause", "Tournament/PauseTournament", summary: "pause a tournament",
      details: "Arrows wait until `quiver tournament start` resumes it.",
      [.operand("EVENT", "id", .named(.event))],
      prints: .sentence("tournament {id} is paused")),
    MethodCommand(
      "tournament reopen", "Tournament/ReopenTournament", summary: "reopen a finalised tournament",
      [.operand("EVENT", "id", .named(.event)), reason("1 to 200 characters")],
      prints: .sentence("tournament {id} is {status}")),
    MethodCommand(
      "tournament cancel", "Tournament/CancelTournament", summary: "cancel a tournament",
      [
        .operand("EVENT", "id", .named(.event)),
        .flag("--reason", "reason", "TEXT", "at most 200 characters"),
      ], destroys: "cancels event {EVENT}, which cannot be taken back",
      prints: .sentence("tournament {id} is {status}")),
    MethodCommand(
      "tournament rm", "Tournament/DeleteTournament", summary: "delete a tournament without scores",
      [.operand("EVENT", "id", .named(.event))], destroys: "deletes event {EVENT}",
      prints: .sentence("tournament {request.id} is deleted")),
    MethodCommand(
      "tournament policies", "Tournament/ListTiePolicies", summary: "list the tie policies",
      prints: .list(
        "policies",
        ["NAME=name", "FROM=in_force_from_day", "UNTIL=in_force_until_day", "KEYS=keys"])),
  ]

  private static let participants: [MethodCommand] = [
    MethodCommand(
      "tournament archers", "Tournament/ListParticipants", summary: "list who takes part",
      [
        .operand("EVENT", "tournament_id", .named(.event)),
        .switching("--mine", "mine_only", "only you, your guests and those whom you score"),
      ],
      prints: .list(
        "participants",
        [
          "ID=id", "NAME=display_name", "KIND=kind", "STATUS=status", "SCORER=scorer_id|official",
          "TOTAL=score.total", "ARROWS=score.arrow_count",
        ])),
    MethodCommand(
      "tournament withdraw", "Tournament/WithdrawParticipant", summary: "withdraw a participant",
      [
        .operand("ARCHER", "participant_id", .named(.archer)),
        .flag("--reason", "reason", "TEXT", "at most 200 characters"),
      ],
      destroys: "withdraws {ARCHER}", prints: .sentence("participant {id} is {status}")),
    MethodCommand(
      "tournament disqualify", "Tournament/DisqualifyParticipant",
      summary: "disqualify a participant",
      [.operand("ARCHER", "participant_id", .named(.archer)), reason("1 to 200 characters")],
      destroys: "disqualifies {ARCHER}", prints: .sentence("participant {id} is {status}")),
    MethodCommand(
      "tournament reinstate", "Tournament/ReinstateParticipant",
      summary: "make a withdrawn or disqualified participant active again",
      [.operand("ARCHER", "participant_id", .named(.archer)), reason("1 to 200 characters")],
      prints: .sentence("participant {id} is {status}")),
  ]

  private static let scorers: [MethodCommand] = [
    MethodCommand(
      "tournament scorers", "Tournament/ListScorers", summary: "list who scores for others",
      [.operand("EVENT", "tournament_id", .named(.event))],
      prints: .list(
        "scorers",
        ["PRINCIPAL=principal_id", "NAME=display_name", "ASSIGNED=assigned_count"])),
    MethodCommand(
      "tournament appoint", "Tournament/AppointScorer", summary: "let somebody score participants",
      [
        .operand("EVENT", "tournament_id", .named(.event)),
        .operand("PRINCIPAL", "principal_id", .named(.official)),
        .operands("ARCHER", "participant_ids", .named(.archer)),
      ],
      prints: .sentence("{display_name} scores {assigned_count} participants")),
    MethodCommand(
      "tournament dismiss", "Tournament/DismissScorer", summary: "end an appointment",
      [
        .operand("EVENT", "tournament_id", .named(.event)),
        .operand("PRINCIPAL", "principal_id", .named(.official)),
      ], destroys: "ends what {PRINCIPAL} scores for others",
      prints: .sentence("principal {request.principal_id} no longer scores for others")),
    MethodCommand(
      "tournament spectate", "Tournament/GetSpectatorToken",
      summary: "get a token that can only watch a public tournament",
      details: "CODE is the join code. Prints the token to standard output.",
      [.operand("CODE", "join_code")],
      prints: .secret("token", "tournament {tournament_id}, {name}")),
    MethodCommand(
      "tournament late", "Tournament/ListLateOperations",
      summary: "list the arrows that arrived after the end",
      [.operand("EVENT", "tournament_id", .named(.event))],
      prints: .list(
        "operations",
        [
          "ID=id", "ARCHER=operation.participant_id|archer", "END=operation.end_index",
          "ARROW=operation.arrow_index", "VALUE=operation.value|arrow", "KIND=operation.kind",
          "SLOT HAS=arrow.value|arrow", "RECEIVED=received_at_ms",
        ])),
    MethodCommand(
      "tournament admit", "Tournament/AdmitOperations", summary: "apply late arrows",
      details: lateDetails,
      [
        .operand("EVENT", "tournament_id", .named(.event)),
        .operands("ARROW", "operation_ids", .named(.late)),
        reason("1 to 200 characters"),
      ],
      prints: .list(
        "verdicts", ["OPERATION=operation_id", "VERDICT=verdict", "MESSAGE=message"])),
    MethodCommand(
      "tournament reject", "Tournament/RejectOperations", summary: "reject late arrows",
      details: lateDetails,
      [
        .operand("EVENT", "tournament_id", .named(.event)),
        .operands("ARROW", "operation_ids", .named(.late)),
        reason("1 to 200 characters"),
      ],
      prints: .sentence("operations {request.operation_ids} are rejected")),
  ]

  private static let lateDetails = """
    ARROW is the bib or the place of the archer with the end and the arrow as 12B-3-1, counted from
    1, or the id of `quiver tournament late`.
    """

  private static func reason(_ help: String) -> MethodArgument {
    .flag("--reason", "reason", "TEXT", help, isNeeded: true)
  }
}
