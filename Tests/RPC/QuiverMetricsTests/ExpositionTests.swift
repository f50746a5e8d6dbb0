import Testing

@testable import QuiverMetrics

@Suite("Metrics and their text", .timeLimit(.minutes(5)))
struct ExpositionTests {
  @Test("A counter, a gauge and a histogram have the lines of the format")
  func lines() {
    let histogram = Histogram(BucketBounds([1_000, 2_000_000], unitsPerExposedUnit: 1e6))
    for value: UInt64 in [1, 1_000, 1_001, 3_000_000] { histogram.observe(value) }
    let text = Exposition.text([
      MetricFamily("quiver_calls_total", .counter, "Calls\nin \\ \"all\".") {
        [
          MetricSeries([("code", "OK"), ("path", "a\"b\\c\nd")], value: 3),
          MetricSeries([("code", "UNKNOWN")], value: 0),
        ]
      },
      MetricFamily("quiver_open", .gauge, "Open.") { 1.5 },
      MetricFamily("quiver_time_seconds", "Time.", histogram: histogram),
      MetricFamily("quiver_nothing_total", .counter, "No series.") { [] },
    ])
    #expect(
      text == """
        # HELP quiver_calls_total Calls\\nin \\\\ "all".
        # TYPE quiver_calls_total counter
        quiver_calls_total{code="OK",path="a\\"b\\\\c\\nd"} 3
        quiver_calls_total{code="UNKNOWN"} 0
        # HELP quiver_open Open.
        # TYPE quiver_open gauge
        quiver_open 1.5
        # HELP quiver_time_seconds Time.
        # TYPE quiver_time_seconds histogram
        quiver_time_seconds_bucket{le="0.001"} 2
        quiver_time_seconds_bucket{le="2"} 3
        quiver_time_seconds_bucket{le="+Inf"} 4
        quiver_time_seconds_sum 3.002002
        quiver_time_seconds_count 4

        """)
  }

  @Test("Numbers are written so that they read back as the same")
  func numbers() {
    let cases: [(Double, String)] = [
      (0, "0"), (-3, "-3"), (0.00005, "5e-05"), (1e14, "100000000000000"), (0.1, "0.1"),
      (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
    ]
    for (value, text) in cases {
      #expect(Exposition.number(value) == text)
      if !value.isNaN, value.isFinite { #expect(Double(text) == value) }
    }
  }

  @Test("Each value is in the first bucket whose bound it does not exceed")
  func buckets() {
    let bounds = BucketBounds([10, 20])
    #expect([0, 10, 11, 20, 21, .max].map(bounds.bucket(of:)) == [0, 0, 1, 1, 2, 2])
  }

  @Test("Cells add up, each by itself")
  func cells() {
    let cells = CounterCells(count: 3)
    cells.add(at: 1)
    cells.add(41, at: 1)
    cells.add(.max, at: 2)
    cells.add(2, at: 2)
    #expect((0..<3).map(cells.value(at:)) == [0, 42, 1])
  }

  @Test("A histogram loses nothing when many threads observe at once")
  func threads() async {
    let histogram = Histogram(.counts)
    await withTaskGroup { group in
      for value in 1...8 {
        group.addTask { for _ in 0..<10_000 { histogram.observe(UInt64(value)) } }
      }
    }
    #expect(histogram.snapshot.count == 80_000)
    #expect(histogram.snapshot.sum == 360_000)
  }
}
