/// What statistics read of one stored arrow.
public struct ShotRecord: Sendable, Equatable {
  /// 0, a miss, to `ArrowRollup.highestValue`.
  public let value: Int
  /// Whether the arrow is an X.
  public let isX: Bool
  /// The position, in radii of the nominal face; nil: unknown.
  public let position: ShotPoint?
  /// When it was scored, in milliseconds UTC.
  public let scoredAt: Int64

  /// Creates a value; each parameter is the property of its name.
  public init(value: Int, isX: Bool = false, position: ShotPoint? = nil, scoredAt: Int64) {
    self.value = value
    self.isX = isX
    self.position = position
    self.scoredAt = scoredAt
  }
}
