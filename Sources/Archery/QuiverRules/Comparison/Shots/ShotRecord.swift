/// What statistics read of one stored arrow.
public struct ShotRecord: Sendable, Equatable {
  /// 0, a miss, to `ArrowRollup.highestValue`.
  public let value: Int
  public let isX: Bool
  public let position: ShotPoint?
  /// When it was scored, in milliseconds UTC.
  public let scoredAt: Int64

  public init(value: Int, isX: Bool = false, position: ShotPoint? = nil, scoredAt: Int64) {
    self.value = value
    self.isX = isX
    self.position = position
    self.scoredAt = scoredAt
  }
}
