/// `quiver help WORD`: the commands that have words in their names, summaries, flags or details.
enum HelpSearch {
  /// The largest number of commands that are listed.
  static let mostCommands = 40

  /// The commands that have all words, those whose name or summary has them first.
  static func commands(_ words: [String]) -> [Command] {
    let wanted = words.map { stem($0.lowercased()) }.filter { !$0.isEmpty }
    guard !wanted.isEmpty else { return [] }
    let ranked = Command.all.enumerated().compactMap { index, command in
      rank(command, wanted).map { (rank: $0, index: index, command: command) }
    }
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.command)
  }

  /// The words without the endings that the help may not have, as in `check` for `checked`.
  private static func stem(_ word: String) -> String {
    for ending in ["ing", "ed", "es", "s"] where word.hasSuffix(ending) {
      let stem = String(word.dropLast(ending.count))
      if stem.count >= 4 { return stem }
    }
    return word
  }

  /// 0 for the name, 1 for the summary, 2 for the rest; nil: the command does not have the words.
  private static func rank(_ command: Command, _ words: [String]) -> Int? {
    let name = command.name.lowercased()
    let summary = "\(name) \(command.summary.lowercased())"
    if words.allSatisfy({ name.contains($0) }) { return 0 }
    if words.allSatisfy({ summary.contains($0) }) { return 1 }
    let flags = command.flags.map { "\($0.name) \($0.help)" }.joined(separator: " ")
    let all = "\(summary) \(command.operands) \(command.details) \(flags)".lowercased()
    return words.allSatisfy { all.contains($0) } ? 2 : nil
  }

  static func text(_ words: [String], _ layout: HelpLayout) throws(Failure) -> String {
    let found = commands(words)
    let shown = words.map(Terminal.oneLine).joined(separator: " ")
    guard !found.isEmpty else {
      let known = Set(
        Command.all.flatMap { "\($0.name) \($0.summary)".split(separator: " ").map(String.init) })
      throw Failure.usage(
        "no command has \(shown)" + Spelling.question(shown, among: Array(known)))
    }
    var lines = layout.table(
      found.prefix(mostCommands).map { ($0.name, $0.summary) }, indent: 0)
    if found.count > mostCommands {
      lines.append("and \(found.count - mostCommands) more; another word narrows the search")
    }
    lines += [""] + layout.wrapped("`quiver COMMAND --help` explains one of them.")
    return lines.joined(separator: "\n") + "\n"
  }
}
