import QuiverWire

/// A scenario's result as JSON: the fields that `compare` reads, for all calls together, and a
/// section for each role and method.
enum ScenarioJSONReport {
  static func text(_ outcome: ScenarioOutcome) -> String {
    let total = outcome.total
    let ended = Double(max(total.ended, 1))
    var fields: [(String, String)] = [
      ("version", "1"), ("method", JSONReport.string("scenario " + outcome.scenario.name)),
      ("is_interrupted", "\(outcome.isInterrupted)"),
      ("loop", JSONReport.string("scenario")), ("seconds", Fixed.text(total.seconds, 6)),
      ("succeeded", "\(total.succeeded)"), ("failed", "\(total.failed)"),
      ("unanswered", "\(total.unanswered)"),
      ("rate", Fixed.text(total.rate, 3)), ("error_share", Fixed.text(total.errorShare, 9)),
      ("late_share", Fixed.text(outcome.lateShare, 9)),
      ("generator_us_per_call", Fixed.text(total.generatorSeconds / ended * 1e6, 3)),
      (
        "server_us_per_call",
        JSONReport.optional(outcome.result.conducted.serverSeconds.map { $0 / ended * 1e6 })
      ),
      ("latency_us", JSONReport.histogram(total.latency)),
      ("service_us", JSONReport.histogram(total.service)),
      ("failures", failures(total)),
    ]
    if let findings = outcome.result.findings {
      fields.append(("verified", "\(outcome.isVerified ?? false)"))
      fields.append(("verification", list(findings.map(\.json))))
    }
    if let failure = outcome.result.readBackFailure ?? outcome.result.tearDownFailure {
      fields.append(("failure", JSONReport.string(failure.sentence)))
    }
    fields.append(("broken_watches", "\(outcome.result.brokenChains)"))
    fields.append(("unrefused", "\(outcome.result.unrefused)"))
    fields.append(("stages", list(outcome.result.conducted.stages.map(stage))))
    fields.append(("roles", list(outcome.result.conducted.tallies.map { row($0, outcome) })))
    let intervals = outcome.result.conducted.series.intervals
    fields.append(("series", list(intervals.map(JSONReport.interval))))
    return object(fields, separator: ",\n ") + "\n"
  }

  private static func stage(_ result: Conductor.StageResult) -> String {
    object([
      ("name", JSONReport.string(result.stage.name)),
      ("shape", JSONReport.string(result.stage.shape.rawValue)),
      ("succeeded", "\(result.summary.succeeded)"), ("failed", "\(result.summary.failed)"),
      ("rate", Fixed.text(result.summary.rate, 3)),
      ("latency_us", JSONReport.histogram(result.summary.latency)),
      ("tester_bytes", "[\(result.residentBytesBefore), \(result.residentBytes)]"),
      (
        "server_bytes",
        result.serverBytes.map { "[\(result.serverBytesBefore ?? 0), \($0)]" } ?? "null"
      ),
    ])
  }

