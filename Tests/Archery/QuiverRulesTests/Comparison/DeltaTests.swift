import Testing

@testable import QuiverRules

@Suite(.timeLimit(.minutes(5))) struct DeltaTests {
  @Test(
    "a delta is rounded half-even first, and its direction follows the text",
    arguments: [
      (1.25, "+1.25", DeltaDirection.bBetter), (-0.5, "-0.50", .aBetter), (0.004, "0.00", .none),
      (-0.004, "0.00", .none), (0, "0.00", .none), (-0.0, "0.00", .none),
      (0.125, "+0.12", .bBetter),
      (0.375, "+0.38", .bBetter), (-0.125, "-0.12", .aBetter), (0.005, "+0.01", .bBetter),
      (2.675, "+2.67", .bBetter), (1.005, "+1.00", .bBetter), (-100, "-100.00", .aBetter),
      (0.996, "+1.00", .bBetter), (9.995, "+9.99", .bBetter), (0.006, "+0.01", .bBetter),
    ])
  func text(value: Double, text: String, direction: DeltaDirection) {
    let delta = Delta(a: 0, b: value)
    #expect(delta.text == text && delta.direction == direction)
    let reversed = Delta(a: 0, b: value, smallerIsBetter: true)
    let other: DeltaDirection =
      direction == .none ? .none : direction == .bBetter ? .aBetter : .bBetter
    #expect(reversed.text == text && reversed.direction == other)
  }

  @Test("a count has its sign only", arguments: [(5, 17, "+12"), (17, 5, "-12"), (4, 4, "0")])
  func counts(a: Int, b: Int, text: String) {
    #expect(Delta.arrowCount(a: a, b: b).text == text)
    #expect(Delta.arrowCount(a: a, b: b).value == b - a)
  }

  @Test("numbers that no double can count in hundredths print as they are")
  func large() {
    #expect(DecimalText.fixed(1e17, digits: 2) == "1e+17")
    #expect(DecimalText.fixed(.nan, digits: 2) == "nan")
    #expect(DecimalText.fixed(1234.5678, digits: 0) == "1235")
    #expect(DecimalText.fixed(-0.05, digits: 3) == "-0.050")
    #expect(DecimalText.p(0.0004) == "p < 0.001" && DecimalText.p(0.0428) == "p = 0.043")
  }
}
