import QuiverAPI
import QuiverProtobuf

/// The commands of Events that need no code of their own.
enum EventMethods {
  static let commands: [MethodCommand] =
    categories + entries + sessions + officials
    + standings + cards + leases + line

  private static let event = MethodArgument.operand(
    "EVENT", "tournament_id", .named(.event))

  private static let categories: [MethodCommand] = [
    MethodCommand(
      "event steps", "Events/GetEventProgress",
      summary: "list the steps of an event's day, and what is missing",
      details: "`quiver event create` creates an event.", [event],
      prints: .list("steps", ["STEP=kind", "DONE=done", "MISSING=missing"]),
      examples: ["event steps Indoor"]),
    MethodCommand(
      "event categories", "Events/ListEventCategories", summary: "list the categories of an event",
      [event],
      prints: .list(
        "categories",
        [
          "ID=id", "CODE=code", "NAME=name", "BOW=bowstyle", "GENDER=gender", "AGE=age_group",
          "ROUND=format", "POLICY=tie_policy", "ENTRIES=entry_count", "REVISION=revision",
        ])),
    MethodCommand(
      "event add-round", "Events/AddQualificationRound",
      summary: "add a round to the qualification of a category",
      details: """
        Totals, ties and cuts are those of all rounds. A session has --number N to shoot the N-th.
        """,
      [
        event, .operand("CATEGORY", "category_id", .named(.category)),
        .flag("--round", "format", "ROUND", "what is shot", .round, isNeeded: true),
        .flag("--before", "before", "N", "the number of the round after it, if not the last"),
        ofRevision("revision"),
      ],
      revision: RevisionSource("Events/ListEventCategories", list: "categories", id: "category_id"),
      prints: .sentence("category {code} has {format.name}, revision {revision}")),
    MethodCommand(
      "event rm-round", "Events/RemoveQualificationRound",
      summary: "remove a round of the qualification of a category",
      [
        event, .operand("CATEGORY", "category_id", .named(.category)),
        .operand("NUMBER", "number"),
        ofRevision("revision"),
      ],
      revision: RevisionSource("Events/ListEventCategories", list: "categories", id: "category_id"),
      destroys: "removes round {NUMBER} of the qualification of category {CATEGORY}",
      prints: .sentence("category {code} has {format.name}, revision {revision}")),
    MethodCommand(
      "event category", "Events/CreateEventCategory", summary: "add a category to an event",
      [
        .operand("EVENT", "category.tournament_id", .named(.event)),
        .operand("CODE", "category.code"),
      ]
        + categoryFlags + [
          .flag("--round", "format", "ROUND", "its round, if not the event's", .round)
        ],
      prints: .sentence("category {id} is {code}")),
    MethodCommand(
      "event edit-category", "Events/UpdateEventCategory", summary: "change a category",
      details: "What is not named stays; an empty text clears a field. The round stays.",
      [
        .operand("EVENT", "category.tournament_id", .named(.event)),
        .operand("CATEGORY", "category.id", .named(.category)),
        .flag("--code", "category.code", "TEXT", "1 to 16 characters"),
        ofRevision("category.revision"),
      ] + categoryFlags,
      revision: RevisionSource(
        "Events/ListEventCategories", list: "categories", id: "category.id", object: "category"),
      prints: .sentence("category {id} is {code}")),
    MethodCommand(
      "event rm-category", "Events/DeleteEventCategory",
      summary: "delete a category without entries",
      [event, .operand("CATEGORY", "category_id", .named(.category))],
      destroys: "deletes category {CATEGORY}",
      prints: .sentence("category {request.category_id} is deleted")),
  ]

  private static func ofRevision(_ path: String) -> MethodArgument {
    .flag("--revision", path, "N", "change it only at this revision")
  }

  private static func words(_ schema: EnumSchema) -> String {
    EnumWord.all(schema).joined(separator: ", ")
  }

