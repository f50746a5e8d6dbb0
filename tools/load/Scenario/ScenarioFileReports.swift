import QuiverWire

/// A scenario's result as JSON: what `compare` reads of a plain run, for all calls together, and a
/// section for each role and method.
enum ScenarioJSONReport {
  static func text(_ outcome: ScenarioOutcome) -> String {
    let total = outcome.total
    let ended = Double(max(total.ended, 1))
    var fields: [(String, String)] = [
      ("version", "1"), ("method", JSONReport.string("scenario " + outcome.scenario.name)),
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

/// A scenario on one page with everything in it.
enum ScenarioHTMLReport {
  private static let colours = [
    "#2c7fb8", "#d95f0e", "#31a354", "#756bb1", "#b10026", "#636363", "#e7298a", "#a6761d",
  ]

  static func text(_ outcome: ScenarioOutcome) -> String {
    let conducted = outcome.result.conducted
    let intervals = conducted.series.intervals
    let pictures = [
      Chart(
        title: "Latency of all calls, second by second", xName: "seconds", yName: "µs",
        isLogarithmic: true,
        lines: [("p50", \Interval.p50), ("p99", \.p99), ("max", \.max)].enumerated().map {
          number, line in
          Chart.Line(
            name: line.0, colour: colour(number),
            points: intervals.filter { $0.max > 0 }
              .map { (Double($0.number), $0[keyPath: line.1]) })
        }),
      Chart(
        title: "Answers and failures a second", xName: "seconds", yName: "calls a second",
        isLogarithmic: false,
        lines: [
          Chart.Line(
            name: "answered", colour: colour(0),
            points: intervals.map { (Double($0.number), $0.rate($0.succeeded)) }),
          Chart.Line(
            name: "failed", colour: colour(4),
            points: intervals.map { (Double($0.number), $0.rate($0.failed)) }),
        ]),
      HTMLReport.curve(
        "Latency of all calls by percentile", [("all calls", outcome.total.latency)]),
    ]
    let sections = conducted.tallies.map { section($0, outcome) }
    let names = conducted.tallies.enumerated().map { number, row in
      "<li><a href=\"#row\(number)\">\(HTMLReport.escaped("\(row.role): \(row.method)"))</a></li>"
    }
    let anchored = sections.enumerated().map { number, section in
      "<section id=\"row\(number)\">\n\(section)\n</section>"
    }
    return HTMLReport.page(
      outcome.title,
      """
      <pre>\(HTMLReport.escaped(ScenarioTextReport.text(outcome)))</pre>
      \(pictures.map(\.svg).joined(separator: "\n"))
      <h2>Roles and methods</h2>
      <ul>
      \(names.joined(separator: "\n"))
      </ul>
      \(anchored.joined(separator: "\n"))
      """)
  }

  private static func section(_ row: Tally.Result, _ outcome: ScenarioOutcome) -> String {
    let title = "\(row.role): \(row.method)"
    let text = ScenarioTextReport.row(row, outcome).dropFirst().joined(separator: "\n")
    let intervals = row.series.intervals
    var parts = [
      "<h3>\(HTMLReport.escaped(title))</h3>", "<pre>\(HTMLReport.escaped(text))</pre>",
    ]
    if intervals.contains(where: { $0.max > 0 }) {
      parts.append(
        Chart(
          title: "Latency", xName: "seconds", yName: "µs", isLogarithmic: true,
          lines: [("p50", \Interval.p50), ("p99", \.p99)].enumerated().map { number, line in
            Chart.Line(
              name: line.0, colour: colour(number),
              points: intervals.filter { $0.max > 0 }
                .map { (Double($0.number), $0[keyPath: line.1]) })
          }
        ).svg)
    }
    parts.append(
      Chart(
        title: "A second", xName: "seconds", yName: "count", isLogarithmic: false,
        lines: [
          Chart.Line(
            name: "answered", colour: colour(0),
            points: intervals.map { (Double($0.number), $0.rate($0.succeeded)) }),
          Chart.Line(
            name: "messages", colour: colour(2),
            points: intervals.map { (Double($0.number), $0.rate($0.messages)) }),
          Chart.Line(
            name: "failed", colour: colour(4),
            points: intervals.map { (Double($0.number), $0.rate($0.failed)) }),
        ]
      ).svg)
    let columns = ScenarioOutcome.columns(row)
    if !columns.isEmpty { parts.append(HTMLReport.curve("By percentile", columns).svg) }
    return parts.joined(separator: "\n")
  }

  private static func colour(_ number: Int) -> String { colours[number % colours.count] }
}
