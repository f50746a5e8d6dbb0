import Testing

@testable import quiver_load

@Suite("The view of a run", .timeLimit(.minutes(5)))
struct LiveViewTests {
  private func second(_ number: Int, p50: Double = 500, max: Double = 90_000) -> Interval {
    var second = Interval(number: number)
    (second.p50, second.p99, second.max) = (p50, 9_000, max)
    second.succeeded = UInt64(100 + number)
    second.openCalls = 7
    second.failed = 2
    second.lag = 1_500
    return second
  }

  @Test("No line is wider and no view higher than the terminal, at any size")
  func size() {
    let seconds = (1...300).map { second($0, p50: Double($0)) }
    for (width, height) in [(80, 24), (20, 5), (200, 60), (1, 1), (40, 1)] {
      let lines = LiveScreen(
        title: String(repeating: "long ", count: 50), seconds: seconds, failures: [14: 3],
        roles: (0..<40).map { ("role \($0)", second(300)) }
      ).lines(width: width, height: height)
      #expect(lines.count <= height)
      #expect(lines.allSatisfy { $0.count <= width }, "\(width)x\(height)")
    }
  }

  @Test("It shows rate, calls in flight, percentiles, errors by code and the generator's lag")
  func figures() {
    let screen = LiveScreen(
      title: "a run", seconds: [second(1), second(2)], failures: [14: 3, 8: 9], roles: [])
    let text = screen.lines(width: 100, height: 40).joined(separator: "\n")
    for part in [
      "answered 102/s", "in flight 7", "failed 2/s", "p50 500 µs", "p99 9.00 ms", "max 90.0 ms",
      "lag p99 1.50 ms", "9 RESOURCE_EXHAUSTED, 3 UNAVAILABLE",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(
      LiveScreen(title: "", seconds: [], failures: [:], roles: []).lines(width: 80, height: 24)
        == [""])
  }

  @Test("The plot has the largest value at its top, the smallest at its bottom, on a log scale")
  func plot() {
    var middle = second(2, p50: 1_000, max: 1_000)
    middle.p99 = 1_000
    var first = second(1, p50: 100, max: 10_000)
    first.p99 = 1_000
    let lines = LatencyPlot([first, middle]).lines(width: 40, height: 5)
    #expect(lines.count == 5)
    #expect(lines[0] == "   10.0 ms|^ ")
    #expect(lines[2] == "   1.00 ms|o.")
    #expect(lines[4] == "    100 µs|. ")
    #expect(LatencyPlot([]).lines(width: 40, height: 4).count == 4)
    // Equal values have a scale all the same.
    var flat = second(1, p50: 5, max: 5)
    flat.p99 = 5
    #expect(LatencyPlot([flat]).lines(width: 40, height: 3).last?.hasSuffix("|.") == true)
  }

  @Test("Bars are shares of the largest value")
  func bars() {
    #expect(LiveScreen.bars([0, 1, 4, 8]) == " ▁▄█")
    #expect(LiveScreen.bars([0, 0]) == "  ")
  }
}