  private static let categoryFlags: [MethodArgument] = [
    .flag("--name", "category.name", "TEXT", "at most 200 characters"),
    .flag("--bow", "category.bowstyle", "BOWSTYLE", words(Bowstyle.schema)),
    .flag("--gender", "category.gender", "GENDER", words(ArcherGender.schema)),
    .flag("--age", "category.age_group", "AGE", words(AgeGroup.schema)),
    .flag("--policy", "category.tie_policy", "POLICY", "how ties are broken, if not as the event"),
  ]

  private static let entries: [MethodCommand] = [
    MethodCommand(
      "event entries", "Events/ListEventEntries", summary: "list the entries of an event",
      [event] + filters,
      prints: .list(
        "entries",
        [
          "ID=participant_id", "BIB=bib", "NAME=display_name", "CLUB=club", "COUNTRY=country",
          "CATEGORY=category_code", "SESSION=session_id|session", "TARGET=target|none",
          "LETTER=letter", "STATE=state",
        ])),
    MethodCommand(
      "event entry", "Events/UpdateEventEntry", summary: "change an entry",
      details: "What is not named stays. Another session takes the place in its round away.",
      [
        .operand("ARCHER", "entry.participant_id", .named(.archer)),
        .flag("--name", "entry.display_name", "TEXT", "1 to 50 characters"),
        .flag("--bib", "entry.bib", "TEXT", "unique in the event"),
        .flag("--club", "entry.club", "TEXT", "at most 100 characters"),
        .flag("--country", "entry.country", "TEXT", "at most 100 characters"),
        .flag("--licence", "entry.licence", "TEXT", "at most 100 characters"),
        .flag(
          "--category", "entry.category_id", "CATEGORY", "another category", .named(.category)),
        .flag(
          "--session", "entry.session_id", "SESSION", "a session; 0: none in any round",
          .named(.session)),
        .flag("--bow", "entry.bowstyle", "BOWSTYLE", words(Bowstyle.schema)),
        .flag("--gender", "entry.gender", "GENDER", words(ArcherGender.schema)),
        .flag("--age", "entry.age_group", "AGE", words(AgeGroup.schema)),
        .flag("--fixed", "entry.fixed_place", "yes|no", "draws leave its place to it"),
        .flag("--wheelchair", "entry.wheelchair", "yes|no", "drawn to targets for wheelchairs"),
        .flag("--face", "entry.face_layout", "FACE", words(FaceLayout.schema)),
        .flag("--shown", "entry.public_name", "FORM", "its name in public: full, initials, bib"),
        ofRevision("expected_revision"),
      ], changes: "entry", prints: .sentence("{display_name} is changed")),
    MethodCommand(
      "event state", "Events/SetEventEntryState",
      summary: "check an entry in, or note that it did not start or finish",
      [
        .operand("ARCHER", "participant_id", .named(.archer)), .operand("STATE", "state"),
        .flag("--reason", "reason", "TEXT", "at most 200 characters"),
        ofRevision("expected_revision"),
      ], prints: .sentence("{display_name} is {state}")),
  ]

  private static let filters: [MethodArgument] = [
    .flag("--category", "category_id", "CATEGORY", "only this category", .named(.category)),
    .flag("--session", "session_id", "SESSION", "only this session", .named(.session)),
    .flag("--club", "club", "TEXT", "only this club"),
  ]

