/// A range of values that a statistic is believed to lie in.
public struct Interval: Sendable, Equatable {
  public let lower: Double
  public let upper: Double

  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  public func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}
