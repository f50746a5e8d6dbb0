/// Prometheus' text format, version 0.0.4.
package enum Exposition {
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The present values of `families`, in their order.
  package static func text(_ families: [MetricFamily]) -> String {
    var text = ""
    for family in families {
      let series = family.read()
      guard !series.isEmpty else { continue }
      text += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
      text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
      for one in series { append(one, of: family.name, to: &text) }
    }
    return text
  }

  private static func append(_ series: MetricSeries, of name: String, to text: inout String) {
    switch series.value {
    case .number(let value):
      text += "\(name)\(labels(series.labels)) \(number(value))\n"
    case .histogram(let snapshot, let bounds):
      var total: UInt64 = 0
      for (index, count) in snapshot.buckets.enumerated() {
        total &+= count
        let bound =
          index < bounds.bounds.count
          ? number(Double(bounds.bounds[index]) / bounds.unitsPerExposedUnit) : "+Inf"
        text += "\(name)_bucket\(labels(series.labels + [("le", bound)])) \(total)\n"
      }
      let sum = Double(snapshot.sum) / bounds.unitsPerExposedUnit
      text += "\(name)_sum\(labels(series.labels)) \(number(sum))\n"
      text += "\(name)_count\(labels(series.labels)) \(total)\n"
    }
  }

  private static func labels(_ labels: MetricSeries.Labels) -> String {
    guard !labels.isEmpty else { return "" }
    let pairs = labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
    return "{" + pairs.joined(separator: ",") + "}"
  }

  /// A number in the shortest form that reads back as the same; whole ones without a point.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if value == value.rounded(), value.magnitude < 1e15 { return "\(Int64(value))" }
    return "\(value)"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
