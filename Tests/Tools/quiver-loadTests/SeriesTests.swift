import Testing

@testable import quiver_load

@Suite("The series of a run", .timeLimit(.minutes(5)))
struct SeriesTests {
  @Test("A long run keeps a bounded number of intervals, and loses no call")
  func bounded() throws {
    var series = Series()
    for number in 1...20_000 {
      var summary = Summary()
      summary.succeeded = 2
      summary.latency.record(nanoseconds: number == 12_345 ? 9_000_000 : 1_000_000)
      series.append(
        Interval(number: number, summary: summary, openCalls: number % 7, generatorShare: 0.5))
      #expect(series.intervals.count <= Series.maximumCount)
    }
    #expect(series.intervals.reduce(0) { $0 + $1.succeeded } == 40_000)
    #expect(series.intervals.reduce(0) { $0 + $1.seconds } == 20_000)
    #expect(series.intervals.last?.number == 20_000)
    let peak = try #require(series.intervals.first { $0.number >= 12_345 })
    #expect(peak.max == 9_000 && peak.openCalls == 6 && peak.rate(peak.succeeded) == 2)
    #expect(abs(peak.generatorShare - 0.5) < 1e-9)
  }

  @Test("A histogram that counted nothing has no memory, and merges all the same")
  func lazy() {
    var empty = Histogram()
    #expect(empty.counts.isEmpty && empty.count(above: 1) == 0)
    var full = Histogram()
    full.record(nanoseconds: 5_000_000)
    full.merge(empty)
    empty.merge(full)
    #expect(empty == full && empty.count(above: 4_000) == 1 && empty.count(above: 6_000) == 0)
    #expect(full.since(Histogram()).count == 1 && full.since(full).count == 0)
  }
}
