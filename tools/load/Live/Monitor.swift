import QuiverWire
import Synchronization

/// What a run shows and exports while it runs: a full-screen view or lines, a line of JSON a
/// second, and metrics.
final class Monitor: Sendable {
  private let title: String
  private let showsLines: Bool
  private let screen: TerminalScreen?
  private let lines: JSONLines?
  private let metrics: MetricsListener?
  private let state = Mutex(State())

  private struct State {
    var total = Summary()
    /// The seconds that the view shows.
    var recent: [Interval] = []
  }

  /// The number of seconds that the view keeps.
  private static let recentCount = 600
  /// The seconds between the lines of all roles, if it is not a terminal.
  private static let rolesEvery = 10

  /// - Parameter showsView: false where another output has the terminal.
  init(title: String, _ options: Options, showsView: Bool = true) throws(Failure) {
    self.title = title
    lines = try options.jsonLinesFile.map { (file) throws(Failure) in try JSONLines(file: file) }
    metrics = try options.metricsAddress.map { (address) throws(Failure) in
      try MetricsListener(address: address)
    }
    let isShown = showsView && !options.isQuiet
    screen = isShown && !options.printsLines ? TerminalScreen.standardError : nil
    showsLines = isShown && screen == nil
    screen?.open()
  }

  /// A second is over; `rows` are the roles of a scenario.
  func second(
    _ interval: Interval, _ summary: Summary, _ rows: [(tally: Tally, second: Interval)] = []
  ) {
    let (total, recent) = state.withLock { state in
      state.total.merge(summary)
      state.recent.append(interval)
      if state.recent.count > Self.recentCount { state.recent.removeFirst() }
      return (state.total, state.recent)
    }
    lines?.write(interval)
    metrics?.show(interval, total)
    let shown = rows.map { (name: Self.name($0.tally), second: $0.second) }
    if let screen {
      let size = screen.size
      screen.draw(
        LiveScreen(title: title, seconds: recent, failures: total.failures, roles: shown)
          .lines(width: size.width, height: size.height))
    } else if showsLines {
      Output.complain(Self.text(interval, shown))
    }
  }

  /// Why the lines of seconds cannot be written; nil: they can.
  var linesFailure: Failure? { lines?.failure }

  /// Restores the terminal, and stops what was opened.
  func end() {
    screen?.close()
    lines?.close()
    metrics?.stop()
  }

  private static func name(_ tally: Tally) -> String {
    "\(tally.role): \(tally.method.split(separator: "/").last ?? "")"
  }

  private static func text(
    _ interval: Interval, _ roles: [(name: String, second: Interval)]
  ) -> String {
    var lines = [TextReport.line(interval)]
    if interval.number % rolesEvery == 0 { lines += LiveScreen.roleLines(roles) }
    return lines.joined(separator: "\n") + "\n"
  }
}
