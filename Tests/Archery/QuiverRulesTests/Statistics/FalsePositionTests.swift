import Testing

@testable import QuiverRules

@Suite("False position", .timeLimit(.minutes(5)))
struct FalsePositionTests {
  private static func root(
    low: Double, high: Double, _ function: (Double) -> Double
  ) -> (root: Double, evaluations: Int) {
    var bracket = FalsePosition(low: low, function(low), high: high, function(high))
    for evaluations in 3..<200 {
      let place = bracket.next
      let value = function(place)
      if abs(value) < 1e-12 { return (place, evaluations) }
      bracket.narrow(to: place, value)
      guard bracket.width > 0 else { break }
    }
    return (.nan, 200)
  }

  @Test("The root of a function is found from both sides, in few evaluations")
  func roots() {
    // Bent so that one end would stay for ever without halves.
    let cases: [(low: Double, high: Double, root: Double, function: (Double) -> Double)] = [
      (0, 2, 2.0.squareRoot(), { $0 * $0 - 2 }), (0, 10, 2, { $0 * $0 * $0 - 8 }),
      (0.01, 10, 1, { 1 - 1 / $0 }), (-3, 4, 1, { $0 - 1 }),
    ]
    for (low, high, root, function) in cases {
      let found = Self.root(low: low, high: high, function)
      #expect(abs(found.root - root) < 1e-9, "\(found)")
      #expect(found.evaluations <= 25, "\(found)")
    }
  }

  @Test("The noncentrality of 80 % power is found for any degrees of freedom")
  func noncentrality() {
    for degrees in stride(from: 1.0, through: 400, by: 0.37) {
      let delta = DetectableDifference.noncentrality(degreesOfFreedom: degrees)
      let critical = StudentT(degreesOfFreedom: degrees).quantile(0.975)
      let power =
        1 - NoncentralT(degreesOfFreedom: degrees, noncentrality: delta).cumulative(critical)
        + NoncentralT(degreesOfFreedom: degrees, noncentrality: delta).cumulative(-critical)
      #expect(abs(power - DetectableDifference.power) < 1e-10, "\(degrees)")
    }
  }
}
