import QuiverWire

/// What people read on a terminal.
enum TextReport {
  static let quantiles: [(String, Double)] = [
    ("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999),
    ("p99.99", 0.9999), ("max", 1),
  ]

  static func text(_ outcome: Outcome) -> String {
    let summary = outcome.result.summary
    var lines = [
      "\(outcome.title)",
      "\(outcome.loop), \(connections(outcome.settings.connections)),"
        + " \(Fixed.text(summary.seconds, 1)) s counted",
      "",
    ]
    if outcome.result.isInterrupted { lines += ["interrupted before its time", ""] }
    lines += [
      "answered   \(summary.succeeded), \(Fixed.text(summary.rate, 1)) a second"
    ]
    if summary.messages > 0 {
      lines.append(
        "messages   \(summary.messages),"
          + " \(Fixed.text(Double(summary.messages) / max(summary.seconds, 1e-9), 1)) a second")
    }
    lines.append("failed     \(summary.failed) (\(Fixed.text(summary.errorShare * 100, 3)) %)")
    for (code, count) in summary.failures.sorted(by: { $0.key < $1.key }) {
      lines.append("           \(count) \(StatusCode(rawValue: code).name)")
    }
    if summary.unanswered > 0 { lines.append("           unanswered \(summary.unanswered)") }
    if summary.outageSeconds > 0 {
      lines.append("no answer  for \(Fixed.text(summary.outageSeconds, 1)) s")
    }
    let lateAfter = Fixed.time(microseconds: Double(outcome.settings.lateNanoseconds) / 1_000)
    lines += [
      "late       \(summary.late) sent more than \(lateAfter) late, \(summary.unsent) never sent"
        + " (\(Fixed.text(summary.lateShare * 100, 3)) %)", "",
    ]
    lines += table(outcome)
    lines.append("")
    if let share = outcome.generatorMicrosecondsPerCall {
      lines.append("generator  \(Fixed.text(share, 2)) µs of processor time a call")
    }
    if let share = outcome.serverMicrosecondsPerCall {
      lines.append("server     \(Fixed.text(share, 2)) µs of processor time a call")
    }
    lines += outcome.verdicts.map { "objective  " + $0.text }
    return lines.joined(separator: "\n")
  }

  static func connections(_ count: Int) -> String {
    count == 1 ? "1 connection" : "\(count) connections"
  }

  private static func table(_ outcome: Outcome) -> [String] {
    let summary = outcome.result.summary
    var columns = [(outcome.isOpenLoop ? "latency" : "closed", summary.latency)]
    if outcome.isOpenLoop { columns.append(("service", summary.service)) }
    if outcome.result.firstMessages.count > 0 {
      columns.append(("first message", outcome.result.firstMessages))
      columns.append(("gap", outcome.result.gaps))
    }
    return table(columns)
  }

  /// Quantiles as rows, a histogram a column.
  static func table(_ columns: [(String, Histogram)]) -> [String] {
    let head = columns.map { Fixed.right($0.0, 14) }.joined()
    let rows = quantiles.map { name, quantile in
      Fixed.left(name, 8)
        + columns.map {
          Fixed.right(time($0.1, at: quantile), 14)
        }.joined()
    }
    let counts =
      Fixed.left("count", 8) + columns.map { Fixed.right("\($0.1.count)", 14) }.joined()
    return [Fixed.left("", 8) + head] + rows + [counts]
  }

  /// A quantile in its natural unit; a dash where the sample is too small for it.
  static func time(_ histogram: Histogram, at quantile: Double) -> String {
    guard histogram.supports(quantile) else { return "–" }
    return Fixed.time(microseconds: histogram.microseconds(at: quantile))
  }

  /// One line a second, while it runs.
  static func line(_ second: Interval) -> String {
    Fixed.right("\(second.number)s", 5) + (second.isWarmUp ? " warm-up" : "        ")
      + figures(second) + " generator \(Fixed.text(second.generatorShare * 100, 0)) %"
  }

  /// Rate, open calls, latencies and errors of an interval.
  static func figures(_ second: Interval) -> String {
    Fixed.right("\(Fixed.text(second.rate(second.succeeded), 0))/s", 11)
      + Fixed.right("\(second.openCalls) open", 12)
      + "  p50 " + Fixed.left(Fixed.time(microseconds: second.p50), 9)
      + " p99 " + Fixed.left(Fixed.time(microseconds: second.p99), 9)
      + " errors \(second.failed) late \(second.late &+ second.unsent)"
  }
}

/// A run with what it was asked and what it is held to.
struct Outcome: Sendable {
  let title: String
  let method: String
  let settings: LoadRun.Settings
  let result: LoadRun.Result
  let verdicts: [Objectives.Verdict]
  /// Why the lines of seconds are not complete; nil: they are.
  var linesFailure: Failure?

  /// Why the process ends with another code than 0.
  var failure: Failure? {
    if result.isInterrupted { return .interrupted }
    if wasLate {
      return Failure(
        .generatorLate,
        "the generator was late or did not send for"
          + " \(Fixed.text(result.summary.lateShare * 100, 2)) % of the calls; the"
          + " latencies are its own; lower --rate, or give --threads and --connections, or"
          + " another machine")
    }
    if let broken = verdicts.first(where: { !$0.holds }) {
      return Failure(.objectiveBroken, broken.text)
    }
    let summary = result.summary
    if summary.mostlyFailed {
      return Failure(
        .objectiveBroken, "\(summary.failed) of \(summary.ended) calls failed")
    }
    guard summary.outageSeconds > 0 else { return linesFailure }
    return Failure(
      .objectiveBroken, "no answer for \(Fixed.text(summary.outageSeconds, 1)) s")
  }

  var isOpenLoop: Bool { settings.rate != nil }

  var loop: String {
    if let rate = settings.rate {
      return "open loop at \(Fixed.text(rate, rate < 10 ? 2 : 0)) a second, \(settings.arrivals)"
    }
    return "closed loop of \(settings.concurrency): no call waits for a slow one, so that"
      + " percentiles look better than users find them"
  }

  var generatorMicrosecondsPerCall: Double? {
    let ended = result.summary.ended
    return ended == 0 ? nil : result.summary.generatorSeconds / Double(ended) * 1e6
  }

  var serverMicrosecondsPerCall: Double? {
    let ended = result.summary.ended
    guard let serverSeconds = result.serverSeconds, ended > 0 else { return nil }
    return serverSeconds / Double(ended) * 1e6
  }

  /// The generator was late so often that the latencies are its own.
  var wasLate: Bool { isOpenLoop && result.summary.lateShare > 0.01 }
}