  private static let sessions: [MethodCommand] = [
    MethodCommand(
      "event sessions", "Events/ListEventSessions", summary: "list the sessions of an event",
      [event],
      prints: .list(
        "sessions",
        [
          "ID=id", "NAME=name", "START=starts_at_ms", "FIRST=first_target", "LAST=last_target",
          "ON A TARGET=archers_per_target", "ENTRIES=entry_count", "DRAWN=drawn_at_ms",
          "SEED=draw_seed", "ROUND=round", "BLOCKED=blocked_places",
          "WHEELCHAIRS=wheelchair_targets", "REVISION=revision",
        ])),
    MethodCommand(
      "event session", "Events/CreateEventSession", summary: "add a session with targets",
      [
        .operand("EVENT", "session.tournament_id", .named(.event)),
        .operand("NAME", "session.name"),
      ]
        + sessionFlags(areNeeded: true),
      prints: .sentence("session {id} has the targets {first_target} to {last_target}")),
    MethodCommand(
      "event edit-session", "Events/UpdateEventSession", summary: "change a session",
      details: "What is not named stays.",
      [
        .operand("EVENT", "session.tournament_id", .named(.event)),
        .operand("SESSION", "session.id", .named(.session)),
        .flag("--name", "session.name", "TEXT", "1 to 200 characters"),
        ofRevision("session.revision"),
      ] + sessionFlags(areNeeded: false),
      revision: RevisionSource(
        "Events/ListEventSessions", list: "sessions", id: "session.id", object: "session"),
      prints: .sentence("session {id} has the targets {first_target} to {last_target}")),
    MethodCommand(
      "event rm-session", "Events/DeleteEventSession", summary: "delete a session without entries",
      [event, .operand("SESSION", "session_id", .named(.session))],
      destroys: "deletes session {SESSION}",
      prints: .sentence("session {request.session_id} is deleted")),
    MethodCommand(
      "event places", "Events/SetSessionPlaces",
      summary: "block places of a session, and name its targets for wheelchairs",
      details: """
        Nobody is drawn, moved or imported to a blocked place. A draw gives archers in wheelchairs
        places on these targets first, and others only where no other place is free. What is not
        named is not blocked any more.
        """,
      [
        event, .operand("SESSION", "session_id", .named(.session)),
        .flag(
          "--block", "blocked_places", "PLACE", "as 4C, or 4 for a whole target; repeatable",
          repeats: true),
        .flag(
          "--wheelchair", "wheelchair_targets", "TARGET", "for wheelchairs first; repeatable",
          repeats: true),
        ofRevision("expected_revision"),
      ], prints: .sentence("the places of session {id} are set")),
    MethodCommand(
      "event draw", "Events/DrawTargets", summary: "draw entries to targets",
      details: """
        METHOD is random, which spreads the archers of a club, or ranking, which has the best on the
        first target. All waiting entries of the session are drawn, or none.
        """,
      [
        event, .operand("SESSION", "session_id", .named(.session)), .operand("METHOD", "method"),
        .flag("--category", "category_id", "CATEGORY", "only this category", .named(.category)),
        .flag("--first", "first_target", "N", "from this target"),
        .flag("--last", "last_target", "N", "to this target"),
        .flag("--seed", "seed", "N", "repeats the draw of this seed"),
        .switching("--redraw", "redraw", "entries that have a place too"),
        .switching("--waiting", "include_waiting", "entries without a session in its round too"),
      ],
      prints: .list(
        "entries",
        [
          "TARGET=target", "LETTER=letter", "BIB=bib", "NAME=display_name", "CLUB=club",
          "CATEGORY=category_code", "ID=participant_id",
        ])),
    MethodCommand(
      "event place", "Events/PlaceEventEntry", summary: "move an entry to a place",
      details: "TARGET 0 removes the place. Scores stay.",
      [
        .operand("ARCHER", "participant_id", .named(.archer)),
        .operand("SESSION", "session_id", .named(.session)),
        .operand("TARGET", "target"), .optional("LETTER", "letter"),
        .switching("--swap", "swap", "the archer who has the place gets the old one"),
        ofRevision("expected_revision"),
      ], prints: .sentence("{display_name} is on target {target}{letter}")),
  ]

  private static func sessionFlags(areNeeded: Bool) -> [MethodArgument] {
    [
      .flag("--first", "session.first_target", "N", "the first target", isNeeded: areNeeded),
      .flag("--last", "session.last_target", "N", "the last target", isNeeded: areNeeded),
      .flag(
        "--archers", "session.archers_per_target", "N", "archers on a target: 1 to 4",
        isNeeded: areNeeded),
    ] + MethodArgument.start("session.starts_at_ms") + [
      .flag("--number", "session.round", "N", "shoots the N-th round of its categories; else 1")
    ]
  }

