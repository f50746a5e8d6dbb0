/// Rows of text in aligned columns.
enum Table {
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
