/// Hotelling's test of whether two setups shoot to the same place.
public struct HotellingTest: Sendable, Equatable {
  /// Hotelling's T squared.
  public let tSquared: Double
  /// F(2, n_a + n_b − 3).
  public let f: Double
  /// The p value.
  public let p: Double
  /// Rounds with positions.
  public let roundsA: Int
  /// The number of B's rounds.
  public let roundsB: Int

  /// Of the centroids of rounds; nil if there are too few rounds, or all centroids are on one line.
  ///
  /// T² = n_a·n_b/(n_a + n_b)·dᵀS⁻¹d with the pooled covariance S: Hotelling, "The generalization
  /// of Student's ratio", Annals of Mathematical Statistics 2 (1931), 360–378;
  /// F = T²·(n_a + n_b − 3)/(2·(n_a + n_b − 2)).
  public init?(_ a: [ShotPoint], _ b: [ShotPoint]) {
    guard !a.isEmpty, !b.isEmpty, a.count + b.count > 3 else { return nil }
    let (scatterA, scatterB) = (Scatter(a), Scatter(b))
    let sum = Double(a.count + b.count)
    let xx = (scatterA.xx + scatterB.xx) / (sum - 2)
    let yy = (scatterA.yy + scatterB.yy) / (sum - 2)
    let xy = (scatterA.xy + scatterB.xy) / (sum - 2)
    let determinant = xx * yy - xy * xy
    guard determinant > 1e-12 * xx * yy else { return nil }
    let dx = scatterB.mean.x - scatterA.mean.x
    let dy = scatterB.mean.y - scatterA.mean.y
    let form = (yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / determinant
    tSquared = Double(a.count) * Double(b.count) / sum * form
    f = tSquared * (sum - 3) / (2 * (sum - 2))
    p = FDistribution.upperTail(f, 2, sum - 3)
    roundsA = a.count
    roundsB = b.count
  }

  /// The mean of points, and sums of squares and products about it.
  private struct Scatter {
    let mean: ShotPoint
    private(set) var xx = 0.0
    private(set) var yy = 0.0
    private(set) var xy = 0.0

    init(_ points: [ShotPoint]) {
      var (x, y) = (0.0, 0.0)
      for point in points {
        x += point.x
        y += point.y
      }
      mean = ShotPoint(x: x / Double(points.count), y: y / Double(points.count))
      for point in points {
        let (dx, dy) = (point.x - mean.x, point.y - mean.y)
        xx += dx * dx
        yy += dy * dy
        xy += dx * dy
      }
    }
  }
}
