import Glibc

/// One page with everything in it: figures and three pictures, no script and no other file.
enum HTMLReport {
  static func text(_ outcome: Outcome) -> String {
    let seconds = outcome.result.series.intervals
    let latency = outcome.result.summary.latency
    let times = [
      ("p50", \Interval.p50, "#2c7fb8"), ("p99", \.p99, "#d95f0e"), ("max", \.max, "#b10026"),
    ]
    let overTime = Chart(
      title: "Latency, second by second", xName: "seconds", yName: "µs", isLogarithmic: true,
      lines: times.map { name, at, colour in
        Chart.Line(
          name: name, colour: colour,
          points: seconds.filter { $0.max > 0 }.map { (Double($0.number), $0[keyPath: at]) })
      })
    let curve = curve(
      "Latency by percentile", [("latency", latency), ("service", outcome.result.summary.service)])
    let rate = Chart(
      title: "Answers and failures a second", xName: "seconds", yName: "calls a second",
      isLogarithmic: false,
      lines: [
        Chart.Line(
          name: "answered", colour: "#2c7fb8",
          points: seconds.map { (Double($0.number), $0.rate($0.succeeded)) }),
        Chart.Line(
          name: "failed", colour: "#b10026",
          points: seconds.map { (Double($0.number), $0.rate($0.failed)) }),
      ])
    return page(
      outcome.title,
      """
      <pre>\(escaped(TextReport.text(outcome)))</pre>
      \(overTime.svg)
      \(curve.svg)
      \(rate.svg)
      """)
  }

  /// A page that needs nothing else.
  static func page(_ title: String, _ body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"/><title>\(escaped(title))</title>
    <style>
    body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 60em; color: #222 }
    pre { background: #f6f6f6; padding: 1em; overflow-x: auto }
    svg { width: 100%; height: auto; margin: 1em 0 }
    </style></head><body>
    <h1>\(escaped(title))</h1>
    \(body)
    </body></html>

    """
  }

  /// Percentiles of a few histograms.
  static func curve(_ title: String, _ histograms: [(String, Histogram)]) -> Chart {
    let colours = ["#2c7fb8", "#74c476", "#d95f0e", "#756bb1", "#b10026", "#636363"]
    return Chart(
      title: title, xName: "nines", yName: "µs", isLogarithmic: true,
      lines: histograms.enumerated().map { number, histogram in
        Chart.Line(
          name: histogram.0, colour: colours[number % colours.count],
          points: nines(histogram.1))
      })
  }

  /// Quantiles against how many nines they have.
  private static func nines(_ histogram: Histogram) -> [(Double, Double)] {
    stride(from: 0, through: 5, by: 0.1).filter { nines in
      Double(histogram.count) >= exp(nines * log(10.0))
    }.map { nines in (nines, histogram.microseconds(at: 1 - exp(-nines * log(10.0)))) }
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

/// Lines over axes, as SVG.
struct Chart {
  let title: String
  let xName: String
  let yName: String
  let isLogarithmic: Bool
  let lines: [Line]

  struct Line {
    let name: String
    let colour: String
    let points: [(Double, Double)]
  }

  private static let (width, height) = (900.0, 320.0)
  private static let (left, right, top, bottom) = (80.0, 20.0, 40.0, 45.0)

  var svg: String {
    let points = lines.flatMap(\.points)
    let xs = points.map(\.0)
    let ys = points.map { place($0.1) }
    guard let firstX = xs.min(), let lastX = xs.max(), let low = ys.min(), let high = ys.max()
    else {
      return "<p>\(title): nothing was counted.</p>"
    }
    let bottomY = isLogarithmic ? low.rounded(.down) : 0
    let topY = max(high, bottomY + (isLogarithmic ? 1 : 1e-9))
    func x(_ value: Double) -> Double {
      let span = max(lastX - firstX, 1e-9)
      return Self.left + (value - firstX) / span * (Self.width - Self.left - Self.right)
    }
    func y(_ value: Double) -> Double {
      let share = (value - bottomY) / (topY - bottomY)
      return Self.height - Self.bottom - share * (Self.height - Self.top - Self.bottom)
    }
    var parts = [
      "<svg viewBox=\"0 0 900 320\" role=\"img\" aria-label=\"\(title)\">",
      text(title, Self.left, 20, "start", "600"),
      text(xName, Self.width - Self.right, Self.height - 8, "end"),
      text(yName, Self.left - 8, Self.top - 8, "end"),
    ]
    for value in ticks(bottomY, topY) {
      parts.append(
        "<line x1=\"\(Self.left)\" x2=\"\(Self.width - Self.right)\" y1=\"\(round(y(value)))\""
          + " y2=\"\(round(y(value)))\" stroke=\"#ddd\"/>")
      let shown = isLogarithmic ? exp(value * log(10.0)) : value
      parts.append(text(Fixed.text(shown, shown < 10 ? 1 : 0), Self.left - 8, y(value) + 4, "end"))
    }
    for value in [firstX, (firstX + lastX) / 2, lastX] {
      parts.append(text(Fixed.text(value, 1), x(value), Self.height - 25, "middle"))
    }
    for (number, line) in lines.enumerated() {
      let path = line.points.map { "\(round(x($0.0))),\(round(y(place($0.1))))" }
      parts.append(
        "<polyline fill=\"none\" stroke=\"\(line.colour)\" stroke-width=\"2\""
          + " points=\"\(path.joined(separator: " "))\"/>")
      let at = Self.width - Self.right - 110 * Double(lines.count - number)
      parts.append(text(line.name, at, 20, "start", "600", line.colour))
    }
    return (parts + ["</svg>"]).joined(separator: "\n")
  }

  private func place(_ value: Double) -> Double { isLogarithmic ? log10(max(value, 1)) : value }

  private func ticks(_ low: Double, _ high: Double) -> [Double] {
    if isLogarithmic { return Array(stride(from: low, through: high, by: 1)) }
    return (0...4).map { low + (high - low) * Double($0) / 4 }
  }

  private func text(
    _ text: String, _ x: Double, _ y: Double, _ anchor: String, _ weight: String = "400",
    _ colour: String = "#444"
  ) -> String {
    "<text x=\"\(round(x))\" y=\"\(round(y))\" text-anchor=\"\(anchor)\" font-size=\"12\""
      + " font-weight=\"\(weight)\" fill=\"\(colour)\">\(HTMLReport.escaped(text))</text>"
  }
}
