/// The goals for speed.
///
/// A bound must hold in every run. A goal may be missed: `docs/performance.md` then says what was
/// tried and what the limit is.
struct Goal: Sendable {
  var title: String
  var measure: String
  var figure: String
  /// The largest value that meets it.
  var most: Double

  init(_ title: String, _ measure: String, _ figure: String, _ most: Double) {
    (self.title, self.measure, self.figure, self.most) = (title, measure, figure, most)
  }

  static let all = thirdStep + secondStep

  /// The goals of the third step.
  private static let thirdStep = [
    Goal("durable commands, 64 callers: the C API's to ours", "commands-64", "C API to RPC", 1.25),
    Goal(
      "CPU of such a command to the C API's", "commands-64", "server CPU to the C API's CPU", 1.4),
    Goal(
      "an arrow alone in its commit, instructions", "counting-arrow", CountingMeasure.figure,
      200_000),
    Goal(
      "an arrow of an end of 12, instructions", "counting-end", CountingMeasure.figureOfArrow,
      60_000),
    Goal("one command to an fdatasync", "command-latency", "command to fdatasync", 1.8),
    Goal(
      "single commands beside an import, p99 to alone", "commands-beside-import",
      "p99 beside to alone", 2),
    Goal("echo 1x1 to raw", "echo-1x1", "synchronous to raw", 1.3),
    Goal("gateway 1x1 to gRPC C++, CPU", "gateway-1x1", GatewayMeasures.ratio, 1),
    Goal("gateway 16x1 to gRPC C++, CPU", "gateway-16x1", GatewayMeasures.ratio, 0.9),
    Goal("gateway 16x16 to gRPC C++, CPU", "gateway-16x16", GatewayMeasures.ratio, 0.4),
    Goal("idle connection", "idle", "memory of a connection", 800),
    Goal("idle connection over TLS", "tls-idle", "memory of a connection", 14_500),
    Goal(
      "idle HTTP/2 connection of the gateway, above a bare libnghttp2 session", "gateway-idle",
      GatewayMeasures.more, 1_000),
    Goal("10,000 subscribers, p99", "subscribers", "p99 from an arrow to the last of 10,000", 200),
    Goal("10,000 subscribers, CPU", "subscribers", "10,000 subscribers, more", 20),
    Goal("echo of 271,828 bytes, what raw has more", "echo-271828", "lacking to raw, %", 40),
    Goal(
      "first page of 50 after a change to an empty page, depth 16", "first-page-50",
      "10,000 items to no items, depth 16", 8),
    Goal(
      "reads on PostgreSQL, 64 callers: a bare SELECT's to ours", "postgres-reads",
      "bare SELECT to read, 64 callers", 1.8),
    Goal(
      "CPU of a command on PostgreSQL", "postgres-commands-64", "server CPU of a command", 150),
  ]

  /// Goals of before.
  private static let secondStep = [
    Goal(
      "page of 50 to an empty page, depth 16", "page-50", "10,000 items to no items, depth 16", 5),
    Goal(
      "leaderboard page of 50 to an echo, depth 16", "leaderboard-50", "50 rows to echo, depth 16",
      3),
    Goal("point read to an echo", "point-read", "point read to echo", 1.5),
    Goal("import: the C API's lines to ours", "import-1000000", "C API to ImportSets", 1.25),
    Goal("Compare without inference", "compare-90d", "without inference", 60),
    Goal("Compare with inference", "compare-90d", "with inference", 400),
    Goal("lift window, depth 16", "lift-window", "100,000 sets, depth 16", 150),
    Goal("weight section, depth 16", "weight-section", "20,000 weight entries, depth 16", 40),
    Goal("echo 16x16 to raw", "echo-16x16", "synchronous to raw", 1.4),
    Goal("async echo 16x16 to raw", "echo-16x16", "async to raw", 2.5),
    Goal("frame to reply", "inmemory", "instructions a call", 3_000),
    Goal("codec, echo, to libprotobuf-c", "codec-echo", "Quiver to libprotobuf-c", 1.4),
    Goal("codec, items, to libprotobuf-c", "codec-items", "Quiver to libprotobuf-c", 1.4),
    Goal("start with 1 GB after a clean stop", "start-1gb", "until connections are accepted", 300),
  ]
}

extension Report {
  /// Sets the goals of the figures that have one.
  mutating func setGoals() {
    for goal in Goal.all {
      guard let measure = measures.firstIndex(where: { $0.name == goal.measure }),
        let figure = measures[measure].figures.firstIndex(where: { $0.name == goal.figure })
      else { continue }
      measures[measure].figures[figure].goal = goal.most
    }
  }
}

extension Markdown {
  /// A table of the figures that have a goal; nothing where the report has none of them.
  static func goals(_ report: Report) -> [String] {
    let rows = Goal.all.compactMap { goal -> String? in
      guard let figure = report.figure(goal.measure, goal.figure), figure.goal == goal.most else {
        return nil
      }
      let verdict = figure.median.map { $0 <= goal.most ? "met" : "missed" } ?? "not measured"
      let cells = [
        goal.title, value(figure.median, figure.unit), spread(figure.samples), number(goal.most),
        verdict,
      ]
      return "| " + cells.joined(separator: " | ") + " |"
    }
    guard !rows.isEmpty else { return [] }
    return ["", "| figure | measured | range | goal | |", "|---|---|---|---|---|"] + rows
  }
}