  private static func row(_ row: Tally.Result, _ outcome: ScenarioOutcome) -> String {
    let summary = row.counts.summary
    var fields: [(String, String)] = [
      ("role", JSONReport.string(row.role)), ("method", JSONReport.string(row.method)),
      ("loop", JSONReport.string(outcome.loop(of: row.role))),
      ("succeeded", "\(summary.succeeded)"), ("failed", "\(summary.failed)"),
      ("late", "\(summary.late)"), ("unsent", "\(summary.unsent)"),
      ("unanswered", "\(summary.unanswered)"),
      ("messages", "\(summary.messages)"), ("most_open", "\(row.mostOpen)"),
      ("failures", failures(summary)),
      (
        "notes",
        object(row.notes.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") })
      ),
    ]
    fields += ScenarioOutcome.columns(row).map { name, histogram in
      (name.replacing(" ", with: "_") + "_us", JSONReport.histogram(histogram))
    }
    fields.append(("series", list(row.series.intervals.map(JSONReport.interval))))
    return object(fields)
  }

  private static func failures(_ summary: Summary) -> String {
    object(
      summary.failures.sorted { $0.key < $1.key }
        .map { (StatusCode(rawValue: $0.key).name, "\($0.value)") })
  }

  private static func object(_ fields: [(String, String)], separator: String = ", ") -> String {
    "{" + fields.map { "\(JSONReport.string($0.0)): \($0.1)" }.joined(separator: separator) + "}"
  }

  private static func list(_ elements: [String]) -> String {
    elements.isEmpty ? "[]" : "[\n  " + elements.joined(separator: ",\n  ") + "\n ]"
  }
}

/// The seconds of each role and method, for spreadsheets.
enum ScenarioCSVReport {
  static func text(_ outcome: ScenarioOutcome) -> String {
    var lines = ["role,method," + CSVReport.columns]
    lines += outcome.result.conducted.series.intervals.map { "all,," + CSVReport.row($0) }
    for row in outcome.result.conducted.tallies {
      let name = "\(quoted(row.role)),\(quoted(row.method)),"
      lines += row.series.intervals.map { name + CSVReport.row($0) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    text.contains { $0 == "," || $0 == "\"" || $0.isNewline }
      ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}

/// A scenario as a self-contained page.
enum ScenarioHTMLReport {
  static func text(_ outcome: ScenarioOutcome) -> String {
    let conducted = outcome.result.conducted
    let intervals = conducted.series.intervals
    let pictures = [
      HTMLReport.latency(
        "Latency of all calls, second by second", intervals, ["p50", "p99", "max"]),
      HTMLReport.rates("Answers and failures a second", intervals, failures: true),
      HTMLReport.curve(
        "Latency of all calls by percentile", [("all calls", outcome.total.latency)]),
    ]
    let rows = conducted.tallies.enumerated().map { number, row in
      var summary = row.counts.summary
      summary.seconds = outcome.total.seconds
      return HTMLReport.Row(
        role: row.role, method: row.method, summary: summary, isHeld: !outcome.attacks(row.role),
        anchor: "row\(number)")
    }
    let sections = conducted.tallies.enumerated().map { number, row in
      "<details id=\"row\(number)\">\n\(section(row, outcome))\n</details>"
    }
    return HTMLReport.page(
      outcome.title,
      """
      \(HTMLReport.verdict(outcome.failure, outcome.verdicts))
      \(verification(outcome))
      \(HTMLReport.objectives(outcome.verdicts))
      <h2>Roles</h2>
      \(HTMLReport.table(rows))
      \(pictures.map(\.svg).joined(separator: "\n"))
      <h2>Details</h2>
      \(sections.joined(separator: "\n"))
      \(HTMLReport.folded("All figures", ScenarioTextReport.text(outcome)))
      """)
  }

  private static func verification(_ outcome: ScenarioOutcome) -> String {
    let lines = ScenarioTextReport.verification(outcome).map {
      "<li>\(HTMLReport.escaped($0))</li>"
    }
    return lines.isEmpty ? "" : "<ul>\(lines.joined())</ul>"
  }

  private static func section(_ row: Tally.Result, _ outcome: ScenarioOutcome) -> String {
    let title = HTMLReport.escaped("\(row.role): \(row.method)")
    let text = ScenarioTextReport.row(row, outcome).dropFirst().joined(separator: "\n")
    let intervals = row.series.intervals
    var parts = [
      "<summary><h3>\(title)</h3></summary>", "<pre>\(HTMLReport.escaped(text))</pre>",
    ]
    if intervals.contains(where: { $0.max > 0 }) {
      parts.append(HTMLReport.latency("Latency", intervals, ["p50", "p99"]).svg)
    }
    parts.append(HTMLReport.rates("A second", intervals, failures: true, messages: true).svg)
    let columns = ScenarioOutcome.columns(row)
    if !columns.isEmpty { parts.append(HTMLReport.curve("By percentile", columns).svg) }
    return parts.joined(separator: "\n")
  }
}
