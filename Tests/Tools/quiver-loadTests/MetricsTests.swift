import QuiverWire
import Testing

@testable import quiver_load

@Suite("Metrics of a run", .timeLimit(.minutes(5)))
struct MetricsTests {
  private static func summary() -> Summary {
    var summary = Summary()
    for microseconds in [200, 300, 3_000, 20_000_000] {
      summary.latency.record(nanoseconds: UInt64(microseconds) * 1_000)
      summary.succeeded += 1
    }
    summary.fail(.unavailable)
    summary.late = 2
    return summary
  }

  @Test("Buckets are cumulative, and their last is the count")
  func text() throws {
    var last = Interval(number: 3)
    (last.openCalls, last.lag) = (5, 1_500)
    let lines = MetricsText.text(last, Self.summary()).split(separator: "\n").map(String.init)
    for line in [
      #"quiver_load_calls_total{code="OK"} 4"#, #"quiver_load_calls_total{code="UNAVAILABLE"} 1"#,
      "quiver_load_late_total 2", "quiver_load_in_flight 5.000000",
      "quiver_load_lag_seconds 0.001500",
      #"quiver_load_latency_seconds_bucket{le="0.000100"} 0"#,
      #"quiver_load_latency_seconds_bucket{le="0.000250"} 1"#,
      #"quiver_load_latency_seconds_bucket{le="0.005000"} 3"#,
      #"quiver_load_latency_seconds_bucket{le="10.000000"} 3"#,
      #"quiver_load_latency_seconds_bucket{le="+Inf"} 4"#, "quiver_load_latency_seconds_count 4",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    // Every sample has a TYPE line before it.
    for line in lines where !line.hasPrefix("#") {
      let name = line.prefix { $0 != " " && $0 != "{" }
        .replacing(/_(bucket|sum|count)$/, with: "")
      #expect(lines.contains { $0.hasPrefix("# TYPE \(name) ") }, "\(line)")
    }
  }

  @Test("A listener stops and its port is free again; an address that is no address is refused")
  func listener() throws {
    let first = try MetricsListener(address: "127.0.0.1:0")
    first.stop()
    let second = try MetricsListener(address: "127.0.0.1:\(first.port)")
    #expect(second.port == first.port)
    #expect(throws: Failure.self) { try MetricsListener(address: ":\(second.port)") }
    second.stop()
    for address in ["", "1.2.3.4", "host:80", "127.0.0.1:99999", "127.0.0.1:80:1"] {
      #expect(throws: Failure.self, "\(address)") { try MetricsListener(address: address) }
    }
  }
}
