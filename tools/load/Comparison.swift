import QuiverJSON

/// The differences between two results that exceed their noise.
///
/// The noise of a figure follows from the variation of its seconds in both runs: a difference
/// counts if it exceeds twice the standard error of the seconds' means, and 2 %.
struct Comparison {
  private let before: Saved
  private let after: Saved

  struct Saved {
    let method: String
    /// The number of calls behind the latencies.
    let sampleCount: UInt64
    let figures: [(name: String, value: Double, isBetterLow: Bool)]
    let series: [String: [Double]]
  }

  init(_ before: Saved, _ after: Saved) {
    self.before = before
    self.after = after
  }

  /// A table with one figure per line.
  var text: String {
    var lines = [
      "method \(before.method)" + (before.method == after.method ? "" : " and \(after.method)"),
      Fixed.left("", 22) + Fixed.right("A", 14) + Fixed.right("B", 14) + Fixed.right("B/A", 9),
    ]
    for (old, new) in zip(before.figures, after.figures) {
      let ratio = old.value == 0 ? Double.nan : new.value / old.value
      let shown = ratio.isFinite ? Fixed.text(ratio, 3) : "-"
      lines.append(
        Fixed.left(old.name, 22) + Fixed.right(Fixed.text(old.value, 2), 14)
          + Fixed.right(Fixed.text(new.value, 2), 14) + Fixed.right(shown, 9) + "  "
          + verdict(old, new, ratio))
    }
    lines.append(
      "samples    \(before.sampleCount) and \(after.sampleCount); behind p99.9"
        + " \(before.sampleCount / 1_000) and \(after.sampleCount / 1_000)")
    return lines.joined(separator: "\n")
  }

  private func verdict(
    _ old: (name: String, value: Double, isBetterLow: Bool),
    _ new: (name: String, value: Double, isBetterLow: Bool), _ ratio: Double
  ) -> String {
    guard ratio.isFinite, abs(ratio - 1) > 0.02 else { return "same" }
    if let first = before.series[old.name], let second = after.series[new.name] {
      let noise = 2 * (Self.squaredError(first) + Self.squaredError(second)).squareRoot()
      guard abs(Self.mean(first) - Self.mean(second)) > noise else { return "within the noise" }
    }
    return (ratio < 1) == old.isBetterLow ? "better" : "WORSE"
  }

  private static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }

  /// The square of the standard error of the mean.
  private static func squaredError(_ values: [Double]) -> Double {
    guard values.count > 1 else { return .infinity }
    let mean = mean(values)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return squares / Double(values.count - 1) / Double(values.count)
  }
}
