import QuiverCommandLine

/// The content of `--help`, the manual page and the completions.
enum Help {
  static var overview: String {
    let width = (Command.all.map(\.name.count).max() ?? 0) + 2
    let commands = Command.all.map { command in
      "  " + command.name.padded(to: width) + command.summary
    }
    return """
      usage: quiver COMMAND [arguments]

      Calls a Quiver server.

      Commands
      \(commands.joined(separator: "\n"))

      Flags of every command
      \(HelpText.table(Flag.global.map(\.described)))

      `quiver COMMAND --help` says more. Results go to standard output, everything else to standard
      error.

      \(exitCodes)
      """
  }

  static func text(of command: Command) -> String {
    var text = "usage: quiver \(command.name)"
    if !command.operands.isEmpty { text += " \(command.operands)" }
    text += " [flags]\n\n\(command.summary)\n"
    if !command.details.isEmpty { text += "\n\(command.details)\n" }
    if !command.flags.isEmpty {
      text += "\nFlags\n\(HelpText.table(command.flags.map(\.described)))\n"
    }
    let own = Set(command.flags.map(\.name))
    let global = Flag.global.filter { !own.contains($0.name) }.map(\.described)
    return text + "\nFlags of every command\n\(HelpText.table(global))\n\n\(exitCodes)\n"
  }

  private static let exitCodes = """
    Exit codes
      0   done
      64  the arguments, a file or a JSON text cannot be used
      64 plus the status code otherwise: 68 DEADLINE_EXCEEDED, 69 NOT_FOUND,
          78 UNAVAILABLE, 80 UNAUTHENTICATED and so on
    """

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
    ]
    help.environment = [
      .init("QUIVER_SERVER", "the server, where --server does not name it"),
      .init("QUIVER_TOKEN_FILE", "the file of the token, where --token-file does not name it"),
      .init("QUIVER_CA", "the trusted authorities, where --ca does not name them"),
      .init("QUIVER_CONTEXT", "the stored login, where --context does not name it"),
    ]
    help.files = [.init("~/.config/quiver", "logins that quiver login stored, and the token")]
    help.related = ["quiver-load(1)", "quiverd(8)"]
    return help
  }()
}
