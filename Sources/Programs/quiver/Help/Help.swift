import QuiverCommandLine

/// The content of `--help`, the manual page and the completions.
enum Help {
  /// The most lines of a page in the standard width, which a test compares.
  static let mostLines = 60

  /// The page that the words ask for.
  static func text(of page: HelpPage, _ layout: HelpLayout = HelpLayout()) throws(Failure) -> String
  {
    switch page {
    case .overview: overview(layout)
    case .flags: flags(layout)
    case .group(let name): GroupHelp.text(of: name, layout)
    case .topic(let group, let topic): GroupHelp.text(of: topic, in: group, layout)
    case .command(let command): CommandHelp(command).text(layout)
    case .type(let command, let type): CommandHelp(command).text(layout, of: type)
    case .search(let words): try HelpSearch.text(words, layout)
    }
  }

  /// The page without arguments: where to begin, and the groups of commands.
  static func overview(_ layout: HelpLayout) -> String {
    var lines = ["usage: quiver COMMAND [arguments]", ""]
    for area in GroupHelp.areas {
      lines.append(area.title)
      lines += layout.table(area.groups.map { ($0, GroupHelp.summary(of: $0)) })
    }
    lines += [""]
    lines += layout.wrapped(
      "`quiver GROUP --help` lists the commands of a group, `quiver COMMAND --help` explains one,"
        + " `quiver help WORD` searches all of them, and `quiver help flags` lists the flags of"
        + " every command and the exit codes.")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The flags of every command, and the exit codes.
  private static func flags(_ layout: HelpLayout) -> String {
    var lines = ["Flags of every command"]
    lines += layout.table(Flag.global.map { ($0.usage, $0.help) })
    lines += ["", "Exit codes"]
    lines += layout.table([
      ("0", "done"), ("64", "the arguments, a file or a JSON text cannot be used"),
      (
        "65 to 80",
        "64 plus the status code: 68 DEADLINE_EXCEEDED, 69 NOT_FOUND, 71 PERMISSION_DENIED,"
          + " 74 ABORTED, 78 UNAVAILABLE, 80 UNAUTHENTICATED and so on"
      ),
      ("74", "also: standard output cannot be written"),
      ("141", "the reader of standard output has closed the pipe"),
    ])
    lines += [""]
    lines += layout.wrapped(
      "Results go to standard output, everything else to standard error. The server and the token"
        + " are those of a flag, else of the environment, else of the context of quiver login; -v"
        + " says which.")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The whole program, for the manual page and the completions.
  static let program: ProgramHelp = {
    var help = ProgramHelp(
      "quiver", manualSection: 1, "call a Quiver server", usages: ["COMMAND [arguments]"])
    help.paragraphs = [
      "Calls a Quiver server. Results go to standard output, everything else to standard error."
    ]
    help.commands = Command.all.map { command in
      ProgramHelp.Command(
        command.name, operands: command.operands, command.summary, details: command.details,
        flags: command.flags.map(\.described))
    }
    help.sections = [.init("Flags of every command", Flag.global.map(\.described))]
    help.exitCodes = [
      .init("0", "done"),
      .init("64", "the arguments, a file or a JSON text cannot be used"),
      .init(
        "65 to 80",
        "64 plus the status code: 68 DEADLINE_EXCEEDED, 69 NOT_FOUND, 78 UNAVAILABLE, 80"
          + " UNAUTHENTICATED and so on"),
      .init("74", "also: standard output cannot be written"),
      .init("141", "the reader of standard output has closed the pipe"),
    ]
    help.environment = [
      .init("QUIVER_SERVER", "the server, where --server does not name it"),
      .init("QUIVER_TOKEN_FILE", "the file of the token, where --token-file does not name it"),
      .init("QUIVER_CA", "the trusted authorities, where --ca does not name them"),
      .init("QUIVER_CONTEXT", "the stored login, where --context does not name it"),
      .init("QUIVER_EVENT", "the event of names and bibs, where --event does not name it"),
      .init("TZ", "the zone in which times are read and shown"),
    ]
    help.files = [.init("~/.config/quiver", "logins that quiver login stored, and the token")]
    help.related = ["quiver-load(1)", "quiverd(8)"]
    return help
  }()
}

/// A page of the help.
enum HelpPage: Sendable {
  case overview
  case flags
  case group(String)
  case topic(group: String, topic: String)
  case command(Command)
  /// A command of equipment with the flags of one type.
  case type(Command, ItemType)
  case search([String])
}
