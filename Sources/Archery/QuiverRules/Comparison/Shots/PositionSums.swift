/// Sums over the positions of arrows, enough for their centroid and covariance.
public struct PositionSums: Sendable, Equatable {
  /// The number of positions.
  public private(set) var count: Int
  /// The sum of the x positions.
  public private(set) var x: Double
  /// The sum of the y positions.
  public private(set) var y: Double
  /// The sum of the squares of the x positions.
  public private(set) var xx: Double
  /// The sum of the squares of the y positions.
  public private(set) var yy: Double
  /// The sum of the products of the x and y positions.
  public private(set) var xy: Double

  /// Sums as they were kept; of no positions by default.
  public init(
    count: Int = 0, x: Double = 0, y: Double = 0, xx: Double = 0, yy: Double = 0, xy: Double = 0
  ) {
    self.count = count
    self.x = x
    self.y = y
    self.xx = xx
    self.yy = yy
    self.xy = xy
  }

  /// Adds one position.
  public mutating func add(_ point: ShotPoint) { change(by: 1, point) }

  /// Subtracts what was added; without positions the remainder of rounding is set to 0.
  public mutating func remove(_ point: ShotPoint) {
    change(by: -1, point)
    if count == 0 { self = PositionSums() }
  }

  /// Adds the sums of other positions.
  public mutating func merge(_ other: PositionSums) {
    count += other.count
    x += other.x
    y += other.y
    xx += other.xx
    yy += other.yy
    xy += other.xy
  }

  /// Nil without positions.
  public var centroid: ShotPoint? {
    count > 0 ? ShotPoint(x: x / Double(count), y: y / Double(count)) : nil
  }

  private mutating func change(by sign: Int, _ point: ShotPoint) {
    let factor = Double(sign)
    count += sign
    x += factor * point.x
    y += factor * point.y
    xx += factor * point.x * point.x
    yy += factor * point.y * point.y
    xy += factor * point.x * point.y
  }
}