  private static let officials: [MethodCommand] = [
    MethodCommand(
      "event officials", "Events/ListEventOfficials", summary: "list the officials of an event",
      [event],
      prints: .list(
        "officials", ["PRINCIPAL=principal_id", "NAME=display_name", "ROLE=role"])),
    MethodCommand(
      "event appoint", "Events/SetEventOfficial", summary: "give a principal a role",
      details: """
        PRINCIPAL is the code that quiver account code prints for the person, the name of a \
        participant with an account or of an official, or the id of somebody in an event of yours.
        """,
      [event, .operand("PRINCIPAL", "principal_id", .named(.official)), .operand("ROLE", "role")],
      prints: .sentence("{display_name} is {role}")),
    MethodCommand(
      "event official-code", "Events/CreateOfficialCode",
      summary: "appoint somebody without an account, who signs in by the code",
      details: """
        The code works once within 7 days, on the desk or the pages of judges and of check-in, \
        and is shown once. Who signs in by it is bound to the event.
        """,
      [event, .operand("ROLE", "role"), .operand("NAME", "display_name")],
      prints: .sentence("{code}")),
    MethodCommand(
      "event dismiss", "Events/RemoveEventOfficial", summary: "remove the role of a principal",
      [event, .operand("PRINCIPAL", "principal_id", .named(.official))],
      destroys: "takes the role of {PRINCIPAL} away",
      prints: .sentence("principal {request.principal_id} has no role")),
  ]

  private static let standings: [MethodCommand] = [
    MethodCommand(
      "event scorer", "Tournament/AppointScorer",
      summary: "let somebody score the entries on targets",
      [
        event, .operand("PRINCIPAL", "principal_id", .named(.official)),
        .operand("SESSION", "session_id", .named(.session)), .operands("TARGET", "targets"),
      ], prints: .sentence("{display_name} scores {assigned_count} participants")),
    MethodCommand(
      "event standings", "Events/GetCategoryStandings",
      summary: "rank a category, a session or a club", [event] + filters,
      prints: .list(
        "rows",
        [
          "RANK=row.rank", "BIB=entry.bib", "NAME=row.display_name", "CLUB=entry.club",
          "CATEGORY=entry.category_code", "ROUNDS=rounds", "TOTAL=row.total", "X=row.x_count",
          "10=row.ten_count", "TYPED=row.typed", "UNKNOWN=missing_key.kind",
          "STATE=entry.state", "TIE=tie_decision", "CARD=card.status", "ID=row.participant_id",
        ])),
  ]

