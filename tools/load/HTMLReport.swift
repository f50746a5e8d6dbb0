import Glibc
import QuiverWire

/// One page with everything in it, no script and no other file: the verdict, tables, pictures, and
/// all figures folded.
enum HTMLReport {
  static func text(_ outcome: Outcome) -> String {
    let summary = outcome.result.summary
    let seconds = outcome.result.series.intervals
    let pictures = [
      latency("Latency, second by second", seconds, ["p50", "p99", "max"]),
      curve(
        "Latency by percentile", [("latency", summary.latency), ("service", summary.service)]),
      rates("Answers and failures a second", seconds, failures: true),
    ]
    let row = Row(role: "", method: outcome.method, summary: summary, isHeld: true)
    return page(
      outcome.title,
      """
      \(verdict(outcome.failure, outcome.verdicts))
      <p>\(escaped(outcome.loop)), \(TextReport.connections(outcome.settings.connections)),
      \(Fixed.text(summary.seconds, 1)) s counted</p>
      \(objectives(outcome.verdicts))
      \(table([row]))
      \(pictures.map(\.svg).joined(separator: "\n"))
      \(folded("All figures", TextReport.text(outcome)))
      """)
  }

  // MARK: Parts

  /// What one role's calls of one method came to.
  struct Row {
    let role: String
    let method: String
    let summary: Summary
    /// Whether it counts in the objectives.
    let isHeld: Bool
    /// Where the page says more of it.
    var anchor: String?
  }

  /// The first sentence of a page.
  static func verdict(_ failure: Failure?, _ verdicts: [Objectives.Verdict]) -> String {
    if let failure {
      return "<p class=\"verdict broken\">Failed: \(escaped(failure.sentence))</p>"
    }
    let text = verdicts.isEmpty ? "Done; there were no objectives" : "All objectives hold"
    return "<p class=\"verdict holds\">\(text)</p>"
  }

