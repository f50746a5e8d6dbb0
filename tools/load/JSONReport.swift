import QuiverWire

/// The result as JSON, version 1, which `compare` reads.
enum JSONReport {
  static func text(_ outcome: Outcome) -> String {
    let summary = outcome.result.summary
    var fields: [(String, String)] = [
      ("version", "1"), ("method", string(outcome.method)),
      ("loop", string(outcome.isOpenLoop ? "open" : "closed")),
      ("rate_wanted", outcome.settings.rate.map { Fixed.text($0, 3) } ?? "null"),
      ("concurrency", outcome.isOpenLoop ? "null" : "\(outcome.settings.concurrency)"),
      ("connections", "\(outcome.settings.connections)"),
      ("seconds", Fixed.text(summary.seconds, 6)), ("succeeded", "\(summary.succeeded)"),
      ("failed", "\(summary.failed)"), ("late", "\(summary.late)"),
      ("outage_seconds", Fixed.text(summary.outageSeconds, 1)),
      ("is_interrupted", "\(outcome.result.isInterrupted)"),
      ("is_valid", outcome.wasLate ? "false" : "true"),
      ("unsent", "\(summary.unsent)"), ("unanswered", "\(summary.unanswered)"),
      ("messages", "\(summary.messages)"),
      ("rate", Fixed.text(summary.rate, 3)), ("error_share", Fixed.text(summary.errorShare, 9)),
      ("late_share", Fixed.text(summary.lateShare, 9)),
      ("generator_us_per_call", optional(outcome.generatorMicrosecondsPerCall)),
      ("server_us_per_call", optional(outcome.serverMicrosecondsPerCall)),
      ("latency_us", histogram(summary.latency)), ("service_us", histogram(summary.service)),
    ]
    fields.append(("failures", failures(summary.failures)))
    if outcome.result.firstMessages.count > 0 {
      fields.append(("first_message_us", histogram(outcome.result.firstMessages)))
      fields.append(("gap_us", histogram(outcome.result.gaps)))
    }
    let seconds = outcome.result.series.intervals.map { "    " + interval($0) }
    fields.append(("series", "[\n\(seconds.joined(separator: ",\n"))\n  ]"))
    return "{\n" + fields.map { "  \(string($0.0)): \($0.1)" }.joined(separator: ",\n") + "\n}\n"
  }

  static func interval(_ interval: Interval) -> String {
    "{\"second\": \(interval.number), \"seconds\": \(interval.seconds),"
      + " \"succeeded\": \(interval.succeeded), \"failed\": \(interval.failed),"
      + " \"open\": \(interval.openCalls), \"messages\": \(interval.messages),"
      + " \"late\": \(interval.late), \"unsent\": \(interval.unsent),"
      + " \"p50_us\": \(Fixed.text(interval.p50, 3)),"
      + " \"p99_us\": \(Fixed.text(interval.p99, 3)),"
      + " \"max_us\": \(Fixed.text(interval.max, 3)),"
      + " \"lag_p99_us\": \(Fixed.text(interval.lag, 3)),"
      + " \"failures\": \(failures(interval.failures))}"
  }

  /// Counts by the names of status codes.
  static func failures(_ failures: [UInt32: UInt64]) -> String {
    let fields = failures.sorted { $0.key < $1.key }
      .map { "\(string(StatusCode(rawValue: $0.key).name)): \($0.value)" }
    return "{\(fields.joined(separator: ", "))}"
  }

  static func histogram(_ histogram: Histogram) -> String {
    let quantiles = TextReport.quantiles.map { name, at in
      "\(string(name)): \(quantile(histogram, at))"
    }
    return "{\"count\": \(histogram.count), \"mean\": \(Fixed.text(histogram.meanMicroseconds, 3)),"
      + " \(quantiles.joined(separator: ", "))}"
  }

  private static func quantile(_ histogram: Histogram, _ at: Double) -> String {
    Fixed.text(histogram.microseconds(at: at), 3)
  }

  static func optional(_ value: Double?) -> String {
    value.map { Fixed.text($0, 3) } ?? "null"
  }

  static func string(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case ..<" ":
        "\\u" + Fixed.right(String(scalar.value, radix: 16), 4).replacing(" ", with: "0")
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}

/// The seconds of a run, for spreadsheets.
enum CSVReport {
  static let columns =
    "second,seconds,succeeded,failed,open,late,unsent,messages,p50_us,p90_us,p99_us,p99.9_us,max_us"

  static func text(_ outcome: Outcome) -> String {
    ([columns] + outcome.result.series.intervals.map(row)).joined(separator: "\n") + "\n"
  }

  static func row(_ interval: Interval) -> String {
    let counts: [UInt64] = [
      interval.succeeded, interval.failed, UInt64(interval.openCalls), interval.late,
      interval.unsent, interval.messages,
    ]
    let words =
      ["\(interval.number)", "\(interval.seconds)"] + counts.map { "\($0)" }
      + [interval.p50, interval.p90, interval.p99, interval.p999, interval.max]
      .map { Fixed.text($0, 0) }
    return words.joined(separator: ",")
  }
}
