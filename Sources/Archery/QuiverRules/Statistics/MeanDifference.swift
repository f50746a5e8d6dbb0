/// The difference of two means, B minus A, and how sure it is.
public struct MeanDifference: Sendable, Equatable {
  /// The difference of the means, B minus A.
  public let difference: Double
  /// The standard error of the difference.
  public let standardError: Double
  /// Satterthwaite's; nil if no value of either side differs from its neighbours.
  public let degreesOfFreedom: Double?
  /// Of 95 %; nil if the values of both sides do not vary.
  public let interval: Interval?
  /// Two-sided; nil if the interval is.
  public let p: Double?

  /// Creates a value; each parameter is the property of its name.
  public init(
    difference: Double, standardError: Double, degreesOfFreedom: Double?, interval: Interval?,
    p: Double?
  ) {
    self.difference = difference
    self.standardError = standardError
    self.degreesOfFreedom = degreesOfFreedom
    self.interval = interval
    self.p = p
  }
}
