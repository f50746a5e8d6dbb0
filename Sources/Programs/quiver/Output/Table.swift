import QuiverPapers

/// Rows of text in aligned columns.
enum Table {
  /// Comma-separated values (RFC 4180); a cell with a comma, a semicolon, a quotation mark, a line
  /// end or white space at an end is quoted. An apostrophe precedes what a spreadsheet would
  /// calculate: a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return, also after
  /// apostrophes, and is no plain number.
  ///
  /// Lines end with a line feed, or with CR LF as the RFC has it where `hasCRLF` says so.
  static func csv(_ rows: [[String]], hasCRLF: Bool = false) -> String {
    rows.map { row in row.map(cell).joined(separator: ",") }
      .joined(separator: hasCRLF ? "\r\n" : "\n")
  }

  private static func cell(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    shown.append(
      contentsOf: Terminal.escaped(text).unicodeScalars.map { $0 == "\n" ? " " : $0 })
    let isFormula = CSVText.isFormula(text) && !isPlainNumber(text)
    return CSVText.quoted(isFormula ? CSVText.marked(String(shown)) : String(shown))
  }

  /// Whether a text is digits with at most one sign before them and one point among them.
  private static func isPlainNumber(_ text: String) -> Bool {
    var digits = text.utf8[...]
    if let first = digits.first, [0x2B, 0x2D].contains(first) { digits.removeFirst() }
    return digits.contains { (0x30...0x39).contains($0) }
      && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
      && digits.count { $0 == 0x2E } <= 1
  }

  /// Columns of equal width, two spaces apart. Characters that control a terminal are escaped, so
  /// that a name of others moves no column.
  static func text(_ rows: [[String]]) -> String { aligned(rows.map { $0.map(Terminal.escaped) }) }

  /// The same with `-` for empty cells below the heading. Where a row would be longer than `width`,
  /// each row is a block of lines instead, a line for each cell that is not empty.
  static func text(_ rows: [[String]], hasHeading: Bool, within width: Int?) -> String {
    let shown = rows.enumerated().map { number, row in
      row.map { Terminal.escaped($0.isEmpty && !(hasHeading && number == 0) ? "-" : $0) }
    }
    let text = aligned(shown)
    guard let width, hasHeading, let heading = rows.first, rows.count > 1,
      text.split(separator: "\n").contains(where: { columns(of: $0) > width })
    else { return text }
    return rows.dropFirst().map { row in
      aligned(zip(heading, row).filter { !$1.isEmpty }.map { [$0, Terminal.escaped($1)] })
    }.joined(separator: "\n\n")
  }

  private static func aligned(_ rows: [[String]]) -> String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], columns(of: cell))
      }
    }
    return rows.map { row in
      let line = row.enumerated().map { column, cell in
        column == row.count - 1
          ? cell
          : cell + String(repeating: " ", count: max(0, widths[column] + 2 - columns(of: cell)))
      }
      return String(line.joined().trimmingSuffix { $0 == " " })
    }.joined(separator: "\n")
  }

  /// The columns that a text takes on a terminal: two for each wide character of East Asia.
  static func columns(of text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.first.map(isWide) == true ? 2 : 1) }
  }

  /// Whether a character is wide or full width (UAX #11), by the blocks that have them.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> Substring {
    guard let last = lastIndex(where: { !isTrimmed($0) }) else { return "" }
    return self[...last]
  }

  /// The text padded with spaces to `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
