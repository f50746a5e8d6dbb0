/// A bracket around the root of a function that rises through 0, narrowed by the Illinois method:
/// false position that halves the weight of an end that stays for a second time.
///
/// Dowell and Jarratt, "A modified regula falsi method for computing the root of an equation",
/// BIT 11 (1971), 168–174. Halving the weight in every step needs three times the evaluations.
struct FalsePosition {
  private(set) var low: Double
  private(set) var high: Double
  private var atLow: Double
  private var atHigh: Double
  private var latest = End.none

  private enum End { case none, low, high }

  /// The function is at most 0 at `low`, and at least 0 at `high`.
  init(low: Double, _ atLow: Double, high: Double, _ atHigh: Double) {
    (self.low, self.atLow, self.high, self.atHigh) = (low, atLow, high, atHigh)
  }

  /// The distance of the ends.
  var width: Double { high - low }

  /// Where to evaluate the function next.
  var next: Double { high - atHigh * (high - low) / (atHigh - atLow) }

  /// Moves an end to `place`, where the function has the value.
  mutating func narrow(to place: Double, _ value: Double) {
    if value > 0 {
      (high, atHigh) = (place, value)
      if latest == .high { atLow /= 2 }
      latest = .high
    } else {
      (low, atLow) = (place, value)
      if latest == .low { atHigh /= 2 }
      latest = .low
    }
  }
}
