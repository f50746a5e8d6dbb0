import Glibc

/// Lines over axes, as SVG.
struct Chart {
  let title: String
  let xName: String
  let yName: String
  let scale: Scale
  /// Places on the horizontal axis with their labels; nil: round numbers.
  var xTicks: [(Double, String)]?
  let lines: [Line]

  enum Scale {
    case linear
    /// Microseconds by their logarithm, labelled in their units.
    case time
  }

  struct Line {
    let name: String
    let colour: String
    let points: [(Double, Double)]
  }

  private static let (width, height) = (900.0, 320.0)
  private static let (left, right, top, bottom) = (80.0, 20.0, 40.0, 45.0)
  private static let tickCount = 5.0

  var svg: String {
    let points = lines.flatMap(\.points)
    let xs = points.map(\.0)
    let ys = points.map { place($0.1) }
    guard let firstX = xs.min(), let lastX = xs.max(), let low = ys.min(), let high = ys.max()
    else {
      return "<p>\(HTMLReport.escaped(title)): there are too few samples.</p>"
    }
    let bottomY = scale == .time ? low.rounded(.down) : 0
    let topY = scale == .time ? max(high.rounded(.up), bottomY + 1) : max(high, 1)
    func x(_ value: Double) -> Double {
      let span = max(lastX - firstX, 1e-9)
      return Self.left + (value - firstX) / span * (Self.width - Self.left - Self.right)
    }
    func y(_ value: Double) -> Double {
      let share = (value - bottomY) / (topY - bottomY)
      return Self.height - Self.bottom - share * (Self.height - Self.top - Self.bottom)
    }
    let name = HTMLReport.escaped(title)
    var parts = [
      "<svg viewBox=\"0 0 900 320\" role=\"img\" aria-label=\"\(name)\">",
      text(title, Self.left, 20, "start", "600"),
      text(xName, Self.width - Self.right, Self.height - 8, "end"),
      text(yName, Self.left - 8, 20, "end"),
    ]
    for value in verticalTicks(bottomY, topY) {
      parts.append(
        "<line x1=\"\(Self.left)\" x2=\"\(Self.width - Self.right)\" y1=\"\(round(y(value)))\""
          + " y2=\"\(round(y(value)))\" stroke=\"#ddd\"/>")
      parts.append(text(label(value), Self.left - 8, y(value) + 4, "end"))
    }
    let ticks = xTicks ?? Self.ticks(firstX, lastX).map { ($0, Self.number($0)) }
    for (value, label) in ticks where value >= firstX && value <= lastX {
      parts.append(text(label, x(value), Self.height - 25, "middle"))
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

  private func place(_ value: Double) -> Double { scale == .time ? log10(max(value, 1)) : value }

  private func verticalTicks(_ low: Double, _ high: Double) -> [Double] {
    scale == .time ? Array(stride(from: low, through: high, by: 1)) : Self.ticks(low, high)
  }

  private func label(_ value: Double) -> String {
    guard scale == .time else { return Self.number(value) }
    let microseconds = exp(value * log(10.0)).rounded()
    return switch microseconds {
    case ..<1_000: "\(Int(microseconds)) µs"
    case ..<1_000_000: "\(Int(microseconds / 1_000)) ms"
    default: "\(Int(microseconds / 1_000_000)) s"
    }
  }

  /// Multiples of 1, 2 or 5 times a power of ten, about five between two values.
  static func ticks(_ low: Double, _ high: Double) -> [Double] {
    let rough = (high - low) / tickCount
    guard rough > 0 else { return [low] }
    var power = 1.0
    while power * 10 <= rough { power *= 10 }
    while power > rough { power /= 10 }
    let step = [1.0, 2, 5].map { $0 * power }.first { $0 >= rough * 0.999 } ?? 10 * power
    let first = Int((low / step - 1e-9).rounded(.up))
    let last = Int((high / step + 1e-9).rounded(.down))
    return first <= last ? (first...last).map { Double($0) * step } : []
  }

  private static func number(_ value: Double) -> String {
    Fixed.text(value, abs(value - value.rounded()) < 1e-6 ? 0 : 2)
  }

  private func text(
    _ text: String, _ x: Double, _ y: Double, _ anchor: String, _ weight: String = "400",
    _ colour: String = "#444"
  ) -> String {
    "<text x=\"\(round(x))\" y=\"\(round(y))\" text-anchor=\"\(anchor)\" font-size=\"12\""
      + " font-weight=\"\(weight)\" fill=\"\(colour)\">\(HTMLReport.escaped(text))</text>"
  }
}
