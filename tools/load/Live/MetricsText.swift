import QuiverWire

/// The state of a run in the text format of Prometheus, version 0.0.4.
enum MetricsText {
  /// Upper bounds of the latency histogram's buckets in microseconds.
  private static let bounds: [UInt64] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000, 10_000_000,
  ]

  /// `total` counts since the start, the warm-up left out.
  static func text(_ last: Interval, _ total: Summary) -> String {
    var lines = family("quiver_load_calls_total", "counter", "Calls that ended, by status code.")
    lines.append(#"quiver_load_calls_total{code="OK"} \#(total.succeeded)"#)
    for (code, count) in total.failures.sorted(by: { $0.key < $1.key }) {
      let name = StatusCode(rawValue: code).name
      lines.append(#"quiver_load_calls_total{code="\#(name)"} \#(count)"#)
    }
    lines += counter("quiver_load_late_total", "Calls that were sent late.", total.late)
    lines += counter("quiver_load_unsent_total", "Calls that were never sent.", total.unsent)
    lines += counter("quiver_load_messages_total", "Messages of reply streams.", total.messages)
    lines += gauge("quiver_load_in_flight", "Open calls.", Double(last.openCalls))
    lines += gauge(
      "quiver_load_lag_seconds", "How late the generator sent in the last second, p99.",
      last.lag / 1e6)
    lines += gauge(
      "quiver_load_processor_ratio", "Processor time of the generator per second.",
      last.generatorShare)
    let name = "quiver_load_latency_seconds"
    lines += family(name, "histogram", "Latency of successful calls since they were due.")
    for bound in bounds {
      let count = total.latency.count &- total.latency.count(above: bound)
      lines.append(#"\#(name)_bucket{le="\#(seconds(Double(bound) / 1e6))"} \#(count)"#)
    }
    lines.append(#"\#(name)_bucket{le="+Inf"} \#(total.latency.count)"#)
    lines.append("\(name)_sum \(seconds(total.latency.sumNanoseconds / 1e9))")
    lines.append("\(name)_count \(total.latency.count)")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func family(_ name: String, _ kind: String, _ help: String) -> [String] {
    ["# HELP \(name) \(help)", "# TYPE \(name) \(kind)"]
  }

  private static func counter(_ name: String, _ help: String, _ value: UInt64) -> [String] {
    family(name, "counter", help) + ["\(name) \(value)"]
  }

  private static func gauge(_ name: String, _ help: String, _ value: Double) -> [String] {
    family(name, "gauge", help) + ["\(name) \(seconds(value))"]
  }

  private static func seconds(_ value: Double) -> String { Fixed.text(value, 6) }
}
