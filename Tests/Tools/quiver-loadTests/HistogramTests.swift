import QuiverRules
import Testing

@testable import quiver_load

@Suite("The histogram", .timeLimit(.minutes(5)))
struct HistogramTests {
  @Test("Every time from 1 µs to 100 s is kept to three digits")
  func precision() {
    var microseconds: UInt64 = 1
    while microseconds < Histogram.highestMicroseconds {
      let index = Histogram.index(of: microseconds)
      let highest = Histogram.highestValue(at: index)
      #expect(highest >= microseconds)
      #expect(Double(highest - microseconds) <= Double(microseconds) / 1_000, "\(microseconds)")
      #expect(
        Histogram.index(of: highest) == index && Histogram.index(of: highest + 1) == index + 1)
      microseconds += max(1, microseconds / 37)
    }
  }

  @Test("Quantiles are those of the sorted times", arguments: 1...20 as ClosedRange<UInt64>)
  func quantiles(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var histogram = Histogram()
    var times: [UInt64] = []
    for _ in 0..<Int.random(in: 1...5_000, using: &random) {
      let magnitude = Double.random(in: 0...8, using: &random)
      var nanoseconds: UInt64 = 1_000
      for _ in 0..<Int(magnitude) { nanoseconds *= 10 }
      nanoseconds = nanoseconds / 1_000 * UInt64.random(in: 1_000...9_999, using: &random) / 10
      times.append(nanoseconds)
      histogram.record(nanoseconds: nanoseconds)
    }
    times.sort()
    for quantile in [0.01, 0.5, 0.9, 0.99, 0.999] {
      let place = max(1, Int((quantile * Double(times.count)).rounded(.up))) - 1
      let exact = Double(min(times[place], 100_000_000_000)) / 1_000
      let shown = histogram.microseconds(at: quantile)
      #expect(abs(shown - exact) <= exact / 1_000 + 1, "seed \(seed), \(quantile)")
    }
    #expect(histogram.microseconds(at: 1) == Double(times.last ?? 0) / 1_000)
    #expect(histogram.count == UInt64(times.count))
  }

  @Test("Two that are merged are as one that counted everything; what came since is the rest")
  func merging() {
    var (first, second, all) = (Histogram(), Histogram(), Histogram())
    for number in 1...1_000 as ClosedRange<UInt64> {
      let nanoseconds = number * number * 777
      if number % 3 == 0 {
        first.record(nanoseconds: nanoseconds)
      } else {
        second.record(nanoseconds: nanoseconds)
      }
      all.record(nanoseconds: nanoseconds)
    }
    let before = first
    first.merge(second)
    #expect(first.counts == all.counts && first.count == 1_000)
    #expect(first.maxNanoseconds == all.maxNanoseconds)
    #expect(first.minNanoseconds == all.minNanoseconds)
    let rest = first.since(before)
    #expect(rest.counts == second.counts && rest.count == second.count)
  }

  @Test("Nothing counted is zero everywhere, and the text of it has no row")
  func empty() {
    let histogram = Histogram()
    #expect(histogram.microseconds(at: 0.5) == 0 && histogram.microseconds(at: 1) == 0)
    #expect(histogram.hgrm.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 1)
  }

  @Test("The text format ends at the whole count")
  func text() throws {
    var histogram = Histogram()
    for number in 1...100 as ClosedRange<UInt64> {
      histogram.record(nanoseconds: number * 1_000_000)
    }
    let rows = histogram.hgrm.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst()
    #expect(rows.count == 100)
    let last = try #require(rows.last).split(separator: " ")
    #expect(last[0] == "100.000" && last[1] == "1.000000000000" && last[2] == "100")
  }

  @Test("Times outside the range count at its ends")
  func ends() {
    var histogram = Histogram()
    histogram.record(nanoseconds: 0)
    histogram.record(nanoseconds: .max)
    #expect(histogram.count == 2)
    #expect(histogram.microseconds(at: 0.5) == 1)
  }
}