  private static let cards: [MethodCommand] = [
    MethodCommand(
      "event card", "Events/GetComparedCard", summary: "show both cards of an archer",
      [.operand("ARCHER", "participant_id", .named(.archer))], prints: .object),
    MethodCommand(
      "event total", "Events/SetPaperTotal", summary: "store the total of a paper card",
      details: """
        Without TOTAL it is removed. It is that of the whole card, or of one distance. Once archer
        and scorer have confirmed, the lower one of each sum counts.
        """,
      [
        .operand("ARCHER", "participant_id", .named(.archer)), .optional("TOTAL", "total"),
        .flag("--distance", "part", "N", "the number of a distance, from 1"),
        .flag("--hits", "hits", "N", "arrows above 0"),
        .flag("--golds", "golds", "N", "arrows of the top value, X included"),
        .flag("--x", "x_count", "N", "the number of X"),
      ],
      prints: .sentence("participant {participant_id} has {total}, revision {revision}")),
    MethodCommand(
      "event type", "Events/SetTypedTotal",
      summary: "type the total of a distance, or of the round, from a paper",
      details: """
        It counts instead of the arrows of that part, in standings, cuts and results. PART is the
        number of a distance, from 1; 0: the whole round. A count that is not given is not known,
        and tells nobody apart.
        """,
      [
        .operand("ARCHER", "participant_id", .named(.archer)), .operand("PART", "part"),
        .operand("TOTAL", "sums.total"),
        .flag("--hits", "sums.hits", "N", "arrows above 0"),
        .flag("--golds", "sums.golds", "N", "arrows of the top value, Xs included"),
        .flag("--x", "sums.x_count", "N", "the number of X"),
        .flag("--paper", "paper", "TEXT", "which paper it is from; at most 200 characters"),
        .flag("--shot", "shot_at_ms", "TIME", "how long ago it was shot, as in 2d or 5h", .ago),
        .flag(
          "--replaces", "replaces_id", "TYPED", "the typed total that is corrected, as part-1",
          .named(.typed)),
        .flag("--reason", "reason", "TEXT", "of a correction: 1 to 200 characters"),
      ],
      prints: .sentence(
        "typed total {id}: part {part} of {display_name} has {sums.total}")),
    MethodCommand(
      "event typed", "Events/ListTypedTotals",
      summary: "list the totals that are typed from papers",
      [
        event, .flag("--archer", "participant_id", "ARCHER", "of one archer", .named(.archer)),
        .switching("--with-ended", "with_ended", "also those that were corrected or removed"),
      ],
      prints: .list(
        "totals",
        [
          "ID=id", "ARCHER=display_name", "PART=part", "TOTAL=sums.total",
          "HITS=sums.hits", "GOLDS=sums.golds", "X=sums.x_count", "PAPER=paper",
          "TYPED-BY=typed_by_name", "TYPED=typed_at_ms", "ENDED=ended_at_ms", "REASON=reason",
        ])),
    MethodCommand(
      "event untype", "Events/RemoveTypedTotal",
      summary: "remove a typed total, so that the arrows count",
      [
        .operand("ARCHER", "participant_id", .named(.archer)),
        .operand("TYPED", "id", .named(.typed)),
        .flag("--reason", "reason", "TEXT", "1 to 200 characters", isNeeded: true),
      ], destroys: "removes the typed total {TYPED} of {ARCHER}",
      prints: .sentence("typed total {request.id} is removed")),
    MethodCommand(
      "event reopen-card", "Events/ReopenScoreCard",
      summary: "revoke the confirmations of a score card",
      [
        .operand("ARCHER", "participant_id", .named(.archer)),
        .flag("--reason", "reason", "TEXT", "1 to 200 characters", isNeeded: true),
        .flag("--distance", "part", "N", "only those of a distance, from 1"),
      ], destroys: "revokes the confirmations of the card of {ARCHER}",
      prints: .sentence("participant {participant_id} has {total}, revision {revision}")),
    MethodCommand(
      "event disputes", "Events/ListCardDisputes", summary: "list the ends on which cards differ",
      [event],
      prints: .list(
        "disputes",
        [
          "ID=participant_id", "BIB=bib", "NAME=display_name", "TARGET=target|none",
          "LETTER=letter", "END=end_index",
        ])),
  ]

