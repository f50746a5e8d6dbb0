/// The text of `--help`.
package enum HelpText {
  private static let width = 88

  /// The whole help of a program.
  package static func text(of help: ProgramHelp) -> String {
    var blocks = [
      "usage: "
        + help.usages.map { "\(help.name) \($0)" }.joined(separator: "\n       ")
    ]
    blocks += help.paragraphs.map { wrapped($0, indent: "") }
    if !help.commands.isEmpty {
      blocks.append(
        "Commands\n"
          + help.commands.map { command in
            let usage = command.operands.isEmpty ? "" : " " + command.operands
            return "  \(command.name)\(usage)\n" + wrapped(command.summary, indent: "      ")
          }.joined(separator: "\n"))
    }
    blocks += help.sections.map { "\($0.title)\n\(table($0.flags))" }
    if !help.exitCodes.isEmpty {
      let column = (help.exitCodes.map(\.term.count).max() ?? 0) + 2
      blocks.append(
        "Exit codes\n"
          + help.exitCodes.map { entry in
            let gap = String(repeating: " ", count: column - entry.term.count)
            return "  " + entry.term + gap + entry.meaning
          }.joined(separator: "\n"))
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// Flags, each with its help below.
  package static func table(_ flags: [FlagHelp]) -> String {
    flags.map { "  \($0.usage)\n" + wrapped($0.help, indent: "      ") }.joined(separator: "\n")
  }

  /// The words in lines of at most 88 characters.
  static func wrapped(_ text: String, indent: String, width: Int = width) -> String {
    var lines: [String] = []
    var line = indent
    for word in text.split(separator: " ") {
      if line.count + word.count > width, line != indent {
        lines.append(line)
        line = indent
      }
      line += line == indent ? word : " " + word
    }
    return (lines + [line]).joined(separator: "\n")
  }
}
