import QuiverPlatform

/// How large a group of shots is, about its own centroid; lengths in radii of the nominal face.
///
/// Radii of different faces are different lengths: a group is of one face diameter only.
public struct ShotGroup: Sendable, Equatable {
  /// The number of positions.
  public let count: Int
  /// The mean position.
  public let centroid: ShotPoint
  /// With n − 1.
  public let varianceX: Double
  /// The variance of the y positions.
  public let varianceY: Double
  /// The covariance of the x and y positions.
  public let covariance: Double

  /// Nil of fewer than two positions.
  public init?(_ sums: PositionSums) {
    guard sums.count > 1, let centroid = sums.centroid else { return nil }
    let degrees = Double(sums.count - 1)
    count = sums.count
    self.centroid = centroid
    varianceX = max(0, (sums.xx - sums.x * centroid.x) / degrees)
    varianceY = max(0, (sums.yy - sums.y * centroid.y) / degrees)
    covariance = (sums.xy - sums.x * centroid.y) / degrees
  }

  /// The eigenvalues of the covariance matrix, the larger one first.
  public var eigenvalues: (larger: Double, smaller: Double) {
    let middle = (varianceX + varianceY) / 2
    let offset = hypot((varianceX - varianceY) / 2, covariance)
    return (middle + offset, max(0, middle - offset))
  }

  /// √(λ1/λ2), at least 1; nil if all positions are on one line.
  public var axisRatio: Double? {
    let (larger, smaller) = eigenvalues
    return smaller > 1e-12 * larger ? (larger / smaller).squareRoot() : nil
  }

  /// Of the longer axis from +x towards +y, in radians, from −π/2 to π/2.
  public var angle: Double { 0.5 * atan2(2 * covariance, varianceX - varianceY) }

  /// The ellipse that holds the share `p` of a normal group, for p from 0 to below 1.
  ///
  /// Semi-axes √(−2·ln(1 − p)·λ), for the squared distance of two normal coordinates is χ² of two
  /// degrees of freedom (Abramowitz and Stegun 26.4.4).
  public func ellipse(holding p: Double) -> GroupEllipse {
    let scale = -2 * log1p(-p)
    let (larger, smaller) = eigenvalues
    return GroupEllipse(
      share: p, semiMajor: (scale * larger).squareRoot(), semiMinor: (scale * smaller).squareRoot())
  }

  /// The mean distance of points from their own centroid; nil of fewer than two.
  public static func meanRadius(of points: [ShotPoint]) -> Double? {
    guard points.count > 1 else { return nil }
    var sums = PositionSums()
    for point in points { sums.add(point) }
    guard let centroid = sums.centroid else { return nil }
    var total = 0.0
    for point in points { total += hypot(point.x - centroid.x, point.y - centroid.y) }
    return total / Double(points.count)
  }
}

/// An ellipse about the centroid of a group, turned by the group's angle.
public struct GroupEllipse: Sendable, Equatable {
  /// The share of shots that it is meant to hold.
  public let share: Double
  /// In radii of the nominal face.
  public let semiMajor: Double
  /// The shorter semi-axis, in radii of the nominal face.
  public let semiMinor: Double
}
