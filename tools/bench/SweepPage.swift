import Foundation

/// The table and the chart of a sweep in `docs/performance.md`.
extension Sweep {
  private static let begins = "<!-- tools/bench/run sweep: begin -->\n"
  private static let ends = "<!-- sweep end -->"
  private static let chartPath = "docs/sweep.svg"

  /// A row for each curve, with its exponent.
  var markdown: String {
    var text = ""
    for axis in Axis.allCases {
      let own = curves.filter { $0.axis == axis }
      guard let sizes = own.first?.points.map(\.size) else { continue }
      text += "| µs, by \(axis.rawValue) | " + sizes.map { "\($0)" }.joined(separator: " | ")
      text += " | exponent |\n|" + String(repeating: "---|", count: sizes.count + 2) + "\n"
      for curve in own {
        let costs = curve.points.map { String(format: "%.1f", $0.microseconds) }
        text += "| \(curve.name) | " + costs.joined(separator: " | ")
        text += String(format: " | %.2f |\n", curve.exponent)
      }
      text += "\n"
    }
    return text
  }

  /// Writes the table between its marks on the page, and the chart beside it.
  func write(root: String) throws {
    let file = URL(fileURLWithPath: root + "/" + PerformancePage.path)
    let page = try String(contentsOf: file, encoding: .utf8)
    guard let head = page.range(of: Self.begins),
      let tail = page.range(of: Self.ends, range: head.upperBound..<page.endIndex)
    else { throw Unmeasured("\(PerformancePage.path) has no marks for the sweep") }
    let text =
      page[..<head.upperBound] + "\n![The cost of calls against size](sweep.svg)\n\n" + markdown
      + page[tail.lowerBound...]
    try String(text).write(to: file, atomically: true, encoding: .utf8)
    try svg.write(
      to: URL(fileURLWithPath: root + "/" + Self.chartPath), atomically: true, encoding: .utf8)
  }

  private static let panel = (width: 300.0, height: 320.0)
  private static let margin = (left: 42.0, top: 28.0, right: 12.0, bottom: 74.0)
  private static let colours = ["#0b6e99", "#b3541e", "#3d7a37"]

  /// A panel for each axis; both scales are logarithmic.
  var svg: String {
    let width = Self.panel.width * Double(Axis.allCases.count)
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width + 16) \(Self.panel.height)" \
      font-family="sans-serif" font-size="10">
      <rect width="100%" height="100%" fill="white"/>

      """
    let costs = curves.flatMap { $0.points.map(\.microseconds) }
    let low = floor(log10(max(0.1, costs.min() ?? 1)))
    let high = ceil(log10(max(1, costs.max() ?? 10)))
    for (place, axis) in Axis.allCases.enumerated() {
      text += Self.panel(
        axis, curves.filter { $0.axis == axis }, at: Double(place) * Self.panel.width,
        from: low, to: max(high, low + 1))
    }
    return text + "</svg>\n"
  }

  private static func panel(
    _ axis: Axis, _ curves: [Curve], at origin: Double, from low: Double, to high: Double
  ) -> String {
    let left = origin + margin.left
    let right = origin + panel.width - margin.right
    let bottom = panel.height - margin.bottom
    let last = max(
      1, ceil(log10(Double(curves.flatMap { $0.points.map(\.size) }.max() ?? 10))))
    func x(_ size: Double) -> Double { left + log10(size) / last * (right - left) }
    func y(_ cost: Double) -> Double {
      bottom - (log10(cost) - low) / (high - low) * (bottom - margin.top)
    }
    var text = label("µs by \(axis.rawValue)", left, margin.top - 12)
    for power in stride(from: 0, through: last, by: 1) {
      let at = x(pow(10, power))
      text += line(at, margin.top, at, bottom)
      text += label("10^\(Int(power))", at - 8, bottom + 14)
    }
    for power in stride(from: low, through: high, by: 1) {
      let at = y(pow(10, power))
      text += line(left, at, right, at)
      text += label("10^\(Int(power))", origin + 12, at + 3)
    }
    for (place, curve) in curves.enumerated() {
      let colour = colours[place % colours.count]
      let points = curve.points.map { point in
        String(format: "%.1f,%.1f", x(Double(point.size)), y(point.microseconds))
      }
      text += """
        <polyline points="\(points.joined(separator: " "))" fill="none" stroke="\(colour)" \
        stroke-width="1.5"/>

        """
      text += label(
        curve.name + String(format: ", exponent %.2f", curve.exponent), left,
        bottom + 30 + Double(place) * 13, colour)
    }
    return text
  }

  private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    String(
      format: "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#ddd\" fill=\"none\"/>\n", x1, y1, x2, y2)
  }

  private static func label(
    _ text: String, _ x: Double, _ y: Double, _ colour: String = "#222"
  ) -> String {
    String(format: "<text x=\"%.1f\" y=\"%.1f\" fill=\"\(colour)\">", x, y) + text + "</text>\n"
  }
}
