import QuiverWire

/// The lines of the full-screen view at one time.
struct LiveScreen {
  let title: String
  /// The last seconds, oldest first.
  let seconds: [Interval]
  /// All failures so far, by status code.
  let failures: [UInt32: UInt64]
  let roles: [(name: String, second: Interval)]

  private static let smallestPlot = 4
  private static let tallestPlot = 16

  /// At most `height` lines of at most `width` characters: the figures of the last second, the rate
  /// and the latency over time, errors by code, and the roles.
  func lines(width: Int, height: Int) -> [String] {
    guard let last = seconds.last else { return [String(title.prefix(width))] }
    var head = [title, ""]
    head.append(
      "\(last.number) s" + (last.isWarmUp ? ", warm-up" : "")
        + "   answered \(Fixed.text(last.rate(last.succeeded), 0))/s   in flight"
        + " \(last.openCalls)   failed \(last.failed)/s")
    head.append(
      "latency  p50 \(Fixed.time(microseconds: last.p50))   p90"
        + " \(Fixed.time(microseconds: last.p90))   p99 \(Fixed.time(microseconds: last.p99))"
        + "   max \(Fixed.time(microseconds: last.max))")
    head.append(
      "generator  lag p99 \(Fixed.time(microseconds: last.lag))   late \(last.late)/s   unsent"
        + " \(last.unsent)/s   processor \(Fixed.text(last.generatorShare * 100, 0)) %")
    head += [
      "",
      "rate     "
        + Self.bars(
          seconds.suffix(max(1, width - 10)).map { second in
            second.rate(second.succeeded)
          }),
    ]
    var tail = ["errors   " + errors]
    if !roles.isEmpty { tail += [""] + Self.roleLines(roles) }
    let room = height - head.count - 3
    let plotHeight = min(Self.tallestPlot, max(Self.smallestPlot, room - tail.count))
    let plot = LatencyPlot(seconds).lines(width: width, height: plotHeight)
    let all = head + ["", "latency over time: . p50, o p99, ^ max"] + plot + [""] + tail
    return all.prefix(max(1, height)).map { String($0.prefix(width)) }
  }

  private var errors: String {
    guard !failures.isEmpty else { return "none" }
    return failures.sorted { $0.value > $1.value }
      .map { "\($0.value) \(StatusCode(rawValue: $0.key).name)" }.joined(separator: ", ")
  }

  /// A line for each role.
  static func roleLines(_ roles: [(name: String, second: Interval)]) -> [String] {
    let width = (roles.map(\.name.count).max() ?? 0) + 1
    return roles.map { name, second in
      "  " + Fixed.left(name, width) + TextReport.figures(second)
        + (second.messages > 0 ? " messages \(second.messages)" : "")
    }
  }

  /// One character for each value, by its share of the largest.
  static func bars(_ values: [Double]) -> String {
    let steps = Array(" ▁▂▃▄▅▆▇█")
    guard let most = values.max(), most > 0 else {
      return String(repeating: " ", count: values.count)
    }
    return String(
      values.map { value in steps[Int((value / most * Double(steps.count - 1)).rounded(.up))] })
  }
}
