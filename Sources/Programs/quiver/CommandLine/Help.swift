/// What `--help` prints.
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
      \(table(Flag.global))

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
    if !command.flags.isEmpty { text += "\nFlags\n\(table(command.flags))\n" }
    let own = Set(command.flags.map(\.name))
    let global = Flag.global.filter { !own.contains($0.name) }
    return text + "\nFlags of every command\n\(table(global))\n\n\(exitCodes)\n"
  }

  private static let exitCodes = """
    Exit codes
      0   done
      64  the arguments, a file or a JSON text cannot be used
      64 plus the status code otherwise: 68 DEADLINE_EXCEEDED, 69 NOT_FOUND,
          78 UNAVAILABLE, 80 UNAUTHENTICATED and so on
    """

  private static func table(_ flags: [Flag]) -> String {
    flags.map { "  \($0.usage)\n" + wrapped($0.help, indent: "      ") }.joined(separator: "\n")
  }

  private static func wrapped(_ text: String, indent: String) -> String {
    var lines: [String] = []
    var line = indent
    for word in text.split(separator: " ") {
      if line.count + word.count > 88 {
        lines.append(line)
        line = indent
      }
      line += line == indent ? word : " " + word
    }
    return (lines + [line]).joined(separator: "\n")
  }
}
