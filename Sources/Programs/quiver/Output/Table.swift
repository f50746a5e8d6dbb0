import QuiverPapers

/// Rows of text in aligned columns.
enum Table {
  /// Comma-separated values (RFC 4180); a cell with a comma, a semicolon, a quotation mark, a line
  /// end or white space at an end is quoted. An apostrophe precedes what a spreadsheet would
  /// calculate: a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return, also after
  /// apostrophes, and is no plain number.
  static func csv(_ rows: [[String]]) -> String {
    rows.map { row in row.map(cell).joined(separator: ",") }.joined(separator: "\r\n")
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

  static func text(_ rows: [[String]]) -> String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    return rows.map { row in
      let line = row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : cell.padded(to: widths[column] + 2)
      }
      return String(line.joined().trimmingSuffix { $0 == " " })
    }.joined(separator: "\n")
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
