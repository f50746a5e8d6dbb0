import Glibc

/// Latencies over time as characters, on a logarithmic scale.
struct LatencyPlot {
  private let seconds: [Interval]

  private static let labelWidth = 10

  init(_ seconds: [Interval]) { self.seconds = seconds.filter { $0.max > 0 } }

  /// `height` lines: a scale at the left, a column for each of the last seconds that fit. Of marks
  /// in one place the lowest percentile is shown.
  func lines(width: Int, height: Int) -> [String] {
    let columns = max(1, width - Self.labelWidth - 1)
    let shown = seconds.suffix(columns)
    let lowest = shown.map(\.p50).filter { $0 > 0 }.min() ?? 1
    let highest = max(shown.map(\.max).max() ?? 10, lowest * 10)
    let (bottom, top) = (log10(lowest), log10(highest))
    var cells = [[Character]](
      repeating: [Character](repeating: " ", count: shown.count), count: height)
    for (column, second) in shown.enumerated() {
      for (value, mark) in [(second.max, "^"), (second.p99, "o"), (second.p50, ".")] {
        guard value > 0 else { continue }
        let share = (log10(value) - bottom) / (top - bottom)
        let row = Int((Double(height - 1) * (1 - min(1, max(0, share)))).rounded())
        cells[row][column] = Character(mark)
      }
    }
    return cells.enumerated().map { row, marks in
      let isLabelled = row == 0 || row == height - 1 || row == (height - 1) / 2
      let value = pow(10, top - (top - bottom) * Double(row) / Double(max(1, height - 1)))
      let label = isLabelled ? Fixed.time(microseconds: value) : ""
      return Fixed.right(label, Self.labelWidth) + "|" + String(marks)
    }
  }
}
