/// The commands of Rounds and Comparison that need no code of their own.
enum RoundMethods {
  static let commands: [MethodCommand] = formats + sessions + comparison

  private static let formats: [MethodCommand] = [
    MethodCommand(
      "format list", "Rounds/ListFormats", summary: "list the rounds of the library and your own",
      [.switching("--own", "own_only", "only your own")],
      prints: .list(
        "formats",
        [
          "ID=id", "CODENAME=codename", "NAME=name", "BODY=body", "PLACE=location",
          "ARROWS=arrow_count", "ENDS=end_count", "MAXIMUM=maximum_score",
        ])),
    MethodCommand(
      "format show", "Rounds/GetFormat", summary: "show a round and its passes",
      details: "ROUND is a codename like wa18, or the name or id of a round of your own.",
      [.operand("ROUND", "format", .round)], prints: .object),
    MethodCommand(
      "format add", "Rounds/CreateFormat", summary: "add a round of your own",
      [
        .operand("NAME", "format.name"),
        .flag(
          "--pass", "format.passes", "PASS",
          "ARROWS,DISTANCE,FACE,DIAMETER[,ARROWS-PER-END], like 36,70m,10-zone,122,6; may be given"
            + " more than once", .pass, repeats: true, isNeeded: true),
        .flag("--place", "format.location", "PLACE", "indoor, outdoor or field", isNeeded: true),
        .flag("--body", "format.body", "TEXT", "the organisation that published it"),
      ],
      prints: .sentence("format {id} is added: {arrow_count} arrows, {maximum_score} points")),
    MethodCommand(
      "format rm", "Rounds/DeleteFormat", summary: "remove a round of your own from the list",
      details: "Rounds that use it keep it.",
      [.operand("ROUND", "id", .named(.ownRound))],
      destroys: "removes round {ROUND} from the list",
      prints: .sentence("format {request.id} is deleted")),
    MethodCommand(
      "format faces", "Rounds/ListFaces", summary: "list the target faces",
      prints: .list(
        "faces", ["FACE=face", "VALUES=values", "X RING=x_ring", "TOP=top_value"])),
  ]

  private static let sessions: [MethodCommand] = [
    MethodCommand(
      "round list", "Rounds/ListSessions", summary: "list your practice rounds, newest first",
      [.switching("--tournaments", "include_tournaments", "tournaments too")],
      prints: .list(
        "sessions",
        [
          "ID=id", "ROUND=format", "TOURNAMENT=tournament", "CREATED=created_at_ms",
          "NOTES=notes",
        ])),
    MethodCommand(
      "round show", "Rounds/GetSession", summary: "show a practice round and its archers",
      [practice], prints: .object),
    MethodCommand(
      "round start", "Rounds/CreateSession", summary: "start a practice round",
      details: """
        ROUND is a codename like wa18, or the name or id of a round of your own. `quiver round end`
        stores its ends. `quiver round shoot` starts one and enters its ends at the keyboard.
        """,
      [
        .operand("ROUND", "format", .round),
        .flag("--arrows", "format.arrow_limit", "N", "only the first N arrows of the round"),
        .flag(
          "--guest", "guests", "NAME", "somebody who shoots with you; at most 3", .name,
          repeats: true),
        .flag("--setup", "setup_id", "SETUP", "the bow setup that you shoot", .named(.setup)),
        .flag("--bowstyle", "bowstyle", "BOWSTYLE", "by default the profile's"),
        .flag("--notes", "notes", "TEXT", "at most 4,000 characters"),
      ] + conditions,
      prints: .sentence("round {id} is started; quiver round show {id} lists its participants")),
    MethodCommand(
      "round add", "Rounds/CreateSession", summary: "add a round that was shot, without its arrows",
      details: """
        ROUND is a codename like wa18, or the name or id of a round of your own, and TOTAL its
        score. It counts for personal bests, handicaps and the training log, and for no statistics
        of arrows.
        """,
      [
        .operand("ROUND", "format", .round), .operand("TOTAL", "past.sums.total"),
        .flag("--date", "past.shot_at_ms", "DAY", "as YYYY-MM-DD", .day, isNeeded: true),
        .flag("--hits", "past.sums.hits", "N", "arrows above 0"),
        .flag("--golds", "past.sums.golds", "N", "arrows of the top value, Xs included"),
        .flag("--x", "past.sums.x_count", "N", "the number of X"),
        .flag("--status", "past.status", "STATUS", "practice, club, open or record"),
        .flag("--bowstyle", "bowstyle", "BOWSTYLE", "by default the profile's"),
        .flag("--notes", "notes", "TEXT", "at most 4,000 characters"),
      ] + conditions,
      prints: .sentence("round {id} is added")),
    MethodCommand(
      "round conditions", "Rounds/SetSessionConditions",
      summary: "set the place, weather, wind and light of a practice round",
      details: "A condition that is not given becomes unknown. Comparisons separate conditions.",
      [practice] + conditions,
      prints: .sentence("the conditions of round {id} are stored")),
    MethodCommand(
      "round rm", "Rounds/DeleteSession", summary: "delete a practice round with its arrows",
      [practice], destroys: "deletes practice round {PRACTICE} with its arrows",
      prints: .sentence("round {request.id} is deleted")),
    MethodCommand(
      "round guest", "Rounds/AddSessionGuest", summary: "add a guest to a practice round",
      [practice, .operand("NAME", "guest", .name)],
      prints: .sentence("{request.guest} shoots in round {id}")),
    MethodCommand(
      "round setup", "Rounds/SetRoundSetup", summary: "set the bow setup of a round",
      [
        .operand("ARCHER", "participant_id", .named(.shooter)),
        .operand("SETUP", "setup_id", .named(.setup)),
      ],
      prints: .sentence("participant {participant_id} shoots setup {setup_id}")),
    status("pause", "ROUND_STATUS_PAUSED", "pause a practice round"),
    status("resume", "ROUND_STATUS_IN_PROGRESS", "resume a paused practice round"),
    status("complete", "ROUND_STATUS_COMPLETED", "end a practice round before its last arrow"),
    status("cancel", "ROUND_STATUS_CANCELLED", "cancel a practice round"),
  ]

