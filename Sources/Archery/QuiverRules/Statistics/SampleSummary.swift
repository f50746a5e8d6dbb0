/// How many values a sample has, their mean and their variance with n − 1.
public struct SampleSummary: Sendable, Equatable {
  /// The number of values.
  public let count: Int
  /// 0 of no values.
  public let mean: Double
  /// 0 of fewer than two values, and of values that are all the same.
  public let variance: Double

  /// The summary of values.
  public init(_ values: [Double]) {
    count = values.count
    guard let first = values.first else {
      mean = 0
      variance = 0
      return
    }
    // About the first value, so that equal values have a variance of exactly 0.
    var sum = 0.0
    for value in values { sum += value - first }
    let offset = sum / Double(values.count)
    mean = first + offset
    var squares = 0.0
    for value in values {
      let deviation = value - first - offset
      squares += deviation * deviation
    }
    variance = values.count > 1 ? squares / Double(values.count - 1) : 0
  }

  /// Creates a value; each parameter is the property of its name.
  public init(count: Int, mean: Double, variance: Double) {
    self.count = count
    self.mean = mean
    self.variance = variance
  }
}
