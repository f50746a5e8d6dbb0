/// A confidence interval of a statistic.
public struct Interval: Sendable, Equatable {
  /// The lower end.
  public let lower: Double
  /// The upper end.
  public let upper: Double

  /// Creates a value; each parameter is the property of its name.
  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether a value is in the interval, ends included.
  public func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}
