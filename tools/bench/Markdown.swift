import Foundation

/// A report as tables.
enum Markdown {
  static func text(_ report: Report, before: Report?) -> String {
    var lines = [
      "Medians of \(report.runs) alternating runs, \(number(report.secondsPerSample)) s a sample;"
        + " ratios are taken within a run."
    ]
    let shapes = Set(EchoMeasures.shapes.map(\.name))
    let echoes = report.measures.filter { shapes.contains($0.name) }
    if !echoes.isEmpty { lines += ["", "Server CPU per call, µs:", ""] + echoTable(echoes) }
    let attacks = report.measures.filter { $0.name.hasPrefix(FairnessMeasures.prefix) }
    if !attacks.isEmpty { lines += [""] + fairnessTable(attacks) }
    let tables = shapes.union(attacks.map(\.name))
    for measure in report.measures where !tables.contains(measure.name) {
      for subject in measure.subjects {
        let range = subject.samples.count < 2 ? "" : ", \(spread(subject.samples))"
        lines += [
          "", "\(measure.name), \(subject.name): \(value(subject.median, subject.unit))\(range)",
        ]
      }
    }
    lines += ["", "| measure | figure | median | range | at most | goal | verdict |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for measure in report.measures {
      lines += measure.figures.map { row($0, of: measure, before: before) }
    }
    lines += goals(report)
    lines += remarks(report)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Each remark once, with its measures.
  private static func remarks(_ report: Report) -> [String] {
    var names: [(text: String, measures: [String])] = []
    for measure in report.measures {
      for remark in measure.remarks {
        let text = remark.split(whereSeparator: \.isNewline).joined(separator: " ")
        if let known = names.firstIndex(where: { $0.text == text }) {
          names[known].measures.append(measure.name)
        } else {
          names.append((text, [measure.name]))
        }
      }
    }
    let lines = names.map { "- \($0.measures.joined(separator: ", ")): \($0.text)" }
    return lines.isEmpty ? [] : [""] + lines
  }

  static func echoTable(_ measures: [Report.Measure]) -> [String] {
    var names: [String] = []
    for measure in measures {
      for subject in measure.subjects where !names.contains(subject.name) {
        names.append(subject.name)
      }
    }
    let shapes = measures.map { $0.name.dropFirst("echo-".count) }
    var lines = ["| server | " + shapes.joined(separator: " | ") + " |"]
    lines.append("|---|" + String(repeating: "---|", count: measures.count))
    for name in names {
      let cells = measures.map { measure in
        number(measure.subjects.first { $0.name == name }?.median)
      }
      lines.append("| \(name) | " + cells.joined(separator: " | ") + " |")
    }
    return lines
  }

  /// What a regular principal notices of each attack.
  private static func fairnessTable(_ measures: [Report.Measure]) -> [String] {
    let lines = [
      "| attack | p99 alone | p99 attacked | ratio | ratio, another server attacked |"
        + " calls refused to others | peak memory |",
      "|---|---|---|---|---|---|---|",
    ]
    return lines
      + measures.map { measure in
        let times = [FairnessMeasures.alone, FairnessMeasures.attacked].map { name in
          value(measure.subjects.first { $0.name == name }?.median, "ms")
        }
        let figures = [
          (FairnessMeasures.ratio, ""), (FairnessMeasures.control, ""),
          (FairnessMeasures.refusals, ""),
          (FairnessMeasures.memory, "MiB"),
        ].map { name, unit in
          value(measure.figures.first { $0.name == name }?.median, unit)
        }
        let name = String(measure.name.dropFirst(FairnessMeasures.prefix.count))
        return "| " + ([name] + times + figures).joined(separator: " | ") + " |"
      }
  }

  private static func row(
    _ figure: Report.Figure, of measure: Report.Measure, before: Report?
  ) -> String {
    var median = value(figure.median, figure.unit)
    if let old = before?.figure(measure.name, figure.name)?.median, let new = figure.median,
      old != 0
    {
      let percent = (new / old - 1) * 100
      median += " (was \(number(old)), \(percent < 0 ? "" : "+")\(number(percent)) %)"
    }
    let cells = [
      measure.name, figure.name, median, spread(figure.samples), number(figure.bound),
      number(figure.goal), figure.verdict?.rawValue ?? "",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  static func spread(_ samples: [Double]) -> String {
    guard let least = samples.min(), let most = samples.max(), samples.count > 1 else { return "" }
    return "\(number(least)) to \(number(most))"
  }

  static func value(_ value: Double?, _ unit: String) -> String {
    guard let value else { return "–" }
    return unit.isEmpty ? number(value) : "\(number(value)) \(unit)"
  }

  /// Three significant digits, or an integer.
  static func number(_ value: Double?) -> String {
    guard let value else { return "" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
    return String(format: "%.\(digits)f", value)
  }
}
