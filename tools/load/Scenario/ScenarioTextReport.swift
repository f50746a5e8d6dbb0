import QuiverWire

/// The report of a scenario on a terminal.
enum ScenarioTextReport {
  static func text(_ outcome: ScenarioOutcome) -> String {
    let total = outcome.total
    var lines = [
      outcome.title,
      "\(Fixed.text(total.seconds, 1)) s counted\(outcome.isInterrupted ? ", interrupted" : "")",
      "",
      "calls      \(total.succeeded) answered, \(Fixed.text(total.rate, 1)) a second;"
        + " \(total.failed) failed (\(Fixed.text(total.errorShare * 100, 3)) %)",
      "late       \(Fixed.text(outcome.lateShare * 100, 3)) % of the open loops' calls, sent more"
        + " than \(Fixed.text(outcome.scenario.lateSeconds * 1_000, 0)) ms late or never",
    ]
    if total.ended > 0 {
      lines.append(
        "generator  \(Fixed.text(total.generatorSeconds / Double(total.ended) * 1e6, 2)) µs of"
          + " processor time a call")
      if let server = outcome.result.conducted.serverSeconds {
        lines.append(
          "server     \(Fixed.text(server / Double(total.ended) * 1e6, 2)) µs of processor time a"
            + " call")
      }
    }
    if total.unanswered > 0 { lines.append("unanswered \(total.unanswered), which are failures") }
    lines += outcome.growth.map { "memory     " + $0 }
    lines += outcome.verdicts.map { "objective  " + $0.text }
    lines += verification(outcome)
    if let failure = outcome.result.tearDownFailure {
      lines.append("teardown   \(failure.sentence)")
    }
    lines += [""] + stages(outcome)
    for row in outcome.result.conducted.tallies {
      lines += [""] + self.row(row, outcome)
    }
    return lines.joined(separator: "\n")
  }

  static func verification(_ outcome: ScenarioOutcome) -> [String] {
    guard let findings = outcome.result.findings else { return [] }
    let lines = findings.map(\.text)
    guard findings.allSatisfy(\.isClean) else {
      return lines + ["verified   NOT ALL IS AS IT MUST BE"]
    }
    if let failure = outcome.result.readBackFailure {
      return lines + ["verified   NOT ALL: \(failure.sentence)"]
    }
    return lines + ["verified   nothing is lost, doubled or reordered"]
  }

  /// One line per stage.
  static func stages(_ outcome: ScenarioOutcome) -> [String] {
    let names = outcome.result.conducted.stages.map(\.stage.name.count)
    let width = max(names.max() ?? 0, 5) + 2
    let head =
      Fixed.left("stage", width) + Fixed.right("calls/s", 11) + Fixed.right("failed", 9)
      + Fixed.right("p50", 12) + Fixed.right("p99", 12) + Fixed.right("max", 12)
    return [head]
      + outcome.result.conducted.stages.map { stage in
        let latency = stage.summary.latency
        return Fixed.left(stage.stage.name, width)
          + Fixed.right(Fixed.text(stage.summary.rate, 1), 11)
          + Fixed.right("\(stage.summary.failed)", 9)
          + [0.5, 0.99, 1].map {
            Fixed.right(Fixed.time(microseconds: latency.microseconds(at: $0)), 12)
          }.joined()
      }
  }

  /// A section for a role and a method.
  static func row(_ row: Tally.Result, _ outcome: ScenarioOutcome) -> [String] {
    let summary = row.counts.summary
    let attacks = outcome.attacks(row.role)
    var lines = [
      "\(row.role): \(row.method)",
      "  " + outcome.loop(of: row.role),
      "  \(summary.succeeded) answered, \(summary.failed) \(attacks ? "refused" : "failed"),"
        + " \(row.mostOpen) open at most"
        + (summary.late &+ summary.unsent > 0
          ? ", \(summary.late) late, \(summary.unsent) never sent" : ""),
    ]
    if summary.messages > 0 {
      let rate = Double(summary.messages) / max(outcome.total.seconds, 1e-9)
      lines.append("  \(summary.messages) messages, \(Fixed.text(rate, 1)) a second")
    }
    for (code, count) in summary.failures.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(attacks ? "refused " : "")\(count) \(StatusCode(rawValue: code).name)")
      if let text = row.firstFailures[code] { lines.append("    the first: \(text)") }
    }
    if summary.unanswered > 0 { lines.append("  unanswered \(summary.unanswered)") }
    for (name, count) in row.notes.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(name): \(count)")
    }
    let columns = attacks ? [] : ScenarioOutcome.columns(row)
    if !columns.isEmpty { lines += TextReport.table(columns).map { "  " + $0 } }
    return lines
  }
}
