/// Finds the highest rate at which the objectives hold: doubles the rate until one fails, then
/// bisects.
///
/// A run in which the generator was late does not count: it is repeated, and ends the search if the
/// generator stays late.
struct RateSearch {
  let objectives: Objectives
  /// Runs at a rate; returns the result and whether the generator was late.
  let attempt: (Double) async throws(Failure) -> (summary: Summary, wasLate: Bool)
  let tell: (String) throws(Failure) -> Void

  /// The gap that ends the search, as a share of the rate.
  private static let precision = 0.05
  private static let maxSteps = 40
  /// Runs at one rate until the generator counts as the limit.
  static let maxLateRuns = 3

  /// The highest rate at which the objectives held; nil if they failed at the first one.
  func run(from first: Double) async throws(Failure) -> Double? {
    var holds: Double?
    var breaks: Double?
    var rate = first
    for _ in 0..<Self.maxSteps {
      let summary = try await onTime(rate, holds: holds)
      let verdicts = objectives.verdicts(summary)
      let isGood = !summary.mostlyFailed && verdicts.allSatisfy(\.holds)
      let reason =
        summary.mostlyFailed
        ? "most calls failed" : verdicts.map(\.text).joined(separator: "; ")
      try tell("\(Fixed.text(rate, 0)) a second \(isGood ? "holds" : "breaks"): \(reason)")
      if isGood { holds = rate } else { breaks = rate }
      switch (holds, breaks) {
      case (nil, .some(let high)):
        guard high > 1 else { return nil }
        rate = high / 2
      case (.some(let low), nil): rate = low * 2
      case (.some(let low), .some(let high)):
        guard (high - low) / high > Self.precision else { return low }
        rate = (low + high) / 2
      case (nil, nil): return nil
      }
    }
    return holds
  }

  /// Runs at a rate, again if the generator was late.
  ///
  /// Throws if the generator is late in each run.
  private func onTime(_ rate: Double, holds: Double?) async throws(Failure) -> Summary {
    for _ in 0..<Self.maxLateRuns {
      let (summary, wasLate) = try await attempt(rate)
      guard wasLate else { return summary }
      try tell("\(Fixed.text(rate, 0)) a second is inconclusive: the generator was late")
    }
    let found = holds.map { "; \(Fixed.text($0, 0)) a second holds" } ?? ""
    throw Failure(
      .generatorLate,
      "the generator is the limit at \(Fixed.text(rate, 0)) a second\(found); give --threads and"
        + " --connections, a higher --late-after, or another machine")
  }
}
