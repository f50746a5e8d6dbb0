/// Finds the highest rate that holds to objectives: doubles it until one breaks, then halves the
/// gap.
struct RateSearch {
  let objectives: Objectives
  /// Runs at a rate; answers what it came to and whether the generator kept up.
  let attempt: (Double) async throws(Failure) -> (summary: Summary, wasLate: Bool)
  let tell: (String) -> Void

  /// The gap that ends the search, as a share of the rate.
  private static let precision = 0.05
  private static let maxSteps = 40

  /// The highest rate that held; nil where not even the first one did.
  func run(from first: Double) async throws(Failure) -> Double? {
    var holds: Double?
    var breaks: Double?
    var rate = first
    for _ in 0..<Self.maxSteps {
      let (summary, wasLate) = try await attempt(rate)
      let verdicts = objectives.verdicts(summary)
      let isGood = !wasLate && verdicts.allSatisfy(\.holds)
      let reason = wasLate ? "the generator was late" : verdicts.map(\.text).joined(separator: "; ")
      tell("\(Fixed.text(rate, 0)) a second \(isGood ? "holds" : "breaks"): \(reason)")
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
}