  private static let leases: [MethodCommand] = [
    MethodCommand(
      "event lease", "Events/SetEventLeases",
      summary: "have only the device that joined a target score it",
      details: "Without --on the event no longer demands leases, and all of them end.",
      [
        event, .switching("--on", "demanded", "demand leases"),
        .switching("--new-codes", "new_codes", "replace the codes; earlier ones become invalid"),
      ],
      destroys: Destruction(
        "replaces all codes of targets of event {EVENT}: printed ones no longer work",
        with: "--new-codes"),
      prints: .sentence("the leases of event {request.tournament_id} are set")),
    MethodCommand(
      "event templates", "Events/ListEventTemplates", summary: "list events of usual kinds",
      details: "`quiver event create --template KEY` creates one.",
      prints: .list(
        "templates",
        [
          "KEY=key", "NAME=name", "POLICY=tie_policy", "ARCHERS=archers_per_target",
          "DETAILS=details",
        ])),
    MethodCommand(
      "event codes", "Events/ListTargetCodes", summary: "list the codes with which devices join",
      details: "Of a session, or of the targets of matches from --first to --last.",
      [
        event, .optional("SESSION", "session_id", .named(.session)),
        .flag("--first", "first_target", "N", "the first target of matches"),
        .flag("--last", "last_target", "N", "the last target of matches"),
      ], prints: .targetCodes),
    MethodCommand(
      "event plate-codes", "Events/CreatePlateCodes",
      summary: "list the codes of plates, which name a target all day",
      details: "Of all targets of the event, or of those from --first to --last.",
      [
        event, .flag("--first", "first_target", "N", "the first target"),
        .flag("--last", "last_target", "N", "the last target"),
      ], prints: .targetCodes),
    MethodCommand(
      "event devices", "Events/ListEventDevices",
      summary: "list the devices that joined with a code alone",
      [event],
      prints: .list(
        "devices",
        [
          "ID=principal_id", "DEVICE=device", "LEASES=lease_count", "CALLED=last_call_at_ms",
          "ENDED=ended_at_ms", "WAITING=report.waiting_operations",
          "SINCE=report.waiting_since_ms", "PAGE=report.page_version",
          "BATTERY=report.battery_percent",
        ])),
    MethodCommand(
      "event end-device", "Events/EndDevice", summary: "end a device; what it sends later is late",
      [event, .operand("DEVICE", "principal_id", .named(.device))],
      destroys: "ends device {DEVICE}, whose later arrows are late",
      prints: .sentence("device {request.principal_id} has ended")),
    MethodCommand(
      "event call", "Events/RaiseTargetCall", summary: "call an official to a target",
      details: "SESSION 0 is that of matches.",
      [
        event, .operand("SESSION", "session_id", .named(.session)), .operand("TARGET", "target"),
        .operand("KIND", "kind"),
        .flag("--participant", "participant_id", "ARCHER", "who it is about", .named(.archer)),
        .flag("--owed", "owed_arrows", "N", "arrows that are owed after an equipment failure"),
        .flag("--end", "end_index", "END", "the end in which they are owed, from 1"),
        .flag("--text", "text", "TEXT", "at most 300 characters"),
      ], prints: .sentence("call {id} is raised from target {target}")),
    MethodCommand(
      "event calls", "Events/ListTargetCalls", summary: "list the calls from targets, newest first",
      [event, .switching("--all", "include_resolved", "those that are resolved too")],
      prints: .list(
        "calls",
        [
          "ID=id", "SESSION=session_id|session", "TARGET=target", "KIND=kind", "NAME=display_name",
          "OWED=owed_arrows|none", "END=end_index", "TEXT=text", "BY=raised_by",
          "RAISED=raised_at_ms", "DECISION=decision",
        ])),
    MethodCommand(
      "event resolve-call", "Events/ResolveTargetCall", summary: "say what was decided of a call",
      [event, .operand("CALL", "call_id", .named(.call)), .operand("DECISION", "decision")],
      prints: .sentence("call {id} is resolved: {decision}")),
    MethodCommand(
      "event deliver", "Events/DeliverOperations",
      summary: "deliver arrows that a device without a connection has signed",
      details: "TEXT is what its code shows behind #. It has its effect once, as that device.",
      [.operand("TEXT", "text")],
      prints: .list("verdicts", ["VERDICT=verdict", "MESSAGE=message"]),
      examples: ["event deliver \"$(<code.txt)\""]),
    MethodCommand(
      "event report-device", "Events/ReportDevice",
      summary: "say how this device is, with its own token",
      [
        .flag("--waiting", "report.waiting_operations", "N", "operations that wait"),
        .flag("--since", "report.waiting_since_ms", "TIME", "since when they wait", .instant),
        .flag("--page", "report.page_version", "TEXT", "the version of the page"),
        .flag("--battery", "report.battery_percent", "N", "from 0 to 100"),
      ], prints: .sentence("the report is stored")),
    MethodCommand(
      "event leave", "Events/LeaveTarget", summary: "end the lease on a target",
      details: "SESSION 0 is that of matches.",
      [
        event, .operand("SESSION", "session_id", .named(.session)), .operand("TARGET", "target"),
        .operand("CARD", "card"),
      ], prints: .sentence("target {request.target} is free")),
    MethodCommand(
      "event leases", "Events/ListTargetLeases", summary: "list which device scores which target",
      [event],
      prints: .list(
        "leases",
        [
          "SESSION=session_id|session", "TARGET=target", "CARD=card", "DEVICE=device",
          "NAME=display_name", "EXPIRES=expires_at_ms", "TAKEN FROM=taken_over_from",
        ])),
  ]
}