  static func objectives(_ verdicts: [Objectives.Verdict]) -> String {
    guard !verdicts.isEmpty else { return "" }
    let rows = verdicts.map { verdict in
      let name = verdict.holds ? "holds" : "broken"
      return "<tr><td>\(escaped(verdict.objective.text))</td><td>\(escaped(verdict.shown))</td>"
        + "<td class=\"\(name)\">\(name)</td></tr>"
    }
    return """
      <div class="wide"><table>
      <thead><tr><th>objective</th><th>value</th><th>result</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  /// A line for each method, with the percentiles that its sample supports.
  static func table(_ rows: [Row]) -> String {
    let hasRoles = rows.contains { !$0.role.isEmpty }
    let quantiles = TextReport.quantiles.filter { ["p50", "p90", "p99", "max"].contains($0.0) }
    let lines = rows.map { row in
      let latency = row.summary.latency
      let method = escaped(row.method.split(separator: ".").last.map(String.init) ?? row.method)
      let name = row.anchor.map { "<a href=\"#\($0)\">\(method)</a>" } ?? method
      let cells =
        (hasRoles ? ["<td>\(escaped(row.role))</td>"] : [])
        + [
          "<td>\(name)</td>", "<td>\(row.summary.succeeded)</td>",
          "<td\(row.isHeld && row.summary.failed > 0 ? " class=\"broken\"" : "")>"
            + "\(row.summary.failed)</td>",
          "<td>\(Fixed.text(row.summary.rate, 1))</td>",
        ] + quantiles.map { "<td>\(escaped(TextReport.time(latency, at: $0.1)))</td>" }
      return "<tr>\(cells.joined())</tr>"
    }
    let heads =
      (hasRoles ? ["role"] : []) + ["method", "answered", "failed", "a second"]
      + quantiles.map(\.0)
    return """
      <div class="wide"><table class="figures">
      <thead><tr>\(heads.map { "<th>\($0)</th>" }.joined())</tr></thead>
      <tbody>
      \(lines.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  static func folded(_ title: String, _ text: String) -> String {
    "<details><summary>\(escaped(title))</summary><pre>\(escaped(text))</pre></details>"
  }

  /// A page that needs nothing else. What is folded on a screen is left out on paper.
  static func page(_ title: String, _ body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"/><title>\(escaped(title))</title>
    <meta name="viewport" content="width=device-width"/>
    <style>
    body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 60em; color: #222;
      padding: 0 1em }
    pre { background: #f6f6f6; padding: 1em; overflow-x: auto }
    svg { width: 100%; height: auto; margin: 1em 0 }
    table { border-collapse: collapse; margin: 1em 0 }
    th, td { text-align: left; padding: .2em .8em .2em 0; border-bottom: 1px solid #ddd }
    h1, p, li, summary { overflow-wrap: anywhere }
    .wide { overflow-x: auto }
    .figures td, .figures th { white-space: nowrap }
    .figures td:nth-last-child(-n+7), .figures th:nth-last-child(-n+7) { text-align: right }
    .verdict { font-size: 1.2em; font-weight: 600; padding: .5em .8em }
    p.holds { background: #e5f5e0 }
    p.broken { background: #fee0d2 }
    td.holds { color: #00682b }
    summary h3 { display: inline; font-size: 1em }
    td.broken { color: #a50f15; font-weight: 600 }
    @media print { details { display: none } body { margin: 0; max-width: none }
      .wide { overflow: visible } .figures { font-size: .8em }
      svg, table { break-inside: avoid } }
    </style></head><body>
    <h1>\(escaped(title))</h1>
    \(body)
    </body></html>

    """
  }

  // MARK: Pictures

  private static let colours = [
    "#2c7fb8", "#d95f0e", "#b10026", "#31a354", "#756bb1", "#636363", "#e7298a", "#a6761d",
  ]

  static func latency(_ title: String, _ seconds: [Interval], _ names: [String]) -> Chart {
    let values: [String: @Sendable (Interval) -> Double] = [
      "p50": { $0.p50 }, "p99": { $0.p99 }, "max": { $0.max },
    ]
    return Chart(
      title: title, xName: "seconds since the start", yName: "latency", scale: .time,
      lines: names.enumerated().map { number, name in
        Chart.Line(
          name: name, colour: colours[number],
          points: seconds.filter { $0.max > 0 }
            .map { (Double($0.number), values[name]?($0) ?? 0) })
      })
  }

  static func rates(
    _ title: String, _ seconds: [Interval], failures: Bool, messages: Bool = false
  ) -> Chart {
    let answered: (Interval) -> Double = { $0.rate($0.succeeded) }
    var lines = [("answered", colours[0], answered)]
    if failures { lines.append(("failed", colours[2], { $0.rate($0.failed) })) }
    if messages { lines.append(("messages", colours[3], { $0.rate($0.messages) })) }
    return Chart(
      title: title, xName: "seconds since the start", yName: "a second", scale: .linear,
      lines: lines.map { name, colour, value in
        Chart.Line(
          name: name, colour: colour, points: seconds.map { (Double($0.number), value($0)) })
      })
  }

  /// Percentiles of a few histograms, as far as each sample supports them.
  static func curve(_ title: String, _ histograms: [(String, Histogram)]) -> Chart {
    Chart(
      title: title, xName: "percentile", yName: "latency", scale: .time,
      xTicks: [(0, "0"), (1, "90"), (2, "99"), (3, "99.9"), (4, "99.99"), (5, "99.999")],
      lines: histograms.enumerated().map { number, histogram in
        Chart.Line(
          name: histogram.0, colour: colours[number % colours.count], points: nines(histogram.1))
      })
  }

  /// Quantiles by their number of nines.
  private static func nines(_ histogram: Histogram) -> [(Double, Double)] {
    stride(from: 0, through: 5, by: 0.1).compactMap { nines in
      let quantile = 1 - exp(-nines * log(10.0))
      guard histogram.supports(quantile) else { return nil }
      return (nines, histogram.microseconds(at: quantile))
    }
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
