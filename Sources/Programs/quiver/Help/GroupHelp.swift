/// The pages of groups of commands.
enum GroupHelp {
  /// Groups that belong together on the first page.
  struct Area: Sendable {
    let title: String
    let groups: [String]
  }

  /// All areas; groups that no area has are in the last one.
  static let areas: [Area] = {
    var areas = [
      Area(title: "Begin", groups: ["login", "logout", "contexts", "whoami", "health"]),
      Area(title: "Events", groups: ["event", "tournament", "board"]),
      Area(
        title: "Your shooting",
        groups: [
          "round", "format", "compare", "performance", "range", "records", "handicap",
          "classification",
        ]),
      Area(title: "Equipment", groups: ["equipment", "setup", "mark"]),
      Area(title: "Training", groups: ["logbook", "plan", "strength", "training"]),
      Area(
        title: "Account", groups: ["profile", "preference", "account", "share", "squad", "invite"]),
      Area(
        title: "Server",
        groups: ["token", "principal", "grant", "certificate", "admin", "top", "version"]),
      Area(title: "Any method", groups: ["call", "methods", "describe"]),
    ]
    let known = Set(areas.flatMap(\.groups))
    var others: [String] = []
    for command in Command.all where !known.contains(String(command.group)) {
      if !others.contains(String(command.group)) { others.append(String(command.group)) }
    }
    if !others.isEmpty { areas.append(Area(title: "Others", groups: others)) }
    return areas
  }()

  private static let summaries: [String: String] = [
    "event": "organise an event: entries, targets, scores, brackets, papers",
    "tournament": "create, join, score and watch tournaments",
    "round": "practice rounds: arrows, conditions, imports",
    "format": "the rounds of the library, and your own",
    "performance": "how a setup, an item or an arrow shoots",
    "range": "the stored range of comparisons",
    "records": "personal bests and the running handicap",
    "handicap": "handicaps of scores, and scores of handicaps",
    "equipment": "risers, limbs, sights, arrows and other items",
    "setup": "bow setups: items that are used together",
    "mark": "sight marks",
    "logbook": "body weight",
    "plan": "the plan of your weight",
    "strength": "the strength log",
    "profile": "your name, time zone, units and bowstyle",
    "preference": "what apps store for you",
    "account": "your data: export, usage, deletion",
    "share": "let others read parts of your data",
    "invite": "codes that create users",
    "token": "tokens: create, list, rotate, revoke",
    "principal": "users, services and administrators",
    "grant": "services that act for users",
    "certificate": "client certificates",
    "admin": "backups, verification, audit, limits",
  ]

  /// What a group is for.
  static func summary(of group: String) -> String {
    if let summary = summaries[group] { return summary }
    if let command = Command.all.first(where: { $0.name == group }) { return command.summary }
    return commands(of: group).map { $0.name.dropFirst(group.count + 1) }.joined(separator: ", ")
  }

  /// The commands whose first word a group is.
  static func commands(of group: String) -> [Command] {
    Command.all.filter { $0.group == group }
  }

  /// The largest number of commands that a page lists with their summaries.
  private static let mostCommands = 40

  static func text(of group: String, _ layout: HelpLayout) -> String {
    let commands = commands(of: group)
    var lines = layout.wrapped("usage: quiver \(group) COMMAND [arguments]") + [""]
    lines += layout.wrapped(sentence(summary(of: group))) + [""]
    let topics = topics(of: group)
    if commands.count > mostCommands, !topics.isEmpty {
      lines += layout.table(
        topics.map { topic in
          let names = topic.commands.map { $0.name.dropFirst(group.count + 1) }
          return (topic.word, names.joined(separator: ", "))
        })
      lines += [""]
      lines += layout.wrapped(
        "`quiver help \(group) WORD` explains the commands of a line, as in"
          + " `quiver help \(group) \(topics[0].word)`; `quiver \(group) COMMAND --help` explains"
          + " one.")
    } else {
      lines += layout.table(commands.map { (String($0.name), $0.summary) })
      lines += [""]
      lines += layout.wrapped("`quiver COMMAND --help` explains one of them.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static func text(of topic: String, in group: String, _ layout: HelpLayout) -> String {
    let commands = topics(of: group).first { $0.word == topic }?.commands ?? []
    var lines = layout.wrapped("usage: quiver \(group) COMMAND [arguments]") + [""]
    lines += layout.table(commands.map { ($0.name, $0.summary) })
    lines += [""] + layout.wrapped("`quiver COMMAND --help` explains one of them.")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// Commands of a large group that belong together.
  struct Topic: Sendable {
    let word: String
    let commands: [Command]
  }

  /// The topics of a group; empty: it has none.
  static func topics(of group: String) -> [Topic] {
    guard group == "event" else { return [] }
    var left = commands(of: group)
    var topics: [Topic] = []
    for (word, names) in eventTopics {
      let found = names.compactMap { name in left.first { $0.name == "event \(name)" } }
      left.removeAll { command in found.contains { $0.name == command.name } }
      topics.append(Topic(word: word, commands: found))
    }
    return left.isEmpty ? topics : topics + [Topic(word: "other", commands: left)]
  }

  /// The words of topics with the commands, in the order of an event.
  static let eventTopics: [(word: String, names: [String])] = [
    (
      "plan",
      [
        "create", "templates", "steps", "categories", "category", "edit-category", "rm-category",
        "add-round", "rm-round", "sessions", "session", "edit-session", "rm-session",
      ]
    ),
    ("entries", ["import", "entries", "entry", "check-in", "state"]),
    ("targets", ["places", "draw", "place", "line"]),
    ("officials", ["officials", "official-code", "appoint", "dismiss", "scorer"]),
    (
      "devices",
      [
        "lease", "codes", "plate-codes", "join", "leave", "leases", "devices", "end-device",
        "report-device",
      ]
    ),
    (
      "day",
      [
        "start", "pause", "resume", "pauses", "notice", "notices", "call", "calls", "resolve-call",
        "finalise", "rehearse",
      ]
    ),
    (
      "scores",
      [
        "standings", "card", "second", "rule", "end-rule", "move-ends", "disputes", "confirm-card",
        "reopen-card", "total",
        "type", "typed", "untype", "import-results",
      ]
    ),
    ("cut", ["cut", "tie", "stages", "rm-stage", "groups", "cut-groups"]),
    ("teams", ["teams", "cut-teams", "substitute"]),
    (
      "matches",
      [
        "bracket", "matches", "targets", "target", "match score", "match", "end", "confirm",
        "forfeit", "reopen", "watch-bracket", "watch-match",
      ]
    ),
    ("papers", ["paper", "plates", "export"]),
  ]
}
