/// The lines of `quiver top` for one sample.
struct TopScreen {
  let server: String
  let sample: TopSample

  /// At most `height` lines of at most `width` characters.
  func lines(width: Int, height: Int) -> [String] {
    var lines = head
    let rows = sample.methods.filter { sample.seconds == 0 || $0.callsPerSecond > 0 }
    if rows.isEmpty {
      lines += ["", "no calls"]
    } else {
      let table =
        [["METHOD", "CALLS/S", "ERRORS/S", "P50", "P99", "TOTAL"]]
        + rows.map { row in
          [
            row.method, Self.rate(row.callsPerSecond), Self.rate(row.errorsPerSecond),
            Self.time(row.p50Milliseconds), Self.time(row.p99Milliseconds),
            DecimalFigure.text(row.handled, digits: 0),
          ]
        }
      lines += [""] + Table.text(table).split(separator: "\n").map(String.init)
    }
    return lines.prefix(max(1, height)).map { String($0.prefix(width)) }
  }

  private var head: [String] {
    let state = sample.isServing ? "serving" : "NOT SERVING: \(Terminal.oneLine(sample.reason))"
    let held = Self.bytes(sample.heldBytes) + " of " + Self.bytes(sample.heldBytesLimit)
    return [
      "\(server)  \(Terminal.oneLine(sample.software))  \(state)  up"
        + " \(Self.span(sample.uptimeSeconds))  q ends",
      "",
      "calls        \(Self.rate(sample.callsPerSecond))/s  errors"
        + " \(Self.rate(sample.errorsPerSecond))/s  open \(sample.openCalls)  watches"
        + " \(sample.watches)",
      "connections  \(sample.connections)  new \(Self.rate(sample.connectionsPerSecond))/s",
      "store        commands \(Self.rate(sample.commandsPerSecond))/s  refused"
        + " \(Self.rate(sample.refusedPerSecond))/s  commits"
        + " \(Self.rate(sample.commitsPerSecond))/s  p99"
        + " \(Self.time(sample.commitP99Milliseconds))  log \(Self.bytes(sample.walBytes))",
      "waiting      commands \(sample.queuedCommands)  reads \(sample.waitingReads)  read p99"
        + " \(Self.time(sample.readP99Milliseconds))  long work \(sample.longWork)",
      "memory       resident \(Self.bytes(sample.residentBytes))  messages \(held)  processor"
        + " \(DecimalFigure.text(sample.cpuShare * 100, digits: 0)) %",
      "backup       \(backup)",
    ]
  }

  private var backup: String {
    guard sample.backupIntervalSeconds > 0 else { return "none are scheduled" }
    let every = "every " + Self.span(sample.backupIntervalSeconds)
    guard let age = sample.backupAgeSeconds else { return "none is there, \(every)" }
    let isLate = age > 2 * sample.backupIntervalSeconds
    return "\(Self.span(age)) ago, \(every)" + (isLate ? ", LATE" : "")
  }

  static func rate(_ value: Double) -> String {
    DecimalFigure.text(value, digits: value < 10 && value > 0 ? 1 : 0)
  }

  static func time(_ milliseconds: Double) -> String {
    guard milliseconds > 0 else { return "-" }
    return DecimalFigure.text(milliseconds, digits: milliseconds < 10 ? 2 : 0) + " ms"
  }

  static func bytes(_ value: Double) -> String {
    var (value, units) = (value, ["B", "KiB", "MiB", "GiB", "TiB"][...])
    while value >= 1_024, units.count > 1 {
      value /= 1_024
      units = units.dropFirst()
    }
    let unit = units.first ?? "B"
    return DecimalFigure.text(value, digits: unit == "B" || value >= 100 ? 0 : 1) + " " + unit
  }

  static func span(_ seconds: Double) -> String {
    let total = Int(max(0, seconds))
    if total >= 172_800 { return "\(total / 86_400) d \(total % 86_400 / 3_600) h" }
    if total >= 7_200 { return "\(total / 3_600) h \(total % 3_600 / 60) min" }
    if total >= 120 { return "\(total / 60) min" }
    return "\(total) s"
  }
}
