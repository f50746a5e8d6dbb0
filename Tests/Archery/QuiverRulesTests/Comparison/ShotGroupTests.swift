import Foundation
import Testing

@testable import QuiverRules

@Suite(.timeLimit(.minutes(5))) struct ShotGroupTests {
  /// Four points on the axes of a cross, turned by `angle` and moved: their covariance is known.
  private static func cross(_ long: Double, _ short: Double, angle: Double) -> [ShotPoint] {
    [(long, 0.0), (-long, 0), (0, short), (0, -short)].map { along, across in
      ShotPoint(
        x: 0.3 + along * cos(angle) - across * sin(angle),
        y: -0.2 + along * sin(angle) + across * cos(angle))
    }
  }

  private static func sums(_ points: [ShotPoint]) -> PositionSums {
    var sums = PositionSums()
    for point in points { sums.add(point) }
    return sums
  }

  @Test(
    "a group whose covariance is known has its ellipses, axis ratio and angle",
    arguments: [0.0, 0.4, Double.pi / 4, 1.2, -0.7, -1.5])
  func known(angle: Double) throws {
    let points = Self.cross(0.6, 0.2, angle: angle)
    let group = try #require(ShotGroup(Self.sums(points)))
    // Two of 0.6² and two of 0.2², over n − 1 = 3.
    let (larger, smaller) = (2 * 0.36 / 3, 2 * 0.04 / 3)
    #expect(abs(group.eigenvalues.larger - larger) < 1e-12)
    #expect(abs(group.eigenvalues.smaller - smaller) < 1e-12)
    #expect(abs(group.varianceX + group.varianceY - larger - smaller) < 1e-12)
    #expect(abs((group.axisRatio ?? 0) - 3) < 1e-9)
    #expect(abs(group.angle - angle) < 1e-9)
    #expect(abs(group.centroid.x - 0.3) < 1e-12 && abs(group.centroid.y + 0.2) < 1e-12)
    for (share, scale) in [(0.5, 1.3862943611198906), (0.95, 5.991464547107979)] {
      let ellipse = group.ellipse(holding: share)
      #expect(abs(ellipse.semiMajor - (scale * larger).squareRoot()) < 1e-12)
      #expect(abs(ellipse.semiMinor - (scale * smaller).squareRoot()) < 1e-12)
    }
    #expect(abs((ShotGroup.meanRadius(of: points) ?? 0) - 0.4) < 1e-12)
  }

  @Test("points on one line have no axis ratio, one point has no group")
  func degenerate() throws {
    let line = [ShotPoint(x: 0, y: 0), ShotPoint(x: 1, y: 1), ShotPoint(x: 2, y: 2)]
    let group = try #require(ShotGroup(Self.sums(line)))
    #expect(group.axisRatio == nil)
    #expect(abs(group.angle - .pi / 4) < 1e-12)
    #expect(group.ellipse(holding: 0.5).semiMinor < 1e-6)
    #expect(ShotGroup(Self.sums([line[0]])) == nil)
    #expect(ShotGroup.meanRadius(of: [line[0]]) == nil)
    let same = try #require(ShotGroup(Self.sums([line[2], line[2]])))
    #expect(same.eigenvalues.larger == 0 && same.axisRatio == nil)
  }

  @Test("Hotelling's test agrees with a computation by matrices")
  func hotelling() throws {
    let a = [(0.1, 0.2), (0.15, 0.1), (0.05, 0.25), (0.12, 0.18), (0.2, 0.05)]
    let b = [(0.0, 0.1), (0.05, 0.02), (-0.05, 0.12), (0.02, 0.2), (0.01, 0.05), (-0.1, 0.15)]
    let points = { (pairs: [(Double, Double)]) in pairs.map { ShotPoint(x: $0.0, y: $0.1) } }
    let test = try #require(HotellingTest(points(a), points(b)))
    #expect(abs(test.tSquared - 50.05362507235768) < 1e-9)
    #expect(abs(test.f - 22.246055587714526) < 1e-9)
    #expect(abs(test.p - 0.0005394904833354536) < 1e-12)
    #expect(test.roundsA == 5 && test.roundsB == 6)
    #expect(HotellingTest(points(a), []) == nil)
    #expect(HotellingTest([points(a)[0]], Array(points(b).prefix(2))) == nil)
    let line = (0..<6).map { ShotPoint(x: Double($0), y: 2 * Double($0)) }
    #expect(HotellingTest(line, line) == nil)
  }
}
