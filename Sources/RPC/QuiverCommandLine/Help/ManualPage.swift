/// A manual page in the macros of man(7).
struct ManualPage {
  private let help: ProgramHelp

  init(_ help: ProgramHelp) { self.help = help }

  var text: String {
    var lines = [
      ".\\\" Made by \(help.name) --help-as man. Do not edit.",
      ".TH \(help.name.uppercased()) \(help.manualSection) \(Release.date)"
        + " \"Quiver \(Release.version)\" \"Quiver\"",
      ".SH NAME", Self.escaped(help.name) + " \\- " + Self.escaped(help.summary),
      ".SH SYNOPSIS",
    ]
    for (place, usage) in help.usages.enumerated() {
      if place > 0 { lines.append(".br") }
      lines.append(".B " + Self.escaped(help.name))
      lines.append(Self.filled(usage))
    }
    lines.append(".SH DESCRIPTION")
    lines += Self.paragraphs(help.paragraphs)
    if !help.commands.isEmpty {
      lines.append(".SH COMMANDS")
      for command in help.commands { lines += Self.section(of: command) }
    }
    lines.append(".SH OPTIONS")
    for section in help.sections {
      lines.append(".SS " + Self.escaped(section.title))
      lines += Self.entries(section.flags)
    }
    lines += Self.section("EXIT STATUS", help.exitCodes)
    lines += Self.section("ENVIRONMENT", help.environment)
    lines += Self.section("FILES", help.files)
    if !help.related.isEmpty {
      lines.append(".SH SEE ALSO")
      lines.append(help.related.map(Self.reference).joined(separator: ",\n"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(of command: ProgramHelp.Command) -> [String] {
    let operands = command.operands.isEmpty ? "" : " " + command.operands
    var lines = [".SS " + escaped(command.name + operands), filled(sentence(command.summary))]
    lines += paragraphs(command.details.isEmpty ? [] : [command.details], isFirst: false)
    return lines + entries(command.flags)
  }

  private static func section(_ title: String, _ entries: [ProgramHelp.Entry]) -> [String] {
    guard !entries.isEmpty else { return [] }
    return [".SH " + title]
      + entries.flatMap { [".TP", ".B " + escaped($0.term), filled($0.meaning)] }
  }

  private static func entries(_ flags: [FlagHelp]) -> [String] {
    flags.flatMap { flag -> [String] in
      let short = flag.shortName.map { "\\fB\(escaped($0))\\fR, " } ?? ""
      let value = flag.usage.dropFirst(flag.name.count + 1)
      let term = short + "\\fB\(escaped(flag.name))\\fR"
      return [
        ".TP", value.isEmpty ? term : term + " \\fI\(escaped(value))\\fR", filled(flag.help),
      ]
    }
  }

  /// Paragraphs, divided by empty lines; lines that begin with a space keep their breaks.
  private static func paragraphs(_ texts: [String], isFirst: Bool = true) -> [String] {
    var lines: [String] = []
    var isFirst = isFirst
    let blocks = texts.flatMap { $0.split(separator: "\n\n") }
    for block in blocks {
      if !isFirst { lines.append(".PP") }
      isFirst = false
      var words = ""
      var isLiteral = false
      for line in block.split(separator: "\n") {
        if line.hasPrefix(" ") {
          if !words.isEmpty { lines.append(filled(words)) }
          if !isLiteral { lines.append(".nf") }
          (words, isLiteral) = ("", true)
          lines.append(escaped(line))
        } else {
          if isLiteral { lines.append(".fi") }
          isLiteral = false
          words += " " + line
        }
      }
      if !words.isEmpty { lines.append(filled(words)) }
      if isLiteral { lines.append(".fi") }
    }
    return lines
  }

  /// The words as a sentence.
  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// `quiver(1)` with the name in bold.
  private static func reference(_ text: String) -> String {
    let name = text.prefix { $0 != "(" }
    return "\\fB\(escaped(name))\\fR" + text.dropFirst(name.count)
  }

  /// The text in lines of at most 78 characters.
  private static func filled(_ text: String) -> String {
    let lines = HelpText.wrapped(text, indent: "", width: 78).split(separator: "\n")
    return lines.map { escaped($0) }.joined(separator: "\n")
  }

  /// The text with nothing in it that roff would interpret.
  static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case _ where character.isASCII: result.append(character)
      default:
        for scalar in character.unicodeScalars {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
        }
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
