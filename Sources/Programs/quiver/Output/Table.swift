/// Rows of text in aligned columns.
enum Table {
  /// Comma-separated values after RFC 4180; a cell with a comma, a quote or white space at an end
  /// is quoted. A cell that a spreadsheet would run as a formula is preceded by a quote mark.
  static func csv(_ rows: [[String]]) -> String {
    rows.map { row in row.map(cell).joined(separator: ",") }.joined(separator: "\r\n")
  }

  private static func cell(_ text: String) -> String {
    let text = Terminal.escaped(text).replacing("\n", with: " ")
    let isFormula = text.first.map { "=+@\t".contains($0) } ?? false
    let isNumber = Double(text) != nil
    let safe = isFormula && !isNumber ? "'" + text : text
    guard safe.contains(where: { ",\"".contains($0) }) || safe.first == " " || safe.last == " "
    else { return safe }
    return "\"" + safe.replacing("\"", with: "\"\"") + "\""
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
