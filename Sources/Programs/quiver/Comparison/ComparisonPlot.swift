import QuiverAPI

/// A comparison as a picture: for each face diameter the shots of all setups with their ellipses,
/// and below them the shares of arrow values.
enum ComparisonPlot {
  static let colours = ["#1f6fb4", "#d9601a", "#2b8a3e", "#8a3fa0"]
  private static let panel = 360.0
  private static let margin = 24.0
  private static let legendHeight = 22.0
  private static let chartHeight = 220.0

  /// The document; SVG 1.1.
  static func svg(_ response: CompareResponse) -> String {
    let diameters = Set(
      response.setups.flatMap { $0.performance?.groups ?? [] }.map(\.diameterCentimetres)
    ).sorted()
    let columns = max(1, diameters.count)
    let width = Double(columns) * (panel + margin) + margin
    let top = margin + Double(response.setups.count) * legendHeight + margin
    let chartTop = top + (diameters.isEmpty ? 0 : panel + 2 * margin)
    let height = chartTop + chartHeight + 2 * margin
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(n(width))\" height=\"\(n(height))\" "
        + "viewBox=\"0 0 \(n(width)) \(n(height))\" font-family=\"sans-serif\" font-size=\"13\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
    ]
    lines += legend(response)
    for (column, diameter) in diameters.enumerated() {
      let left = margin + Double(column) * (panel + margin)
      lines += face(response, diameter, left: left, top: top)
    }
    lines += distributions(response, top: chartTop, width: width)
    return (lines + ["</svg>"]).joined(separator: "\n")
  }

  private static func legend(_ response: CompareResponse) -> [String] {
    response.setups.enumerated().flatMap { place, result -> [String] in
      let y = margin + Double(place) * legendHeight
      let name = escaped(Terminal.oneLine(result.setup?.displayName ?? ""))
      let rounds = result.performance?.roundCount ?? 0
      let arrows = result.performance?.totalArrows ?? 0
      return [
        "<circle cx=\"\(n(margin + 6))\" cy=\"\(n(y))\" r=\"6\" fill=\"\(colour(place))\"/>",
        "<text x=\"\(n(margin + 20))\" y=\"\(n(y + 4))\">\(name): \(rounds) rounds, "
          + "\(arrows) arrows</text>",
      ]
    }
  }

  private static func face(
    _ response: CompareResponse, _ diameter: Double, left: Double, top: Double
  ) -> [String] {
    let (x, y) = (left + panel / 2, top + panel / 2)
    let radius = panel / 2
    var lines = ["<g transform=\"translate(\(n(x)) \(n(y)))\">"]
    for ring in 1...10 {
      lines.append(
        "<circle r=\"\(n(radius * Double(ring) / 10))\" fill=\"none\" stroke=\"#bbbbbb\" "
          + "stroke-width=\"0.6\"/>")
    }
    for (place, result) in response.setups.enumerated() {
      let fill = colour(place)
      for shot in result.shots
      where shot.diameterCentimetres == diameter && abs(shot.x) <= 1.2 && abs(shot.y) <= 1.2 {
        lines.append(
          "<circle cx=\"\(n(shot.x * radius))\" cy=\"\(n(-shot.y * radius))\" r=\"2.2\" "
            + "fill=\"\(fill)\" fill-opacity=\"0.45\"/>")
      }
      let group = result.performance?.groups.first { $0.diameterCentimetres == diameter }
      if let group { lines += ellipses(group, radius: radius, stroke: fill) }
    }
    let label = DecimalFigure.text(diameter, digits: diameter == diameter.rounded() ? 0 : 1)
    return lines + [
      "<text y=\"\(n(radius + 18))\" text-anchor=\"middle\">face of \(label) cm</text>", "</g>",
    ]
  }

  /// The centroid as a cross, and the ellipses with 50 and 95 % of the group.
  private static func ellipses(
    _ group: FaceGroup, radius: Double, stroke: String
  ) -> [String] {
    let (x, y) = (group.meanX * radius, -group.meanY * radius)
    var lines = [
      "<path d=\"M\(n(x - 5)) \(n(y))H\(n(x + 5))M\(n(x)) \(n(y - 5))V\(n(y + 5))\" "
        + "stroke=\"\(stroke)\" stroke-width=\"2\"/>"
    ]
    guard let size = group.size else { return lines }
    // The picture's y axis points down, so angles are negated.
    let degrees = -size.angleRadians * 180 / .pi
    for (major, minor) in [
      (size.semiMajor50, size.semiMinor50), (size.semiMajor95, size.semiMinor95),
    ] {
      lines.append(
        "<ellipse rx=\"\(n(major * radius))\" ry=\"\(n(minor * radius))\" "
          + "transform=\"translate(\(n(x)) \(n(y))) rotate(\(n(degrees)))\" fill=\"none\" "
          + "stroke=\"\(stroke)\" stroke-width=\"1.6\"/>")
    }
    return lines
  }

  /// The share of each arrow value, setups side by side.
  private static func distributions(
    _ response: CompareResponse, top: Double, width: Double
  ) -> [String] {
    let shares = response.setups.map { Self.shares($0.performance) }
    let highest = max(shares.flatMap(\.self).max() ?? 0, 0.01)
    let last = shares.compactMap { $0.lastIndex { $0 > 0 } }.max() ?? 10
    let base = top + chartHeight
    let slot = (width - 2 * margin) / Double(last + 1)
    let bar = slot * 0.8 / Double(max(1, shares.count))
    var lines: [String] = []
    for value in 0...last {
      let left = margin + Double(value) * slot + slot * 0.1
      for (place, share) in shares.enumerated() where share.indices.contains(value) {
        let height = share[value] / highest * (chartHeight - 20)
        lines.append(
          "<rect x=\"\(n(left + Double(place) * bar))\" y=\"\(n(base - height))\" "
            + "width=\"\(n(bar))\" height=\"\(n(height))\" fill=\"\(colour(place))\">"
            + "<title>\(DecimalFigure.percent(share[value]))</title></rect>")
      }
      lines.append(
        "<text x=\"\(n(left + slot * 0.4))\" y=\"\(n(base + 16))\" text-anchor=\"middle\">"
          + "\(value == 0 ? "M" : "\(value)")</text>")
    }
    return lines + [
      "<path d=\"M\(n(margin)) \(n(base))H\(n(width - margin))\" stroke=\"#333333\"/>",
      "<text x=\"\(n(margin))\" y=\"\(n(top + 6))\">share of arrows by value, highest "
        + "\(DecimalFigure.percent(highest))</text>",
    ]
  }

  private static func shares(_ performance: SetupPerformance?) -> [Double] {
    guard let performance, performance.totalArrows > 0 else { return [] }
    return performance.valueCounts.map { Double($0) / Double(performance.totalArrows) }
  }

  private static func colour(_ place: Int) -> String { colours[place % colours.count] }

  private static func n(_ value: Double) -> String {
    value.isFinite ? DecimalFigure.text(value) : "0"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