  private static let practice = MethodArgument.operand("PRACTICE", "id", .named(.practice))

  private static let conditions: [MethodArgument] = [
    .flag("--place", "conditions.place", "NAME", "the place, at most 200 characters"),
    .flag("--weather", "conditions.weather", "WEATHER", "clear, cloudy, rain, snow or fog"),
    .flag("--wind", "conditions.wind", "WIND", "calm, light, moderate or strong"),
    .flag("--light", "conditions.light", "LIGHT", "bright, dull, dim or artificial"),
  ]

  private static func status(_ word: String, _ status: String, _ summary: String) -> MethodCommand {
    MethodCommand(
      "round \(word)", "Rounds/SetRoundStatus", summary: summary,
      details: "ARCHER is who shoots in your last practice round, or in that of --practice.",
      [.operand("ARCHER", "participant_id", .named(.shooter)), .fixed("status", status)],
      prints: .sentence("the round of participant {participant_id} is {status}"))
  }

  private static let comparison: [MethodCommand] = [
    MethodCommand(
      "performance setup", "Comparison/GetSetupPerformance",
      summary: "show how a bow setup shoots",
      [
        .operand("SETUP", "setup.id", .named(.setup)),
        .flag("--range", "range", "RANGE", RangeWord.usage + "; else the stored one", .range),
        .switching("--unfinished", "include_unfinished", "also use rounds in progress"),
      ], prints: .object),
    MethodCommand(
      "performance item", "Comparison/GetItemPerformance",
      summary: "show how an item of equipment shoots",
      [
        .operand("ITEM", "equipment_id", .named(.item)),
        .flag("--range", "range", "RANGE", RangeWord.usage + "; else the stored one", .range),
        .switching("--unfinished", "include_unfinished", "also use rounds in progress"),
      ], prints: .object),
    MethodCommand(
      "performance arrows", "Comparison/GetArrowNumbers",
      summary: "show how the first, the second and further arrows of an end score",
      [
        .operand("SETUP", "setup.id", .named(.setup)),
        .switching("--by-shaft", "by_shaft", "by the number of the shaft, not the turn in the end"),
        .flag("--range", "range", "RANGE", RangeWord.usage + "; else the stored one", .range),
      ],
      prints: .list(
        "numbers",
        [
          "ARROW=number", "ARROWS=performance.total_arrows", "AVERAGE=performance.average_score",
          "ACCURACY %=performance.accuracy_percent",
        ])),
    MethodCommand(
      "range show", "Comparison/GetRange", summary: "show the stored range of comparisons",
      prints: .object),
    MethodCommand(
      "range set", "Comparison/SetRange", summary: "store the range of comparisons",
      [.operand("RANGE", "range", .range)], prints: .sentence("the range is stored")),
  ]
}
