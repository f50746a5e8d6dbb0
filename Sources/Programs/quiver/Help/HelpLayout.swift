import Glibc

/// Lines of help in the width of the terminal.
struct HelpLayout: Sendable {
  /// Without a terminal.
  static let standardWidth = 80
  private static let widths = 40...88
  /// The longest term that has its meaning beside it.
  private static let longestTerm = 26

  let width: Int

  init(width: Int = standardWidth) { self.width = width }

  /// That of standard output.
  static var terminal: HelpLayout {
    guard let size = Terminal.width else { return HelpLayout() }
    return HelpLayout(width: min(max(size, widths.lowerBound), widths.upperBound))
  }

  /// Paragraphs, divided by empty lines; lines that begin with a space keep their
  /// breaks.
  func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    for block in text.split(separator: "\n\n") {
      if !lines.isEmpty { lines.append("") }
      var words = ""
      for line in block.split(separator: "\n") {
        if line.hasPrefix(" ") {
          if !words.isEmpty { lines += wrapped(words) }
          words = ""
          lines += line.count > width ? narrow(String(line)) : [String(line)]
        } else {
          words += (words.isEmpty ? "" : " ") + line
        }
      }
      if !words.isEmpty { lines += wrapped(words) }
    }
    return lines
  }

  /// A line of a term and its meaning that is too long for the width, with the meaning below the
  /// term; other lines as they are.
  private func narrow(_ line: String) -> [String] {
    guard let match = line.firstMatch(of: /^( +[^ ].*?) {2,}([^ ].*)$/) else { return [line] }
    return [String(match.1)] + wrapped(String(match.2), indent: 6)
  }

  /// Terms with their meanings beside them, or below those that are long.
  func table(_ rows: [(term: String, meaning: String)], indent: Int = 2) -> [String] {
    let most = min(Self.longestTerm, max(8, width / 3))
    let column = (rows.map(\.term.count).filter { $0 <= most }.max() ?? 0) + indent + 2
    let margin = String(repeating: " ", count: indent)
    return rows.flatMap { row -> [String] in
      let meaning = wrapped(row.meaning, indent: column)
      let term = margin + row.term
      guard row.term.count <= most else { return [term] + (row.meaning.isEmpty ? [] : meaning) }
      guard let first = meaning.first, !row.meaning.isEmpty else { return [term] }
      return [term.padded(to: column) + first.dropFirst(column)] + meaning.dropFirst()
    }
  }

  /// The words in lines of the width.
  func wrapped(_ text: String, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if line.count + word.count + 1 > width, line != margin {
        lines.append(line)
        line = margin
      }
      line += line == margin ? word : " " + word
    }
    return lines + [line]
  }
}
