import Glibc

/// A table that is redrawn in place on a terminal.
struct LiveTable {
  /// Nil where standard output is no terminal.
  static var terminal: LiveTable? { isatty(STDOUT_FILENO) == 1 ? LiveTable() : nil }

  /// The number of lines on the screen.
  private var shownCount = 0

  /// Draws lines over the previous ones; omits those beyond the screen.
  mutating func draw(_ lines: [String]) throws(Failure) {
    let (width, height) = Self.size
    let shown = lines.prefix(max(1, height - 1)).map { String(Terminal.escaped($0).prefix(width)) }
    // Moves to the first line, then writes each line and clears the rest.
    var text = shownCount > 0 ? "\u{1B}[\(shownCount)A\r" : ""
    for line in shown { text += line + "\u{1B}[K\n" }
    text += "\u{1B}[J"
    try Terminal.write(text)
    shownCount = shown.count
  }

  private static var size: (width: Int, height: Int) { Terminal.size ?? (80, 24) }
}
