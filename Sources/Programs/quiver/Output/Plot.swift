/// A chart of lines over days (SVG).
enum Plot {
  static let flag = Flag("--plot", .word("FILE.svg"), "also draw it into a new file")

  /// One line of the chart.
  struct Line {
    var name: String
    var points: [(day: Int32, value: Double)]
  }

  private static let (width, height) = (960.0, 480.0)
  private static let (left, right, top, bottom) = (70.0, 20.0, 50.0, 50.0)
  private static let colours = ["#7a9cc6", "#c0392b", "#27785a"]

  static func write(title: String, _ lines: [Line], to path: String) throws(Failure) {
    let file = try OutputFile.make(path: path)
    try file.write(line: text(title: title, lines))
    try file.keep()
  }

  /// The chart; without points it is an empty frame.
  static func text(title: String, _ lines: [Line]) -> String {
    let days = lines.flatMap(\.points).map(\.day)
    let values = lines.flatMap(\.points).map(\.value)
    let scale = Scale(
      days: (days.min() ?? 0)...(days.max() ?? 0),
      values: (values.min() ?? 0)...(values.max() ?? 1))
    var parts = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\""
        + " font-family=\"sans-serif\" font-size=\"13\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
      "<text x=\"\(Int(left))\" y=\"28\" font-size=\"18\">\(escaped(title))</text>",
    ]
    parts += grid(scale)
    for (index, line) in lines.enumerated() {
      let colour = colours[index % colours.count]
      let points = line.points.map { "\(scale.x($0.day)),\(scale.y($0.value))" }
      parts.append(
        "<polyline fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\""
          + " points=\"\(points.joined(separator: " "))\"/>")
      parts.append(
        "<text x=\"\(Int(width - right - 130))\" y=\"\(22 + index * 18)\" fill=\"\(colour)\">"
          + "\(escaped(line.name))</text>")
    }
    return (parts + ["</svg>"]).joined(separator: "\n")
  }

  private static func grid(_ scale: Scale) -> [String] {
    (0...4).flatMap { step -> [String] in
      let share = Double(step) / 4
      let value =
        scale.values.lowerBound + (scale.values.upperBound - scale.values.lowerBound) * share
      let y = scale.y(value)
      let span = Double(scale.days.upperBound) - Double(scale.days.lowerBound)
      let day = Int32(clamping: Int64(Double(scale.days.lowerBound) + span * share))
      return [
        "<line x1=\"\(Int(left))\" x2=\"\(Int(width - right))\" y1=\"\(y)\" y2=\"\(y)\""
          + " stroke=\"#dddddd\"/>",
        "<text x=\"\(Int(left) - 8)\" y=\"\(y)\" text-anchor=\"end\">"
          + "\(WeightText.fixed(value, digits: 1))</text>",
        "<text x=\"\(scale.x(day))\" y=\"\(Int(height - bottom) + 22)\" text-anchor=\"middle\">"
          + "\(DayText.text(day))</text>",
      ]
    }
  }

  private static func escaped(_ text: String) -> String {
    Terminal.oneLine(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }

  /// Maps days and values to the chart.
  private struct Scale {
    var days: ClosedRange<Int32>
    var values: ClosedRange<Double>

    func x(_ day: Int32) -> String {
      let span = Double(days.upperBound) - Double(days.lowerBound)
      let share = span == 0 ? 0.5 : (Double(day) - Double(days.lowerBound)) / span
      return WeightText.fixed(left + share * (width - left - right), digits: 1)
    }

    func y(_ value: Double) -> String {
      let span = values.upperBound - values.lowerBound
      let share = span == 0 ? 0.5 : (value - values.lowerBound) / span
      return WeightText.fixed(height - bottom - share * (height - top - bottom), digits: 1)
    }
  }
}
