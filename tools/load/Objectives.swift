/// The objectives of a run: `p99<5ms,errors<0.1%,rate>1000`.
struct Objectives: Sendable, Equatable {
  private(set) var all: [Objective] = []

  struct Objective: Sendable, Equatable {
    enum Figure: Sendable, Equatable {
      /// A quantile of the latency, in microseconds.
      case latency(Double)
      /// The share of failed calls, 0 to 1.
      case errors
      /// Successful calls per second.
      case rate
    }

    let text: String
    let figure: Figure
    let mustBeBelow: Bool
    let bound: Double
  }

  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  /// Parses the value of `--slo` or `--search`.
  init(_ text: String) throws(Wrong) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      all.append(try Self.objective(part.filter { $0 != " " }))
    }
  }

  private static func objective(_ text: String) throws(Wrong) -> Objective {
    guard let sign = text.firstIndex(where: { $0 == "<" || $0 == ">" }) else {
      throw wrong(text)
    }
    let name = text[..<sign]
    let value = String(text[text.index(after: sign)...])
    let isBelow = text[sign] == "<"
    switch name {
    case "errors":
      guard value.hasSuffix("%"), let percent = Double(value.dropLast()), isBelow,
        percent >= 0, percent <= 100
      else { throw wrong(text) }
      return Objective(text: text, figure: .errors, mustBeBelow: true, bound: percent / 100)
    case "rate":
      guard let rate = Double(value), rate > 0, !isBelow else { throw wrong(text) }
      return Objective(text: text, figure: .rate, mustBeBelow: false, bound: rate)
    default:
      guard let quantile = quantile(String(name)), let bound = microseconds(value), isBelow else {
        throw wrong(text)
      }
      return Objective(text: text, figure: .latency(quantile), mustBeBelow: true, bound: bound)
    }
  }

  private static func wrong(_ text: String) -> Wrong {
    Wrong(
      description: "\"\(text)\" is no objective; they are like p99<5ms, max<1s, errors<0.1%,"
        + " rate>1000")
  }

  /// `p50` to `p99.99`, `max`.
  private static func quantile(_ name: String) -> Double? {
    if name == "max" { return 1 }
    guard name.hasPrefix("p"), let percent = Double(name.dropFirst()), percent > 0, percent <= 100
    else { return nil }
    return percent / 100
  }

  /// `500us`, `5ms`, `1.5s`.
  static func microseconds(_ text: String) -> Double? {
    for (unit, factor) in [("us", 1.0), ("µs", 1.0), ("ms", 1e3), ("s", 1e6)]
    where text.hasSuffix(unit) {
      guard let number = Double(text.dropLast(unit.count)), number > 0 else { return nil }
      return number * factor
    }
    return nil
  }

  /// The result of each objective. None holds in a run without a successful call or with an outage.
  ///
  /// In a latency objective a failed call counts as infinitely late.
  func verdicts(_ summary: Summary) -> [Verdict] {
    all.map { objective in
      let value =
        switch objective.figure {
        case .latency(let quantile): summary.latencyMicroseconds(at: quantile)
        case .errors: summary.errorShare
        case .rate: summary.rate
        }
      let holds = objective.mustBeBelow ? value < objective.bound : value > objective.bound
      guard summary.ended > 0 else {
        return Verdict(objective: objective, value: nil, holds: false)
      }
      return Verdict(
        objective: objective, value: value, holds: holds && summary.outageSeconds == 0,
        outageSeconds: summary.outageSeconds)
    }
  }

  struct Verdict: Sendable {
    let objective: Objective
    /// Nil if no call ended.
    let value: Double?
    let holds: Bool
    /// The time without any reply; above 0 no objective holds.
    var outageSeconds = 0.0

    var text: String {
      let outage =
        outageSeconds > 0 ? "; no answer for \(Fixed.text(outageSeconds, 1)) s" : ""
      return "\(holds ? "holds" : "BROKEN") \(objective.text): \(shown)\(outage)"
    }

    var shown: String {
      guard let value else { return "no call was answered" }
      return switch objective.figure {
      case .latency:
        value.isFinite ? Fixed.time(microseconds: value) : "reached by failed calls"
      case .errors: Fixed.text(value * 100, 3) + " %"
      case .rate: Fixed.text(value, 0) + " a second"
      }
    }
  }
}
